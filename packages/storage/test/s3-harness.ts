import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { type S3Engine, startS3 } from '@portal/testing/engines';
import type { StorageHarness } from '../src/contract-suite.ts';
import { createStorageHandler, createUrlSigner } from '../src/index.ts';
import { createS3Storage, type S3Storage } from '../src/s3/s3-storage.ts';

export interface S3Harness extends StorageHarness {
  readonly engine: S3Engine;
  readonly storage: S3Storage;
  /** The origin of `/storage/`. */
  readonly portalUrl: string;
}

const partSize = 5 * 1024 * 1024;

/** An S3 server; its signed URLs go to it, or to `/storage/` on a free port. */
export async function openS3({ isPublic }: { isPublic: boolean }): Promise<S3Harness> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-s3-'));
  const engine = await startS3({ dataDir: directory });
  const clock = systemClock();
  const logger = createLogger({ level: 'silent' });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const portalUrl = `http://127.0.0.1:${address.port}`;
  const signer = createUrlSigner({ publicUrl: portalUrl, secret: Buffer.alloc(32, 1), clock });
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = engine;
  const opened: S3Storage[] = [];
  const open = async () => {
    const storage = createS3Storage({
      accessKeyId,
      bucket,
      endpoint,
      region,
      secretAccessKey,
      publicUrl: isPublic ? endpoint : undefined,
      portalUrl,
      clock,
      signer,
      logger,
    });
    opened.push(storage);
    await storage.checkBucket();
    return storage;
  };
  const storage = await open();
  const handler = createStorageHandler({ storage, signer, logger, admit: async () => {} });
  server.on('request', (req, res) => void handler(req, res, 'request-1'));
  return {
    engine,
    storage,
    portalUrl,
    partSize,
    reopen: open,
    now: clock.now,
    passTime: async (ms) => sleep(ms),
    mayMixPartsThatComeMeanwhile: true,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const each of opened) each.close();
      await engine.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
