import { batchEvents, identityEvents, operationEvents, tenantEvents, userEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, keepExportTasks, on, onMany } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { noteProgress, settleExport } from '../data/export-repository.ts';
import { keepOperations } from '../data/operation-repository.ts';
import { keepPartner } from '../data/partner-repository.ts';
import { keepPeople, markDeleted, type Person } from '../data/person-repository.ts';

export function subscriptions({ clock }: { clock: Clock }): EventHandler<BatchDb>[] {
  return [
    on(tenantEvents.partnerCreated, 'keep-partners', async ({ db }, { data }) => keepPartner(db, data)),

    onMany(userEvents.userCreated, 'keep-people', async ({ db }, events) =>
      keepPeople(db, events.map(accountOf)),
    ),
    onMany(userEvents.userUpdated, 'keep-people', async ({ db }, events) =>
      keepPeople(db, events.map(accountOf)),
    ),
    onMany(userEvents.userDeleted, 'keep-people', async ({ db }, events) =>
      markDeleted(
        db,
        events.map(({ data, time }) => ({ accountId: data.userId, at: time })),
      ),
    ),
    onMany(identityEvents.adminCreated, 'keep-people', async ({ db }, events) =>
      keepPeople(
        db,
        events.map(({ data }) => ({
          kind: 'admin',
          accountId: data.adminId,
          partnerId: null,
          name: data.email,
        })),
      ),
    ),

    onMany(
      operationEvents.operationLogged,
      'keep-operations',
      async ({ db }, events) =>
        keepOperations(
          db,
          events.map(({ data, id, partnerid }) => ({ ...data, eventId: id, partnerId: partnerid })),
        ),
      { lingers: true },
    ),

    on(batchEvents.csvProgressed, 'follow-exports', async ({ db }, { data }) => {
      const { batchId, rowCount, stage, totalRows } = data;
      await noteProgress(db, batchId, { status: stage, rowCount, totalRows }, clock.now());
    }),
    on(batchEvents.csvCompleted, 'follow-exports', async ({ db }, { data: { batchId, rowCount } }) => {
      await settleExport(db, batchId, { status: 'complete', rowCount }, clock.now());
    }),
    on(batchEvents.csvFailed, 'follow-exports', async ({ db }, { data: { batchId } }) => {
      await settleExport(db, batchId, { status: 'failed' }, clock.now());
    }),

    ...keepExportTasks<BatchDb>(['operationLogs']),
  ];
}

function accountOf({
  data,
  partnerid,
}: {
  data: { userId: number; email: string | null; loginUserId: string | null; name: string };
  partnerid: number | null;
}): Person {
  const { email, loginUserId, name, userId } = data;
  return {
    kind: 'account',
    accountId: userId,
    partnerId: partnerid,
    name: email ?? loginUserId ?? name,
  };
}
