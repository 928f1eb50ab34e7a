import { type EventData, fileEvents, identityEvents, userEvents } from '@portal/contracts';
import { type Clock, newId } from '@portal/kernel';
import {
  copyOf,
  type EventEnvelope,
  type EventHandler,
  on,
  onMany,
  partnerOf,
  type Seals,
  type SsoSettingState,
  type Stated,
  ssoSettingStates,
  type Transaction,
  type UserState,
  userStates,
} from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetDevicesOf } from '../data/known-device-repository.ts';
import { linkIdentity, unlinkAccounts } from '../data/linked-identity-repository.ts';
import { forgetLinksBefore, forgetLinksElsewhere } from '../data/password-link-repository.ts';
import { forgetPreferencesOf } from '../data/preferences-repository.ts';
import { renameSessions } from '../data/session-repository.ts';
import { keepSsoSetting } from '../data/sso-setting-repository.ts';
import { forgetTwoFactorsOf } from '../data/two-factor-repository.ts';
import { endPeopleSessions } from '../use-cases/end-sessions.ts';
import { followAddresses } from '../use-cases/follow-address.ts';
import { copyOfUnits } from '../use-cases/know-unit.ts';
import { mailHalt } from '../use-cases/mail-halt.ts';
import { mailSetupLinks } from '../use-cases/mail-setup-links.ts';
import { mailAskedLink } from '../use-cases/request-link.ts';
import { identitySeal, sealedIdentity } from '../use-cases/sign-up-social.ts';

export function subscriptions(deps: {
  clock: Clock;
  seals: Seals;
  /** Whether an account gets a few mails with links in an hour alone. */
  rationed: boolean;
}): EventHandler<IdentityDb>[] {
  const { clock } = deps;
  return [
    on(identityEvents.passwordResetAsked, 'mail-links', async (tx, { data }) =>
      mailAskedLink(tx, deps, data, clock.now()),
    ),

    on(userEvents.setupMailsRequested, 'mail-setup-links', async (tx, event) =>
      mailSetupLinks(tx, deps.seals, { ...event.data, partnerId: partnerOf(event) }, clock.now()),
    ),

    on(fileEvents.fileRolloutHalted, 'mail-halts', async (tx, { data }) => mailHalt(tx, deps.seals, data)),

    ...copyOfUnits(deps).subscriptions,
    ...followedUsers(deps).subscriptions,
    ...followedSsoSettings.subscriptions,

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

/** What hangs on a person's state: the first link of somebody new, the names of sessions, and where links went. */
function followedUsers({ clock, rationed, seals }: { clock: Clock; seals: Seals; rationed: boolean }) {
  return copyOf<IdentityDb, UserState, number>('follow-accounts', userStates, {
    async keep(tx, people) {
      const options = { now: clock.now(), rationed };
      await renameSessions(
        tx.db,
        people.map(({ id, state }) => ({ ...state, accountId: id })),
      );
      await linkIdentities(tx.db, seals, people);
      await followAddresses(
        tx,
        seals,
        people.map(({ isFirst, partnerId, state }) => ({ ...state, isNew: isFirst, partnerId })),
        options,
      );
    },
    async forget({ db }, people) {
      await forgetLinksElsewhere(
        db,
        people.map(({ id }) => ({ accountId: id, email: null })),
      );
      const accountIds = people.map(({ id }) => id);
      await forgetDevicesOf(db, accountIds);
      await forgetPreferencesOf(db, accountIds);
      await forgetTwoFactorsOf(db, accountIds);
      await unlinkAccounts(db, accountIds);
    },
  });
}

/** Whether a tenant still takes passwords. */
const followedSsoSettings = copyOf<IdentityDb, SsoSettingState, number>('sso-settings', ssoSettingStates, {
  async keep({ db }, settings) {
    for (const { id, state } of settings) await keepSsoSetting(db, id, state.useSsoFlag && state.ssoOnly);
  },
  // Its end is a state; what goes with the partner, its rows say.
  forget: async () => {},
});

/** Who has signed up with an account at an identity provider signs in with it from now on. */
async function linkIdentities(
  db: IdentityDb,
  seals: Seals,
  people: readonly Stated<UserState, number>[],
): Promise<void> {
  for (const { id: accountId, partnerId, state } of people) {
    const sealed = state.signUp?.identity;
    if (!sealed) continue;
    const account = sealedIdentity.parse(JSON.parse(seals.open(sealed, identitySeal)));
    await linkIdentity(db, { ...account, partnerId, accountId });
  }
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
