import { identityEvents, tenantEvents, userEvents } from '@portal/contracts';
import { type Clock, newId } from '@portal/kernel';
import { type EventHandler, on, onMany, type Seals } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetLink } from '../data/password-link-repository.ts';
import { renameSessions } from '../data/session-repository.ts';
import { keepUnit } from '../data/unit-repository.ts';
import { endPeopleSessions } from '../use-cases/end-sessions.ts';
import { followAddress, inviteNew } from '../use-cases/follow-address.ts';

export function subscriptions({ clock, seals }: { clock: Clock; seals: Seals }): EventHandler<IdentityDb>[] {
  return [
    on(tenantEvents.unitCreated, 'keep-units', async ({ db }, { data }) =>
      keepUnit(db, { id: data.unitId, name: data.name }),
    ),

    onMany(userEvents.userCreated, 'follow-accounts', async (tx, events) =>
      inviteNew(
        tx,
        seals,
        events.map(({ data, partnerid }) => ({ ...data, partnerId: tenantOf(partnerid) })),
        clock.now(),
      ),
    ),

    on(userEvents.userUpdated, 'follow-accounts', async (tx, { data, partnerid }) => {
      const { email, loginUserId, name, userId: accountId } = data;
      await renameSessions(tx.db, accountId, { name, email, loginUserId });
      await followAddress(tx, seals, { ...data, partnerId: tenantOf(partnerid) }, clock.now());
    }),

    on(userEvents.userDeleted, 'follow-accounts', async (tx, { data }) => {
      await forgetLink(tx.db, data.userId);
    }),

    // By itself: it may come before what happened to the person earlier, and stands behind nothing else.
    onMany(userEvents.userSignedOut, 'end-sessions', async (tx, events) => {
      await endPeopleSessions(
        tx,
        events.map(({ data: { userId: accountId, ...which }, partnerid }) => ({
          accountId,
          partnerId: tenantOf(partnerid),
          ...which,
        })),
        clock.now(),
      );
      const settlementId = newId();
      tx.outbox.append(identityEvents.signOutsSettled, {
        subject: settlementId,
        partnerId: null,
        data: { settlementId, eventIds: events.map(({ id }) => id) },
      });
    }),

    on(userEvents.usersSignedOut, 'end-many-sessions', async (tx, { data: { people }, partnerid }) =>
      endPeopleSessions(
        tx,
        people.map(({ userId: accountId, ...which }) => ({
          accountId,
          partnerId: tenantOf(partnerid),
          ...which,
        })),
        clock.now(),
      ),
    ),
  ];
}

function tenantOf(partnerId: number | null): number {
  if (partnerId === null) throw new Error('An event of an account without its tenant');
  return partnerId;
}
