import { userEvents, userRoleBits } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import { insertAccount } from '../data/account-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { personOf } from '../domain/person.ts';

/** Makes a company admin who is not a user: no licence, no player. Throws `E40029` on an e-mail that is taken. */
export async function createCompanyAdmin(
  { clock, passwords, store }: Pick<Dependencies, 'clock' | 'passwords' | 'store'>,
  partnerId: number,
  admin: { name: string; email: string; password: string },
): Promise<{ id: number }> {
  const passwordHash = await passwords.hash(admin.password);
  return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const account = await insertAccount(
      db,
      partnerId,
      {
        name: admin.name,
        email: admin.email,
        loginUserId: null,
        passwordHash,
        role: userRoleBits.admin,
        isUser: false,
        json: null,
        maxDeviceCountLimitedFlag: false,
        maxDeviceCount: 0,
      },
      clock.now(),
    );
    outbox.append(userEvents.userCreated, { subject: account.id, partnerId, data: personOf(account, []) });
    return { id: account.id };
  });
}
