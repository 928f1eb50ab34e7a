import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { JobRun, ServiceContext } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { deleteExports, oldExports } from '../data/export-repository.ts';

/** Deletes files after a day, with the rows of their exports. */
export async function removeExports(
  { clock, storage, store }: Pick<ServiceContext<BatchDb, unknown>, 'storage' | 'store'> & { clock: Clock },
  { scope }: JobRun,
): Promise<void> {
  const before = new Date(clock.now().getTime() - limits.exportRetention);
  for (;;) {
    const old = await store.read(scope, (db) => oldExports(db, before));
    for (const { objectKey } of old) await storage.delete(objectKey);
    await store.write(scope, ({ db }) =>
      deleteExports(
        db,
        old.map(({ id }) => id),
      ),
    );
    if (old.length === 0) return;
  }
}
