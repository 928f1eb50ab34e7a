import { batchEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import type { Clock } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { type ExportOwner, finaliseExport, requireExport } from '../data/export-repository.ts';

/** Cancels an export. Throws `E40401` unless it belongs to the caller. */
export async function cancelExport(
  { clock, store }: { clock: Clock; store: Store<BatchDb> },
  id: number,
  of: {
    readonly kind: string;
    readonly owner: ExportOwner;
    readonly partnerId: number | null;
    readonly scope: Scope;
  },
): Promise<void> {
  const { partnerId, scope } = of;
  await store.write(scope, async ({ db, outbox }) => {
    await requireExport(db, id, of);
    if (!(await finaliseExport(db, id, { status: 'failed' }, clock.now()))) return;
    const data = { batchId: id, reason: 'cancelled' as const };
    outbox.append(batchEvents.csvFailed, { subject: id, partnerId, data });
  });
}
