import { userEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import {
  type ClaimedImport,
  finaliseImport,
  type ImportKey,
  type Outcome,
} from '../data/import-repository.ts';

/** A held import is over, which whoever began it is told. Throws `TaskLost`. */
export async function endHeldImport(
  { db, outbox }: Transaction<UserDb>,
  held: ClaimedImport,
  outcome: Outcome & { status: 'complete' | 'failed' },
  now: Date,
): Promise<void> {
  tellEnd(outbox, held, await finaliseImport(db, held, outcome, now), outcome);
}

/** Tells the end of an import, as it was stored; `openedBy` began it. */
export function tellEnd(
  outbox: Transaction<UserDb>['outbox'],
  { id: importId, partnerId }: ImportKey,
  openedBy: number | null,
  outcome: Outcome & { status: 'complete' | 'failed' },
): void {
  const { createCount = 0, deleteCount = 0, errorCount = 0, status, updateCount = 0 } = outcome;
  const done = errorCount > 0 ? 'refused' : 'applied';
  outbox.append(userEvents.importEnded, {
    subject: importId,
    partnerId,
    data: {
      importId,
      openedBy,
      result: status === 'failed' ? 'failed' : done,
      createCount,
      updateCount,
      deleteCount,
      errorCount,
    },
  });
}
