import { hashOfAnother, noFailedAttempts, type Passwords, refuseGuessable } from '@portal/accounts';
import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner, type Transaction } from '@portal/service-kit';
import { findAccount, lockAccount, saveAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Account } from '../data/generated/client.ts';
import { groupIdsOf } from '../data/membership-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { editedLogin, loginOf } from '../domain/login.ts';
import { personOf } from '../domain/person.ts';
import { isAdmin } from '../domain/role.ts';
import { mailPasswordChanged } from './mail-password-changed.ts';
import { publishSignedOut } from './sign-out.ts';

/** What is absent stays; an empty password is absent. */
interface CompanyAdminChanges {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | null | undefined;
}

/**
 * Changes a company admin. A new password lifts a lock of wrong ones and ends their sessions, but for `keptSessionId`:
 * the one in which they changed it themselves; a mail tells them of it.
 * Throws `E40401` for an admin that the partner does not have, `E40009` for an address where they sign in with an id,
 * `E40029` on one that is taken, `E40002` on password when it is the same as now, or guessable, `E40102` for their own when it was
 * changed meanwhile.
 */
export async function updateCompanyAdmin(
  deps: Pick<CallDependencies, 'clock' | 'inTurn' | 'passwords' | 'seals' | 'settled' | 'store'>,
  { id, partnerId }: { readonly partnerId: number; readonly id: number },
  changes: CompanyAdminChanges,
  keptSessionId?: string,
): Promise<void> {
  const { clock, inTurn, passwords, seals, settled, store } = deps;
  const found = requireCompanyAdmin(
    await store.read(ofPartner(partnerId), (db) => findAccount(db, partnerId, id)),
  );
  const newHash = await newPasswordHash(passwords, found, changes);

  const change = async ({ db, outbox }: Transaction<UserDb>) => {
    const admin = requireCompanyAdmin(await lockAccount(db, partnerId, id));
    // Their own password, changed elsewhere while this one was hashed: that ended the session of the call.
    if (keptSessionId !== undefined && newHash !== null && admin.passwordHash !== found.passwordHash)
      throw new AppError('E40102');
    const { json, maxDeviceCount, maxDeviceCountLimitedFlag, role } = admin;
    const generation = admin.generation + (newHash === null ? 0 : 1);
    // As with a change of the own password: of who has two factors it takes no wrong codes back.
    const keepsAttempts = keptSessionId !== undefined && admin.twoFactor;
    const edited = {
      name: changes.name ?? admin.name,
      ...editedLogin(loginOf(admin), { email: changes.email }),
      passwordHash: newHash ?? admin.passwordHash,
      ...(newHash !== null && { passwordGeneration: generation, ...(!keepsAttempts && noFailedAttempts) }),
      role,
      generation,
      revision: admin.revision + 1,
      json,
      maxDeviceCountLimitedFlag,
      maxDeviceCount,
    };
    await saveAccount(db, admin, edited, clock.now());
    outbox.append(userEvents.userUpdated, {
      subject: id,
      partnerId,
      data: {
        ...personOf({ ...admin, ...edited }, await groupIdsOf(db, admin)),
        endsSessions: newHash !== null,
      },
    });
    if (newHash === null) return [];
    mailPasswordChanged({ outbox }, seals, admin);
    return [
      publishSignedOut(outbox, partnerId, { userId: id, generation, keptSessionId, passwordChanged: true }),
    ];
  };
  // An import takes for true what it has found of users.
  await settled(await (found.isUser ? inTurn(partnerId, change) : store.write(ofPartner(partnerId), change)));
}

function requireCompanyAdmin(account: Account | null): Account {
  if (!account || !isAdmin(account.role)) throw new AppError('E40401');
  return account;
}

/** Before the transaction, since a hash takes longer than all of it. */
async function newPasswordHash(
  passwords: Passwords,
  admin: Account,
  { email, name = admin.name, password }: CompanyAdminChanges,
): Promise<string | null> {
  if (!password) return null;
  refuseGuessable(password, { name, email: email ?? admin.email, loginUserId: admin.loginUserId });
  return hashOfAnother(passwords, admin.passwordHash, password);
}
