import { limits } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findUnforgotten } from '../../files/data/file-repository.ts';
import { forgetSomeOf } from '../data/receipt-repository.ts';

/** Receipts of one transaction: others of their tenant wait for it. */
const batch = 2_000;

/**
 * Forgets what devices told of files that were deleted long ago, of which no list and no number tells any more. The files themselves stay,
 * so that whoever was away for longer learns that they are gone.
 */
export async function forgetDeleted(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  const before = new Date(clock.now().getTime() - limits.deletedReceiptsRetention);
  while (!stopping.aborted) {
    const fileId = await store.read(scope, async (db) => findUnforgotten(db, before));
    if (fileId === undefined) return;
    let isMore = true;
    while (isMore && !stopping.aborted) {
      isMore = await store.write(scope, async ({ db }) => forgetSomeOf(db, fileId, batch));
    }
  }
}
