import type { JobRun } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { dropRemovals, findDueRemovals, postponeRemovals, type Removal } from '../data/removal-repository.ts';

const batch = 500;
/** Of each tenant, before the next has its turn. */
const share = 50;
/** The store is asked for as many at the same time. */
const atOnce = 10;
/** In milliseconds. */
const retryAfter = 60_000;
/** No tenant has a lower id. */
const beforeAll = -1;

/**
 * Deletes from the store what nothing refers to any more, some of each tenant in turn until nothing is due: one that has much to remove
 * holds up no other. A row goes only when its object has gone, so that a store which is away loses nothing; deleting twice is no
 * error, so several instances may do it.
 */
export async function removeObjects(deps: Dependencies, run: JobRun): Promise<void> {
  const { clock, store } = deps;
  let afterPartner = beforeAll;
  let gone = 0;
  while (!run.stopping.aborted) {
    const due = await store.read(run.scope, async (db) =>
      findDueRemovals(db, clock.now(), { afterPartner, limit: batch, share }),
    );
    for (let start = 0; start < due.length && !run.stopping.aborted; start += atOnce) {
      gone += await removeThose(deps, run, due.slice(start, start + atOnce));
    }
    const last = due.at(-1);
    if (last && due.length === batch) {
      afterPartner = last.partnerId;
    } else {
      // All have had their turn. Where nothing has gone, nothing was due or the store is away.
      if (gone === 0) return;
      afterPartner = beforeAll;
      gone = 0;
    }
  }
}

/** Answers how many have gone. */
async function removeThose(
  { clock, logger, storage, store }: Dependencies,
  { scope: allTenants }: JobRun,
  removals: readonly Removal[],
): Promise<number> {
  const gone: Removal[] = [];
  const left: Removal[] = [];
  await Promise.all(
    removals.map(async (removal) => {
      try {
        await remove(storage, removal);
        gone.push(removal);
      } catch (error) {
        logger.warn({ err: error, key: removal.key }, 'Object not removed, will try again');
        left.push(removal);
      }
    }),
  );
  const dueAt = new Date(clock.now().getTime() + retryAfter);
  await store.write(allTenants, async ({ db }) => {
    if (gone.length > 0) await dropRemovals(db, gone);
    if (left.length > 0) await postponeRemovals(db, left, dueAt);
  });
  return gone.length;
}

async function remove(storage: Dependencies['storage'], removal: Removal): Promise<void> {
  const { key, partSize, size, storageUploadId } = removal;
  if (storageUploadId === null || partSize === null || size === null) return storage.delete(key);
  await storage.abortMultipart({ key, uploadId: storageUploadId, size: Number(size), partSize });
}
