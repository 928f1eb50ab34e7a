import type { SignedIn, SignedInAccount } from '../data/account-repository.ts';
import type { Platform } from '../data/device-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { registerDevice } from './register-device.ts';

/** Who has signed in, with the registration of their device, which is made or changed where that is not done yet. Throws as `registerDevice`. */
export async function withDevice(
  deps: Pick<Dependencies, 'clock' | 'inTurn' | 'peers' | 'store'>,
  partnerId: number,
  { account, registration }: SignedIn,
  platform: Platform | undefined,
): Promise<SignedInAccount & { registration?: number }> {
  if (!platform || !account.isUser) return account;
  const owner = { partnerId, accountId: account.id };
  return { ...account, registration: registration ?? (await registerDevice(deps, owner, platform)) };
}
