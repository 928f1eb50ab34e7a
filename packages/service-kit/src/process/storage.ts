import type { Clock, Logger } from '@portal/kernel';
import { createUrlSigner, type ObjectStorage, type UrlSigner } from '@portal/storage';
import { createS3Storage } from '@portal/storage/s3';
import { z } from 'zod';
import { readSettings } from '../host/settings.ts';
import type { Infrastructure } from '../service.ts';
import { storageSettings } from './settings.ts';

const schema = z.object(storageSettings);

/** What is wrong with the settings of a process that uses the store. */
export const storageProblems = (env: Infrastructure['env']): readonly string[] =>
  readSettings(schema, env).problems ?? [];

/** The store of a process, once its bucket can be used. `publicUrl` is where clients reach it past the product. */
export async function openStorage(
  env: Infrastructure['env'],
  options: { clock: Clock; logger: Logger; stopping: AbortSignal },
): Promise<{ storage: ObjectStorage; signer: UrlSigner; publicUrl: string | undefined; close(): void }> {
  const { clock, logger, stopping } = options;
  const { settings } = readSettings(schema, env);
  if (!settings) throw new Error(storageProblems(env).join('\n'));
  const signer = createUrlSigner({ publicUrl: settings.PUBLIC_URL, secret: settings.STORAGE_SECRET, clock });
  const storage = createS3Storage({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    publicUrl: settings.S3_PUBLIC_URL,
    portalUrl: settings.PUBLIC_URL,
    clock,
    signer,
    logger,
  });
  await storage.checkBucket({ signal: stopping });
  return { storage, signer, publicUrl: settings.S3_PUBLIC_URL, close: () => storage.close() };
}
