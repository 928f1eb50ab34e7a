import { hashOfAnother, noFailedAttempts, refuseGuessable } from '@portal/accounts';
import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount, lackOfAdmins, lockAccount, saveAccount } from '../data/account-repository.ts';
import { removeDevices } from '../data/device-repository.ts';
import type { Account } from '../data/generated/client.ts';
import { groupIdsOf, setGroupsOf } from '../data/membership-repository.ts';
import { versionOfUser } from '../data/provisioning-views.ts';
import type { CallDependencies } from '../dependencies.ts';
import { editedLogin, editedPassword, loginOf } from '../domain/login.ts';
import { personOf } from '../domain/person.ts';
import { isAdmin } from '../domain/role.ts';
import { type NewUser, requireLicence } from './create-user.ts';
import { publishDeviceRemoved, publishSignedOut } from './sign-out.ts';

/** What is absent stays; null or an empty list clears. */
type UserChanges = { readonly [K in keyof NewUser]?: NewUser[K] | undefined } & {
  /** Whom provisioning makes inactive keeps their name, groups and password, and nothing else that lets them in. */
  readonly active?: boolean | undefined;
  /** What provisioning calls them. */
  readonly externalId?: string | null | undefined;
  /** Which state of them the caller has seen: another one is refused. */
  readonly version?: string | undefined;
  /** The devices that stay; the others are removed. */
  readonly platformUuids?: readonly string[] | null | undefined;
};

/**
 * Changes a user. A new password or role ends their sessions, but for the one in which they (`by`) changed it themselves;
 * a new password lifts a lock of wrong ones. Who becomes inactive loses their sessions and devices, and frees their licence; who
 * becomes active takes one. Nobody is `by` for provisioning.
 * Throws `E40403` for a user that the partner does not have, `E40009`, `E40006` or `E40002` for a login or password
 * that cannot be, `E40404` on groupIds, `E40029` on a login that is taken, `E40031` on role or active when too few admins would be left,
 * and when an admin (`by`) would take the admin's role from themselves, `E40008` without a licence, `E40034` on another version,
 * `E40102` for their own password when it was changed meanwhile.
 */
export async function updateUser(
  deps: Pick<CallDependencies, 'clock' | 'inTurn' | 'passwords' | 'settled' | 'store'>,
  partnerId: number,
  userId: number,
  changes: UserChanges,
  by: { readonly accountId: number; readonly sessionId: string } | null,
): Promise<void> {
  const { clock, inTurn, store } = deps;
  const keptSessionId = userId === by?.accountId ? by.sessionId : undefined;
  const found = requireUser(
    await store.read(ofPartner(partnerId), (db) => findAccount(db, partnerId, userId)),
  );
  const newHash = await newPasswordHash(deps, found, changes);

  // The last admin is told under the partner's lock, which comes before the account's; and an import holds it while it
  // takes for true what it has found.
  const signOuts = await inTurn(partnerId, async ({ db, outbox }, licences) => {
    const user = requireUser(await lockAccount(db, partnerId, userId));
    if (changes.version !== undefined && changes.version !== versionOfUser(user))
      throw new AppError('E40034');
    // Their own password, changed elsewhere while this one was hashed: that ended the session of the call.
    if (keptSessionId !== undefined && newHash !== null && user.passwordHash !== found.passwordHash)
      throw new AppError('E40102');
    const active = changes.active ?? user.active;
    if (active && !user.active) await requireLicence(db, partnerId, licences);
    const leaves = user.active && !active;
    const endsSessions = newHash !== null || (changes.role ?? user.role) !== user.role || leaves;
    const generation = user.generation + (endsSessions ? 1 : 0);
    // As with a change of the own password: of who has two factors it takes no wrong codes back.
    const keepsAttempts = userId === by?.accountId && user.twoFactor;
    const edited = {
      name: changes.name ?? user.name,
      ...editedLogin(loginOf(user), changes),
      passwordHash: newHash ?? user.passwordHash,
      ...(newHash !== null && { passwordGeneration: generation, ...(!keepsAttempts && noFailedAttempts) }),
      role: changes.role ?? user.role,
      active,
      externalId: changes.externalId === undefined ? user.externalId : changes.externalId,
      generation,
      revision: user.revision + 1,
      json: changes.json === undefined ? user.json : changes.json || null,
      maxDeviceCountLimitedFlag: changes.maxDeviceCountLimitedFlag ?? user.maxDeviceCountLimitedFlag,
      maxDeviceCount: changes.maxDeviceCount ?? user.maxDeviceCount,
    };
    await saveAccount(db, user, edited, clock.now());
    const losesAdmin = isAdmin(user.role) && !isAdmin(edited.role);
    if (losesAdmin && userId === by?.accountId) throw roleStays('ownRole');
    const lack =
      losesAdmin || (leaves && isAdmin(edited.role)) ? await lackOfAdmins(db, partnerId) : undefined;
    if (lack && losesAdmin) throw roleStays(lack === 'lastAdmin' ? 'lastAdminRole' : lack);
    if (lack) throw adminStaysActive(lack === 'lastAdmin' ? 'lastActiveAdmin' : lack);
    const groupIds =
      changes.groupIds === undefined
        ? await groupIdsOf(db, user)
        : await setGroupsOf(db, user, changes.groupIds ?? []);
    const kept = leaves ? [] : changes.platformUuids;
    const removed = kept === undefined ? [] : await removeDevices(db, partnerId, [userId], kept ?? []);

    const told = removed.map((device) => publishDeviceRemoved(outbox, partnerId, device));
    outbox.append(userEvents.userUpdated, {
      subject: userId,
      partnerId,
      data: {
        ...personOf({ ...user, ...edited }, groupIds),
        endsSessions,
      },
    });
    if (endsSessions) {
      told.push(
        publishSignedOut(outbox, partnerId, {
          userId,
          generation,
          keptSessionId,
          ...(newHash !== null && { passwordChanged: true }),
        }),
      );
    }
    return told;
  });
  await deps.settled(signOuts);
}

/** Before the transaction, since a hash takes longer than all of it. */
async function newPasswordHash(
  { passwords }: Pick<CallDependencies, 'passwords'>,
  user: Account,
  changes: UserChanges,
): Promise<string | null> {
  const login = editedLogin(loginOf(user), changes);
  const password = editedPassword(login, changes.password);
  if (password === null) return null;
  refuseGuessable(password, { name: changes.name ?? user.name, ...login });
  return hashOfAnother(passwords, user.passwordHash, password);
}

function requireUser(account: Account | null): Account {
  if (!account?.isUser) throw new AppError('E40403');
  return account;
}

function adminStaysActive(reason: 'lastActiveAdmin' | 'twoAdmins'): AppError {
  return new AppError('E40031', [{ field: 'active', message: reason }], { messageKey: reason });
}

function roleStays(reason: 'ownRole' | 'lastAdminRole' | 'twoAdmins'): AppError {
  return new AppError('E40031', [{ field: 'role', message: reason }], { messageKey: 'adminRoleStays' });
}
