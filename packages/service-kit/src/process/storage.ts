import type { Clock, Logger } from '@portal/kernel';
import { createUrlSigner, type ObjectStorage, type UrlSigner } from '@portal/storage';
import type { S3Storage } from '@portal/storage/s3';
import { z } from 'zod';
import { givenIn } from '../environment.ts';
import { readSettings } from '../host/settings.ts';
import type { Infrastructure } from '../service.ts';
import { objectSettings, storageSettings } from './settings.ts';

interface Opening {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

const objects = z.object(objectSettings);
const withAddresses = z.object(storageSettings);

/** What is wrong with the settings of a process that uses the store. */
export const storageProblems = (
  env: Infrastructure['env'],
  { signsAddresses }: { readonly signsAddresses: boolean },
): readonly string[] => readSettings(signsAddresses ? withAddresses : objects, env).problems ?? [];

/**
 * The store of a process that gives out or serves addresses, once its bucket can be used. `publicUrl` is where clients
 * reach it past the product.
 */
export async function openStorage(
  env: Infrastructure['env'],
  opening: Opening,
): Promise<{ storage: ObjectStorage; signer: UrlSigner; publicUrl: string | undefined; close(): void }> {
  const settings = withAddresses.parse(givenIn(env));
  const { PUBLIC_URL: portalUrl, S3_PUBLIC_URL: publicUrl, STORAGE_SECRET: secret } = settings;
  const signer = createUrlSigner({ publicUrl: portalUrl, secret, clock: opening.clock });
  const storage = await opened(settings, { publicUrl, portalUrl, signer }, opening);
  return { storage, signer, publicUrl, close: () => storage.close() };
}

/** The store of a process that reads and writes objects alone, and has no secret to sign with. */
export async function openObjects(env: Infrastructure['env'], opening: Opening): Promise<ObjectStorage> {
  return opened(objects.parse(givenIn(env)), { portalUrl: '', signer: signsNothing }, opening);
}

const signsNothing: UrlSigner = {
  sign() {
    throw new Error('This service gives out no addresses of objects');
  },
  verify: () => undefined,
};

async function opened(
  settings: z.output<typeof objects>,
  addresses: { portalUrl: string; publicUrl?: string | undefined; signer: UrlSigner },
  { clock, logger, stopping }: Opening,
): Promise<S3Storage> {
  // Its library is large, and most services keep no objects.
  const { createS3Storage } = await import('@portal/storage/s3');
  const storage = createS3Storage({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    ...addresses,
    clock,
    logger,
  });
  await storage.checkBucket({ signal: stopping });
  return storage;
}
