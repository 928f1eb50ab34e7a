import { type EventData, identityEvents, tenantEvents, userEvents } from '@portal/contracts';
import { type Clock, newId } from '@portal/kernel';
import {
  type EventEnvelope,
  type EventHandler,
  on,
  onMany,
  partnerOf,
  type Seals,
  type Transaction,
} from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetDevicesOf } from '../data/known-device-repository.ts';
import { forgetLinksBefore, forgetLinksElsewhere } from '../data/password-link-repository.ts';
import { renameSessions } from '../data/session-repository.ts';
import { keepUnit } from '../data/unit-repository.ts';
import { mailAskedLink } from '../use-cases/ask-for-link.ts';
import { endPeopleSessions } from '../use-cases/end-sessions.ts';
import { followAddresses, inviteNew } from '../use-cases/follow-address.ts';

export function subscriptions(deps: {
  clock: Clock;
  seals: Seals;
  /** Whether an account gets a few mails with links in an hour alone. */
  rationed: boolean;
}): EventHandler<IdentityDb>[] {
  const { clock, rationed, seals } = deps;
  return [
    on(identityEvents.passwordResetAsked, 'mail-links', async (tx, { data }) =>
      mailAskedLink(tx, deps, data, clock.now()),
    ),

    on(tenantEvents.unitCreated, 'keep-units', async ({ db }, { data }) =>
      keepUnit(db, { id: data.unitId, name: data.name }),
    ),

    onMany(userEvents.userCreated, 'follow-accounts', async (tx, events) =>
      inviteNew(
        tx,
        seals,
        events.map((event) => ({ ...event.data, partnerId: partnerOf(event) })),
        { now: clock.now() },
      ),
    ),

    onMany(userEvents.userUpdated, 'follow-accounts', async (tx, events) => {
      // Of one person, the last counts.
      const last = new Map(events.map((event) => [event.data.userId, event]));
      const people = [...last.values()].map((event) => ({ ...event.data, partnerId: partnerOf(event) }));
      await renameSessions(
        tx.db,
        people.map(({ userId, ...person }) => ({ ...person, accountId: userId })),
      );
      await followAddresses(tx, seals, people, { now: clock.now(), rationed });
    }),

    onMany(userEvents.userDeleted, 'follow-accounts', async ({ db }, events) => {
      await forgetLinksElsewhere(
        db,
        events.map(({ data }) => ({ accountId: data.userId, email: null })),
      );
      await forgetDevicesOf(
        db,
        events.map(({ data }) => data.userId),
      );
    }),

    // By itself: it may come before what happened to the person earlier, and stands behind nothing else.
    onMany(userEvents.userSignedOut, 'end-sessions', async (tx, events) => {
      const people = events.map((event) => signOutOf(event, event.data));
      await signOut(tx, people, clock.now());
      const settlementId = newId();
      tx.outbox.append(identityEvents.signOutsSettled, {
        subject: settlementId,
        partnerId: null,
        data: { settlementId, eventIds: events.map(({ id }) => id) },
      });
    }),

    on(userEvents.usersSignedOut, 'end-many-sessions', async (tx, event) => {
      const people = event.data.people.map((person) => signOutOf(event, person));
      await signOut(tx, people, clock.now());
    }),
  ];
}

type SignOut = ReturnType<typeof signOutOf>;

function signOutOf(
  event: EventEnvelope,
  { userId: accountId, ...which }: EventData<typeof userEvents.userSignedOut>,
) {
  return { accountId, partnerId: partnerOf(event), ...which };
}

/** Sessions end, and with another password the links to choose one. Whoever gave it, it is told once that it was given. */
async function signOut(tx: Transaction<IdentityDb>, people: readonly SignOut[], now: Date): Promise<void> {
  await endPeopleSessions(tx, people, now);
  const changed = people.filter(({ passwordChanged }) => passwordChanged);
  await forgetLinksBefore(tx.db, changed);
  for (const { accountId, partnerId } of changed) {
    tx.outbox.append(identityEvents.passwordChanged, {
      subject: accountId,
      partnerId,
      data: { accountKind: 'account', accountId },
    });
  }
}
