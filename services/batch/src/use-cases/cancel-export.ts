import { batchEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { everything, ofPartner, type Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { type ExportOwner, getExport, settleExport } from '../data/export-repository.ts';

/** Ends an export that its owner does not want any more. Throws `E40401` unless it is theirs. */
export async function cancelExport(
  { clock, store }: { clock: Clock; store: Store<BatchDb> },
  id: number,
  of: {
    readonly kind: batchEvents.CsvKind;
    readonly owner: ExportOwner;
    readonly partnerId: number | null;
  },
): Promise<void> {
  const { partnerId } = of;
  await store.write(partnerId === null ? everything : ofPartner(partnerId), async ({ db, outbox }) => {
    await getExport(db, id, of);
    if (!(await settleExport(db, id, { status: 'failed' }, clock.now()))) return;
    const data = { batchId: id, reason: 'cancelled' as const };
    outbox.append(batchEvents.csvFailed, { subject: id, partnerId, data });
  });
}
