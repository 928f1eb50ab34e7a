import type { RouteReply, socialRoutes } from '@portal/contracts';
import { findAccount, findPartner, settleLogin } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Call, ofPartner } from '@portal/service-kit';
import { findLinked } from '../data/linked-identity-repository.ts';
import { isTwoFactorRequired } from '../data/security-settings-repository.ts';
import { hasTwoFactor } from '../data/two-factor-repository.ts';
import { isLicensed } from '../domain/licence.ts';
import { ownerOf } from '../domain/owner.ts';
import type { Tokens } from '../providers/identity-provider.ts';
import type { IdentityProviders } from '../providers/identity-providers.ts';
import { codeWanted, startChallenge } from './challenge.ts';
import {
  accountReply,
  actorOf,
  enterAccount,
  requireAdmission,
  type SignInCall,
  type SignInDependencies,
  unlessEnded,
} from './sign-in-account.ts';

type Route = typeof socialRoutes.validateIdentity;

/**
 * Signs a person of a tenant in to the portal by their account at an identity provider, which takes the place of the password: who
 * has two factors gets `E40103`. Throws `E40102` for tokens that are not as they must be, `E40101` for an account that belongs to nobody.
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
    const owner = ownerOf({ kind: 'tenant', accountId, partnerId });
    const { half, required } = await store.read(ofPartner(partnerId), async (db) => ({
      half: await hasTwoFactor(db, owner),
      required: await isTwoFactorRequired(db, partnerId),
    }));
    if (half) {
      const challenge = await store.write(ofPartner(partnerId), (tx) =>
        startChallenge(tx, owner, generation ?? 0, clock.now()),
      );
      throw codeWanted(challenge);
    }
    const signsIn = isLicensed(partner, clock.now());
    const account = await peers.call(settleLogin, {
      body: { partnerId, accountId, right: true, generation, signsIn },
    });
    call.concerns(actorOf(partnerId, account));
    requireAdmission(partner, account, {}, clock.now());
    const entering = { account, before, partnerId, platform: undefined, twoFactorSetup: required };
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
