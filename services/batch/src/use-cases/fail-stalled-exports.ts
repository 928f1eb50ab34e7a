import { batchEvents, limits } from '@portal/contracts';
import type { Clock, Logger } from '@portal/kernel';
import type { JobRun, Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { finaliseExport, stalledExports } from '../data/export-repository.ts';

/**
 * An export whose writer is not heard of any more has failed: nobody waits for the dead. What was told while nobody listened is
 * still to come after a start.
 */
export async function failStalledExports(
  { clock, logger, store }: { clock: Clock; logger: Logger; store: Store<BatchDb> },
  { scope, startedAt }: JobRun,
): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - limits.exportSilence);
  if (startedAt > before) return;
  const silent = await store.read(scope, (db) => stalledExports(db, before));
  for (const { id, partnerId } of silent) {
    await store.write(scope, async ({ db, outbox }) => {
      if (!(await finaliseExport(db, id, { status: 'failed' }, now))) return;
      logger.error({ batchId: id }, 'Export failed: nobody answers');
      const data = { batchId: id, reason: 'silence' as const };
      outbox.append(batchEvents.csvFailed, { subject: id, partnerId, data });
    });
  }
}
