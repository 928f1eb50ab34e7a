import { userEvents, userRoleBits } from '@portal/contracts';
import { signedUpAdmin, signedUpAdminSeal } from '@portal/contracts/internal';
import type { Transaction } from '@portal/service-kit';
import { findByLogin, insertAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import { findPartner } from '../data/partner-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { personOf } from '../domain/person.ts';

/**
 * Makes the company admin of a partner that signed up, who is no user and takes no licence. Nothing for a partner that is gone, or
 * where somebody has that address already.
 */
export async function createSignedUpAdmin(
  { clock, seals }: Pick<CallDependencies, 'clock' | 'seals'>,
  { db, outbox }: Transaction<UserDb>,
  { partnerId, sealed }: { readonly partnerId: number; readonly sealed: string },
): Promise<void> {
  if (!(await findPartner(db, partnerId))) return;
  const { email, identity, name, passwordHash } = signedUpAdmin.parse(
    JSON.parse(seals.open(sealed, signedUpAdminSeal(partnerId))),
  );
  if (await findByLogin(db, partnerId, { email })) return;
  const account = await insertAccount(
    db,
    partnerId,
    {
      name,
      email,
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
  outbox.append(userEvents.userCreated, {
    subject: account.id,
    partnerId,
    data: { ...personOf(account, []), signUp: { identity } },
  });
}
