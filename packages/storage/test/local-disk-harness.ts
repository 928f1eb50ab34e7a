import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, manualClock } from '@portal/kernel';
import type { StorageHarness } from '../src/contract-suite.ts';
import {
  createLocalDiskStorage,
  createStorageHandler,
  createUrlSigner,
  type StorageGrant,
  type Transfer,
  type UrlSigner,
} from '../src/index.ts';

/** Local disk in a new directory, served over HTTP on a free port; signed addresses are accepted by default. */
export async function openLocalDisk(
  admit: (grant: StorageGrant) => Promise<void> = async () => {},
): Promise<StorageHarness & { directory: string; signer: UrlSigner; transfers: Transfer[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-storage-'));
  const clock = manualClock(new Date());
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const publicUrl = `http://127.0.0.1:${address.port}`;
  const signer = createUrlSigner({ publicUrl, secret: Buffer.alloc(32, 1), clock });
  const reopen = () => createLocalDiskStorage({ directory, clock, signer });
  const storage = await reopen();
  const transfers: Transfer[] = [];
  const handler = createStorageHandler({
    storage,
    signer,
    logger: createLogger({ level: 'silent' }),
    admit,
    onTransfer: (transfer) => transfers.push(transfer),
  });
  server.on('request', (req, res) => void handler(req, res, 'request-1'));
  return {
    storage,
    directory,
    signer,
    transfers,
    partSize: 64 * 1024,
    reopen,
    now: clock.now,
    passTime: async (ms) => clock.advance(ms),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
