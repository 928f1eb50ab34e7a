import { refuseGuessable } from '@portal/accounts';
import { userEvents, userRoleBits } from '@portal/contracts';
import { ofPartner, type Transaction } from '@portal/service-kit';
import { insertAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { CallDependencies } from '../dependencies.ts';
import { personOf } from '../domain/person.ts';
import { requireLicence } from './create-user.ts';

/**
 * Makes a company admin. With `createUserFlag` they are a user as well, who takes a licence where licences count users.
 * Without a password they get a mail to choose one.
 * Throws `E40002` on a password that is guessable, `E40008` for a user without a licence, `E40029` on an e-mail that is taken.
 */
export async function createCompanyAdmin(
  { clock, inTurn, passwords, store }: Pick<CallDependencies, 'clock' | 'inTurn' | 'passwords' | 'store'>,
  partnerId: number,
  admin: {
    readonly name: string;
    readonly email: string;
    /** Empty is absent. */
    readonly password?: string | null | undefined;
    readonly createUserFlag?: boolean | undefined;
  },
): Promise<{ id: number }> {
  if (admin.password) refuseGuessable(admin.password, admin);
  const passwordHash = admin.password ? await passwords.hash(admin.password) : null;
  const isUser = admin.createUserFlag ?? false;
  const add = async ({ db, outbox }: Transaction<UserDb>) => {
    const account = await insertAccount(
      db,
      partnerId,
      {
        name: admin.name,
        email: admin.email,
        loginUserId: null,
        passwordHash,
        role: userRoleBits.admin,
        isUser,
        json: null,
        maxDeviceCountLimitedFlag: false,
        maxDeviceCount: 0,
      },
      clock.now(),
    );
    outbox.append(userEvents.userCreated, { subject: account.id, partnerId, data: personOf(account, []) });
    return { id: account.id };
  };
  if (!isUser) return store.write(ofPartner(partnerId), add);
  return inTurn(partnerId, async (tx, licences) => {
    await requireLicence(tx.db, partnerId, licences);
    return add(tx);
  });
}
