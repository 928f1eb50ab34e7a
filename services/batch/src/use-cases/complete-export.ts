import { batchEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { finaliseExport, findExport } from '../data/export-repository.ts';

/** The file of an export is there, which whoever asked for it is told. One that has ended before stays as it is. */
export async function completeExport(
  { db, outbox }: Transaction<BatchDb>,
  batchId: number,
  rowCount: number,
  now: Date,
): Promise<void> {
  if (!(await finaliseExport(db, batchId, { status: 'complete', rowCount }, now))) return;
  const { kind, owner, partnerId, unitId } = await findExport(db, batchId);
  outbox.append(batchEvents.exportReady, {
    subject: batchId,
    partnerId,
    data: { batchId, kind, rowCount, owner, ...(unitId !== null && { unitId }) },
  });
}
