import { userEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { doesWhatIsKept, keepChanges } from '../data/import-change-repository.ts';
import {
  changeAccounts,
  createAccounts,
  deviceEventRows,
  joinGroups,
  leaveGroups,
  removeAccounts,
  signOutEventRows,
  userEventRows,
} from '../data/import-changes.ts';
import { pieces } from '../data/import-plan.ts';
import type { ClaimedImport } from '../data/import-repository.ts';
import { clearRows, countRows } from '../data/import-rows.ts';
import { lockPartner } from '../data/partner-repository.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { doesAsMuch, nothing } from '../domain/import.ts';
import { checkImport } from './check-import.ts';
import { endHeldImport } from './end-import.ts';

/**
 * Does what the rows on the stage say, all of it or, where something has become wrong or other than was confirmed meanwhile,
 * nothing. To be run in one transaction.
 */
export async function applyImport(
  deps: ImportDependencies,
  tx: Transaction<UserDb>,
  held: ClaimedImport,
): Promise<void> {
  const { db, outbox } = tx;
  const { id: importId, partnerId } = held;
  const now = deps.clock.now();
  // Other changes of the tenant's accounts wait, so what is checked now stays true.
  await lockPartner(db, partnerId);
  if ((await countRows(db, held)) !== held.rowCount) throw new Error('The stage has lost rows');
  const counts = await checkImport(deps, tx, held, { applying: true });
  if (!counts) return;
  if (held.confirmed && !(doesAsMuch(counts, held.confirmed) && (await doesWhatIsKept(db, held)))) {
    await clearRows(db, held);
    await endHeldImport(tx, held, { status: 'failed', failure: 'importOutdated', ...nothing }, now);
    return;
  }

  const changeCount = await keepChanges(db, held);
  const { createCount, deleteCount, updateCount } = counts;
  if (deleteCount > 0) {
    await outbox.appendRows(userEvents.deviceRemoved, { partnerId, rows: deviceEventRows(held) });
  }
  for (const piece of await pieces(db, held)) {
    // What no row asks for is left out: each of these looks through the whole piece.
    if (deleteCount > 0) await removeAccounts(db, held, piece);
    if (createCount > 0) await createAccounts(db, held, piece, now);
    if (updateCount > 0) {
      await changeAccounts(db, held, piece, now);
      await leaveGroups(db, held, piece);
    }
    await joinGroups(db, held, piece);
  }
  if (createCount > 0) {
    await outbox.appendRows(userEvents.usersCreated, { partnerId, rows: userEventRows(held, 'create') });
  }
  if (updateCount > 0) {
    await outbox.appendRows(userEvents.usersUpdated, { partnerId, rows: userEventRows(held, 'change') });
    await outbox.appendRows(userEvents.usersSignedOut, { partnerId, rows: signOutEventRows(held, 'change') });
  }
  if (deleteCount > 0) {
    await outbox.appendRows(userEvents.usersDeleted, { partnerId, rows: userEventRows(held, 'delete') });
    await outbox.appendRows(userEvents.usersSignedOut, { partnerId, rows: signOutEventRows(held, 'delete') });
  }
  outbox.append(userEvents.usersImported, {
    subject: importId,
    partnerId,
    data: { importId, createCount, updateCount, deleteCount },
  });
  await clearRows(db, held);
  await endHeldImport(tx, held, { status: 'complete', ...counts, changeCount }, now);
}
