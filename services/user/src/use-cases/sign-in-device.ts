import type { Transaction } from '@portal/service-kit';
import type { SignedInAccount } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import { changeDevice, findDevice, type Platform } from '../data/device-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { registerDevice } from './register-device.ts';
import { isSameDescription, tellDevice } from './tell-device.ts';

type Owner = Pick<SignedInAccount, 'id' | 'isUser'> & { readonly partnerId: number };

/** Notes that a user has signed in on a device of theirs, and tells of one that describes itself otherwise than before. Answers which registration of it that is; null where it is not theirs. */
export async function signInDevice(
  { db, outbox }: Transaction<UserDb>,
  { id: accountId, isUser, partnerId }: Owner,
  platform: Platform | undefined,
  now: Date,
): Promise<number | null> {
  if (!platform || !isUser) return null;
  const { uuid, ...seen } = platform;
  const before = await findDevice(db, partnerId, uuid);
  const known = await changeDevice(db, { partnerId, accountId, uuid }, { ...seen, lastLoginAt: now });
  if (known !== null && before && !isSameDescription(before, seen))
    tellDevice(outbox, { ...before, ...seen });
  return known;
}

/** Who has signed in, with the registration of their device, which is made where they had none. Throws as `registerDevice`. */
export async function withDevice(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  { partnerId, ...account }: SignedInAccount & { readonly partnerId: number },
  platform: Platform | undefined,
  registration: number | null,
): Promise<SignedInAccount & { registration?: number }> {
  if (!platform || !account.isUser) return account;
  const owner = { partnerId, accountId: account.id };
  return { ...account, registration: registration ?? (await registerDevice(deps, owner, platform)) };
}
