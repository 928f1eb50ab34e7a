import { batchEvents, operationEvents } from '@portal/contracts';
import { keepExportTasks } from '@portal/csv-export';
import type { Clock } from '@portal/kernel';
import {
  type AdminState,
  adminStates,
  copyOf,
  type EventHandler,
  on,
  onMany,
  type UserState,
  userStates,
} from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { finaliseExport, noteWaiting, saveProgress } from '../data/export-repository.ts';
import { storeOperations } from '../data/operation-repository.ts';
import { partnerSubscriptions } from '../data/partner-repository.ts';
import { markDeleted, upsertPeople } from '../data/person-repository.ts';
import { completeExport } from '../use-cases/complete-export.ts';

/** Who did what the log tells of: of those who are gone, the names stay as long as that. */
const users = copyOf<BatchDb, UserState, number>('keep-people', userStates, {
  keep: async ({ db }, people) =>
    upsertPeople(
      db,
      people.map(({ id, partnerId, state: { email, loginUserId, name } }) => ({
        kind: 'account',
        accountId: id,
        partnerId,
        unitId: null,
        name: email ?? loginUserId ?? name,
        displayName: name,
      })),
    ),
  forget: async ({ db }, people) => markDeleted(db, 'account', people),
});

const admins = copyOf<BatchDb, AdminState, null>('keep-admins', adminStates, {
  keep: async ({ db }, people) =>
    upsertPeople(
      db,
      people.map(({ id, state: { email, name, unitId } }) => ({
        kind: 'admin',
        accountId: id,
        partnerId: null,
        unitId,
        name: email,
        displayName: name,
      })),
    ),
  forget: async ({ db }, people) => markDeleted(db, 'admin', people),
});

export function subscriptions({ clock }: { clock: Clock }): EventHandler<BatchDb>[] {
  return [
    ...partnerSubscriptions<BatchDb>(),

    ...users.subscriptions,
    ...admins.subscriptions,

    onMany(
      operationEvents.operationLogged,
      'keep-operations',
      async ({ db }, events) =>
        storeOperations(
          db,
          events.map(({ data, id, partnerid }) => ({ ...data, eventId: id, partnerId: partnerid })),
        ),
      {
        knowsRepeats: true,
        systemScope: 'entries of all tenants are kept together, in months that the system makes',
      },
    ),

    on(batchEvents.csvProgressed, 'follow-exports', async ({ db }, { data }) => {
      const { batchId, rowCount, stage, totalRows } = data;
      await saveProgress(db, batchId, { status: stage, rowCount, totalRows }, clock.now());
    }),
    on(batchEvents.csvWaiting, 'follow-exports', async ({ db }, { data: { batchIds } }) =>
      noteWaiting(db, batchIds, clock.now()),
    ),
    on(batchEvents.csvCompleted, 'follow-exports', async (tx, { data: { batchId, rowCount } }) =>
      completeExport(tx, batchId, rowCount, clock.now()),
    ),
    on(batchEvents.csvFailed, 'follow-exports', async ({ db }, { data: { batchId } }) => {
      await finaliseExport(db, batchId, { status: 'failed' }, clock.now());
    }),

    ...keepExportTasks<BatchDb>(['operationLogs']),
  ];
}
