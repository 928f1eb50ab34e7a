import { userEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import {
  type AppliedRow,
  appliedRows,
  changeAccounts,
  createAccounts,
  removeAccounts,
  setGroups,
} from '../data/import-changes.ts';
import { pieces } from '../data/import-plan.ts';
import { type HeldImport, settleImport } from '../data/import-repository.ts';
import { clearRows, countRows } from '../data/import-rows.ts';
import { lockPartner } from '../data/partner-repository.ts';
import { personOf } from '../domain/person.ts';
import { checkImport } from './check-import.ts';
import { type ImportTools, keepHold } from './import-tools.ts';

/** Events that are held at once. */
const eventsAtOnce = 1_000;

/**
 * Does what the rows on the stage say, all of it or, where something has become wrong meanwhile, nothing. To be run in one
 * transaction.
 */
export async function applyImport(
  tools: ImportTools,
  tx: Transaction<UserDb>,
  held: HeldImport,
): Promise<void> {
  const { db, outbox } = tx;
  const { id: importId, partnerId } = held;
  const now = tools.clock.now();
  await keepHold(tools, db, held, { phase: 'applying', progress: 0 });
  // Whoever makes, changes or deletes an account of this tenant waits: what is found out now stays true.
  await lockPartner(db, partnerId);
  if ((await countRows(db, held)) !== held.rowCount) throw new Error('The stage has lost rows');
  const counts = await checkImport(tools, db, held, 'applying');
  if (!counts) return;

  for (const piece of await pieces(db, held)) {
    for (const { accountId, uuid } of await removeAccounts(db, held, piece)) {
      outbox.append(userEvents.deviceRemoved, {
        subject: uuid,
        partnerId,
        data: { userId: accountId, uuid },
      });
    }
    await createAccounts(db, held, piece, now);
    await changeAccounts(db, held, piece, now);
    await setGroups(db, held, piece);
  }
  await tellOfRows(tx, held);
  const { createCount, deleteCount, updateCount } = counts;
  outbox.append(userEvents.usersImported, {
    subject: importId,
    partnerId,
    data: { importId, createCount, updateCount, deleteCount },
  });
  await clearRows(db, held);
  await settleImport(db, held, { status: 'complete', ...counts }, now);
}

async function tellOfRows({ db, outbox }: Transaction<UserDb>, held: HeldImport): Promise<void> {
  let after = 0;
  for (;;) {
    const rows: AppliedRow[] = await appliedRows(db, held, { after, take: eventsAtOnce });
    for (const row of rows) tellOf(outbox, held.partnerId, row);
    await outbox.flush();
    const last = rows.at(-1);
    if (rows.length < eventsAtOnce || !last) return;
    after = last.line;
  }
}

function tellOf(outbox: Transaction<UserDb>['outbox'], partnerId: number, row: AppliedRow): void {
  const { action, groupIds, id, newPassword } = row;
  const event = { subject: id, partnerId };
  switch (action) {
    case 'create':
      outbox.append(userEvents.userCreated, { ...event, data: personOf(row, groupIds) });
      return;
    case 'change':
      outbox.append(userEvents.userUpdated, {
        ...event,
        data: { ...personOf(row, groupIds), endsSessions: newPassword },
      });
      return;
    case 'delete':
      outbox.append(userEvents.userDeleted, { ...event, data: { userId: id } });
  }
}
