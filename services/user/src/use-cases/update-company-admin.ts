import { userEvents } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { noWrongPasswords, ofPartner, refuseGuessable } from '@portal/service-kit';
import { findAccount, lockAccount, saveAccount } from '../data/account-repository.ts';
import type { Account } from '../data/generated/client.ts';
import { groupIdsOf } from '../data/membership-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { editedLogin, loginOf } from '../domain/login.ts';
import { personOf } from '../domain/person.ts';
import { isAdmin } from '../domain/role.ts';
import { tellSignedOut } from './sign-out.ts';
import { tellPasswordChanged } from './tell-password-changed.ts';

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
 * `E40029` on one that is taken, `E40002` on password when it is the same as now, or guessable.
 */
export async function updateCompanyAdmin(
  dependencies: Pick<CallDependencies, 'clock' | 'passwords' | 'seals' | 'settled' | 'store'>,
  { id, partnerId }: { readonly partnerId: number; readonly id: number },
  changes: CompanyAdminChanges,
  keptSessionId?: string,
): Promise<void> {
  const { clock, passwords, seals, settled, store } = dependencies;
  const found = requireCompanyAdmin(
    await store.read(ofPartner(partnerId), (db) => findAccount(db, partnerId, id)),
  );
  if (changes.password)
    refuseGuessable(changes.password, {
      name: changes.name ?? found.name,
      email: changes.email ?? found.email,
      loginUserId: found.loginUserId,
    });
  if (changes.password && (await passwords.matches(found.passwordHash, changes.password))) {
    throw fieldError('E40002', 'password', 'samePassword');
  }
  const newHash = changes.password ? await passwords.hash(changes.password) : null;

  const signOuts = await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const admin = requireCompanyAdmin(await lockAccount(db, partnerId, id));
    const { json, maxDeviceCount, maxDeviceCountLimitedFlag, role } = admin;
    const generation = admin.generation + (newHash === null ? 0 : 1);
    const edited = {
      name: changes.name ?? admin.name,
      ...editedLogin(loginOf(admin), { email: changes.email }),
      passwordHash: newHash ?? admin.passwordHash,
      ...(newHash !== null && noWrongPasswords),
      role,
      generation,
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
    tellPasswordChanged({ outbox }, seals, admin);
    return [
      tellSignedOut(outbox, partnerId, { userId: id, generation, keptSessionId, passwordChanged: true }),
    ];
  });
  await settled(signOuts);
}

function requireCompanyAdmin(account: Account | null): Account {
  if (!account || !isAdmin(account.role)) throw new AppError('E40401');
  return account;
}
