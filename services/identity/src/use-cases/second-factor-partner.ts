import type { RouteInput, RouteReply, twoFactorRoutes } from '@portal/contracts';
import { findPartner, settleLogin } from '@portal/contracts/internal';
import type { Call, KeyCipher } from '@portal/service-kit';
import { requireLicence } from '../domain/licence.ts';
import { answerChallenge } from './challenge.ts';
import {
  accountReply,
  actorOf,
  enterAccount,
  requireAdmission,
  type SignInDependencies,
  unlessEnded,
} from './sign-in-account.ts';

type Route = typeof twoFactorRoutes.partnerSecondFactor;

/**
 * Signs a person of a tenant in to the portal whose password was right. Throws `E40101` for a wrong code, which counts as a wrong
 * sign-in, and for any of a locked account; `E40004` for a challenge that is not good, also after another password or role.
 */
export async function secondFactorPartner(
  deps: SignInDependencies & { readonly cipher: KeyCipher },
  body: RouteInput<Route>['body'],
  call: Pick<Call<Route>, 'address' | 'agent' | 'concerns' | 'signedIn' | 'systemScope'>,
): Promise<RouteReply<Route>> {
  const { clock, keyRing, peers } = deps;
  const { challenge, right } = await answerChallenge(deps, call, 'account', body);
  const { accountId, generation, partnerId } = challenge;
  if (partnerId === null) throw new Error('A challenge of an account without a tenant');
  call.concerns({ kind: 'account', id: accountId, role: null, partnerId });
  const settlement = { partnerId, accountId, generation, right, signsIn: true };
  // Counted before anything else is asked.
  if (!right) await peers.call(settleLogin, { body: settlement });
  const partner = await peers.call(findPartner, { body: { partnerId } });
  requireLicence(partner, clock.now());
  const entered = await unlessEnded(deps, partnerId, async (before) => {
    const account = await peers.call(settleLogin, { body: settlement });
    call.concerns(actorOf(partnerId, account));
    requireAdmission(partner, account, {}, clock.now());
    const entering = { account, before, partnerId, platform: undefined, twoFactorSetup: false };
    return { account, session: await enterAccount(deps, entering, call) };
  });
  return accountReply(keyRing, { ...entered, partner });
}
