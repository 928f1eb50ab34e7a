import { type JobRun, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { dropRemoval, findDueRemovals, postponeRemoval, type Removal } from '../data/removal-repository.ts';

const batch = 100;
/** In milliseconds. */
const retryAfter = 60_000;

/**
 * Deletes from the store what nothing refers to any more. A row goes only when its object has gone, so that a store which
 * is away loses nothing; deleting twice is no error, so several instances may do it.
 */
export async function removeObjects(
  { clock, logger, storage, store }: Dependencies,
  { scope: allTenants }: JobRun,
): Promise<void> {
  const due = await store.read(allTenants, async (db) => findDueRemovals(db, clock.now(), batch));
  for (const removal of due) {
    const scope = ofPartner(removal.partnerId);
    try {
      await remove(storage, removal);
    } catch (error) {
      logger.warn({ err: error, key: removal.key }, 'Object not removed, will try again');
      const dueAt = new Date(clock.now().getTime() + retryAfter);
      await store.write(scope, async ({ db }) => postponeRemoval(db, removal, dueAt));
      continue;
    }
    await store.write(scope, async ({ db }) => dropRemoval(db, removal));
  }
}

async function remove(storage: Dependencies['storage'], removal: Removal): Promise<void> {
  const { key, partSize, size, storageUploadId } = removal;
  if (storageUploadId === null || partSize === null || size === null) return storage.delete(key);
  await storage.abortMultipart({ key, uploadId: storageUploadId, size: Number(size), partSize });
}
