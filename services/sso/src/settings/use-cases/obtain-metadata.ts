import { AppError, fieldError } from '@portal/kernel';
import type { Dependencies } from '../../dependencies.ts';
import { isProviderAddress } from '../../identity-provider/domain/address.ts';
import { MetadataNotFetched } from '../../identity-provider/http/fetch-metadata.ts';
import { type ReadMetadata, readMetadata } from '../../identity-provider/read-metadata.ts';
import { UnreadableXml } from '../../xml/read-xml.ts';
import type { StoredMetadata } from '../data/setting-repository.ts';
import type { MetadataSource } from '../domain/setting.ts';

export interface ObtainedMetadata extends ReadMetadata {
  readonly isFetched: boolean;
}

/**
 * The metadata that a setting is to have; undefined: what it has stays.
 * Throws `E40002` on the field that it came in, and `E50301` while too much is being fetched.
 */
export async function obtainMetadata(
  deps: Pick<Dependencies, 'acceptsLoopback' | 'fetchMetadata'>,
  source: MetadataSource,
): Promise<ObtainedMetadata | undefined> {
  if (source.kind === 'kept') return undefined;
  const isFetched = source.kind === 'address';
  const bytes = isFetched ? await fetched(deps, source.url) : Buffer.from(source.metadata, 'base64');
  const read = readProvider(deps, bytes);
  if (!read) throw fieldError('E40002', isFetched ? 'metadataUrl' : 'metadata', 'samlMetadata');
  return { ...read, isFetched };
}

const day = 24 * 3_600_000;

/** It as it is stored. */
export function storedMetadata(
  { certificateExpiresAt, isFetched, metadata, provider }: ObtainedMetadata,
  now: Date,
): StoredMetadata {
  return {
    certificateExpiresAt,
    metadata,
    provider,
    metadataFetchedAt: isFetched ? now : null,
    metadataDueAt: isFetched ? new Date(now.getTime() + day) : null,
  };
}

/** What bytes of metadata say; undefined for those that are none. */
export function readProvider(
  { acceptsLoopback }: Pick<Dependencies, 'acceptsLoopback'>,
  bytes: Uint8Array,
): ReadMetadata | undefined {
  try {
    return readMetadata(bytes, (address) => isProviderAddress(address, acceptsLoopback));
  } catch (error) {
    if (error instanceof UnreadableXml) return undefined;
    throw error;
  }
}

async function fetched({ fetchMetadata }: Pick<Dependencies, 'fetchMetadata'>, url: string): Promise<Buffer> {
  try {
    return await fetchMetadata(url);
  } catch (error) {
    if (!(error instanceof MetadataNotFetched)) throw error;
    if (error.fault === 'busy') throw new AppError('E50301', [], { cause: error });
    throw fieldError(
      'E40002',
      'metadataUrl',
      error.fault === 'address' ? 'publicAddress' : 'metadataNotFetched',
    );
  }
}
