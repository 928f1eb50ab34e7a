import type { RouteReply, socialRoutes } from '@portal/contracts';
import { findAccount, findPartner } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import type { Call } from '@portal/service-kit';
import { findLinked } from '../data/linked-identity-repository.ts';
import { isLicensed } from '../domain/licence.ts';
import type { Tokens } from '../providers/identity-provider.ts';
import type { IdentityProviders } from '../providers/identity-providers.ts';
import {
  accountReply,
  actorOf,
  enterAccount,
  requireAdmission,
  type SignInCall,
  type SignInDependencies,
  settleRight,
  unlessEnded,
} from './sign-in-account.ts';

type Route = typeof socialRoutes.validateIdentity;

/**
 * Signs a person of a tenant in to the portal by their account at an identity provider. As with single sign-on, a second factor is
 * the provider's to ask for. Throws `E40102` for tokens that are not as they must be, `E40101` for an account that belongs to nobody.
 */
export async function loginIdentity(
  deps: SignInDependencies & { readonly providers: IdentityProviders },
  tokens: Tokens,
  call: SignInCall & Pick<Call<Route>, 'systemScope'>,
): Promise<RouteReply<Route>> {
  const { clock, keyRing, peers, providers, store } = deps;
  const identity = await providers.identify(tokens);
  call.concerns({ kind: 'unknown', login: identity.email ?? identity.subject });
  const scope = call.systemScope('an account at a provider is of no tenant');
  const linked = await store.read(scope, (db) => findLinked(db, identity));
  if (!linked) throw new AppError('E40101');
  const { accountId, partnerId } = linked;
  call.concerns({ kind: 'account', id: accountId, role: null, partnerId });
  const partner = await orNobody(peers.call(findPartner, { body: { partnerId } }));
  if (partner.activated === false) throw new AppError('E40101');
  const entered = await unlessEnded(deps, partnerId, async (before) => {
    const { generation } = await orNobody(peers.call(findAccount, { body: { partnerId, accountId } }));
    const signsIn = isLicensed(partner, clock.now());
    const account = await settleRight(peers, { partnerId, accountId, generation, signsIn });
    call.concerns(actorOf(partnerId, account));
    requireAdmission(partner, account, {}, clock.now());
    const entering = { account, before, partnerId, platform: undefined, twoFactorSetup: false };
    return { account, session: await enterAccount(deps, entering, call) };
  });
  return accountReply(keyRing, { ...entered, partner });
}

/** The account or its company is gone: the event that says so may be late. */
async function orNobody<T>(asking: Promise<T>): Promise<T> {
  return asking.catch((error: unknown) => {
    const isGone = error instanceof AppError && ['E40402', 'E40403'].includes(error.code);
    throw isGone ? new AppError('E40101') : error;
  });
}
