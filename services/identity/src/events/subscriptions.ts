import { tenantEvents, userEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, on } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { renameSessions } from '../data/session-repository.ts';
import { keepUnit } from '../data/unit-repository.ts';
import { endAccountSessions } from '../use-cases/end-sessions.ts';

export function subscriptions({ clock }: { clock: Clock }): EventHandler<IdentityDb>[] {
  return [
    on(tenantEvents.unitCreated, 'keep-units', async ({ db }, { data }) =>
      keepUnit(db, { id: data.unitId, name: data.name }),
    ),

    on(userEvents.userUpdated, 'follow-accounts', async (tx, { data, partnerid }) => {
      const { email, endsSessions, loginUserId, name, userId: accountId } = data;
      if (endsSessions) {
        await endAccountSessions(tx, { accountId, partnerId: tenantOf(partnerid) }, clock.now());
      } else {
        await renameSessions(tx.db, accountId, { name, email, loginUserId });
      }
    }),

    on(userEvents.userDeleted, 'follow-accounts', async (tx, { data, partnerid }) =>
      endAccountSessions(tx, { accountId: data.userId, partnerId: tenantOf(partnerid) }, clock.now()),
    ),
  ];
}

function tenantOf(partnerId: number | null): number {
  if (partnerId === null) throw new Error('An event of an account without its tenant');
  return partnerId;
}
