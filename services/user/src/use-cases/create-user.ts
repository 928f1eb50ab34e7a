import { refuseGuessable } from '@portal/accounts';
import { userEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import { insertAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Account } from '../data/generated/client.ts';
import { setGroupsOf } from '../data/membership-repository.ts';
import { countActiveUsers } from '../data/user-list.ts';
import type { CallDependencies } from '../dependencies.ts';
import { type Licences, requireUserLicence } from '../domain/licence.ts';
import { type Login, type LoginFields, newLogin, newUserPassword } from '../domain/login.ts';
import { personOf } from '../domain/person.ts';

export interface NewUser extends LoginFields {
  readonly name: string;
  /** Empty is absent. */
  readonly password?: string | null | undefined;
  readonly role?: number | undefined;
  readonly json?: string | null | undefined;
  readonly groupIds?: readonly number[] | null | undefined;
  readonly maxDeviceCountLimitedFlag?: boolean | undefined;
  readonly maxDeviceCount?: number | undefined;
}

/**
 * Makes a user, who takes a licence where licences count users. One with an e-mail address has no password yet, and
 * gets a mail to choose it; a `chosenPassword` is instead of that mail.
 * Throws `E40006`, `E40002` or `E40007` for a login or password that cannot be, `E40008` without a licence, `E40404` on groupIds,
 * `E40029` on a login that is taken.
 */
export async function createUser(
  { clock, inTurn, passwords }: Pick<CallDependencies, 'clock' | 'inTurn' | 'passwords'>,
  partnerId: number,
  user: NewUser,
  options: { readonly chosenPassword?: string } = {},
): Promise<{ id: number }> {
  const login = newLogin(user);
  const password = options.chosenPassword ?? newUserPassword(login, user.password);
  if (password !== null) refuseGuessable(password, { name: user.name, ...login });
  const passwordHash = password === null ? null : await passwords.hash(password);

  return inTurn(partnerId, async (tx, licences) => {
    await requireLicence(tx.db, partnerId, licences);
    const account = await addUser(tx, partnerId, { ...user, login, passwordHash }, clock.now());
    return { id: account.id };
  });
}

/** For one more active user of a partner that is held. Throws `refusal` without a licence for them. */
export async function requireLicence(
  db: UserDb,
  partnerId: number,
  licences: Licences,
  refusal?: 'E40008' | 'E40307',
): Promise<void> {
  requireUserLicence(licences, await countActiveUsers(db, partnerId), refusal);
}

/**
 * Stores a user for whom there is a licence, and tells of them. Throws `E40404` on groupIds, `E40029` on a login that is taken.
 */
export async function addUser(
  { db, outbox }: Transaction<UserDb>,
  partnerId: number,
  user: Omit<NewUser, 'email' | 'loginUserId' | 'password'> & {
    readonly login: Login;
    readonly passwordHash: string | null;
    readonly externalId?: string | null;
    /** Whoever has an address and no password gets no mail to choose one. */
    readonly setupMailWithheld?: boolean;
    /** An inactive one takes no licence. */
    readonly active?: boolean;
  },
  now: Date,
): Promise<Account> {
  const { active = true, externalId = null, login, name, passwordHash, setupMailWithheld = false } = user;
  const account = await insertAccount(
    db,
    partnerId,
    {
      name,
      ...login,
      passwordHash,
      role: user.role ?? 0,
      isUser: true,
      json: user.json || null,
      maxDeviceCountLimitedFlag: user.maxDeviceCountLimitedFlag ?? false,
      maxDeviceCount: user.maxDeviceCount ?? 0,
      active,
      externalId,
      setupMailWithheld,
    },
    now,
  );
  const groupIds = await setGroupsOf(db, account, user.groupIds ?? []);
  outbox.append(userEvents.userCreated, {
    subject: account.id,
    partnerId,
    data: personOf(account, groupIds),
  });
  return account;
}
