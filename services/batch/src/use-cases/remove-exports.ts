import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { everything, type ServiceContext } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { deleteExports, oldExports } from '../data/export-repository.ts';

/** Files go away after a day, and what is known of them with them. */
export async function removeExports({
  clock,
  storage,
  store,
}: Pick<ServiceContext<BatchDb, unknown>, 'storage' | 'store'> & { clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - limits.exportRetention);
  for (;;) {
    const old = await store.read(everything, (db) => oldExports(db, before));
    for (const { objectKey } of old) await storage.delete(objectKey);
    await store.write(everything, ({ db }) =>
      deleteExports(
        db,
        old.map(({ id }) => id),
      ),
    );
    if (old.length === 0) return;
  }
}
