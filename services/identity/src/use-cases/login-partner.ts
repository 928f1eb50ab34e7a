import { type identityRoutes, plans, type RouteInput, type RouteReply } from '@portal/contracts';
import { findAccount, findPartner, verifyLogin } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { type Call, ofPartner, type Peers } from '@portal/service-kit';
import type { Session } from '../data/generated/client.ts';
import { isTwoFactorRequired } from '../data/security-settings-repository.ts';
import { isSsoOnly } from '../data/sso-setting-repository.ts';
import { hasTwoFactor } from '../data/two-factor-repository.ts';
import { isLicensed } from '../domain/licence.ts';
import { ownerOf } from '../domain/owner.ts';
import { codeWanted, startChallenge } from './challenge.ts';
import {
  type Account,
  accountReply,
  actorOf,
  enterAccount,
  type Partner,
  requireAdmission,
  type SignInCall,
  type SignInDependencies,
  settleRight,
  unlessEnded,
} from './sign-in-account.ts';

type Route = typeof identityRoutes.partnerLogin;
type Login = RouteInput<Route>['body'];

/**
 * Signs a person of a tenant in: with `platform` to the player, without to the portal.
 * Only a caller who knows the password learns anything of an account, including its licence. Who has two factors gets `E40103` with
 * a challenge in the portal, and signs in by that; a player never asks.
 */
export async function loginPartner(
  deps: SignInDependencies,
  login: Login,
  call: SignInCall & Pick<Call, 'clientAgent'>,
): Promise<RouteReply<Route>> {
  const { keyRing, peers } = deps;
  requireOneIdentifier(login);
  if (login.platform && call.clientAgent === undefined) throw new AppError('E40005');

  const typed = login.email ?? login.loginUserId ?? '';
  call.concerns({ kind: 'unknown', login: typed });
  const partner = await peers.call(findPartner, { body: { partnerCode: login.partnerCode } });
  const { partnerId } = partner;
  call.concerns({ kind: 'tenant', partnerId, login: typed });
  const entered = await unlessEnded(deps, partnerId, async (before) =>
    enter(deps, { before, login, partner }, call),
  );
  return accountReply(keyRing, { ...entered, partner });
}

async function enter(
  deps: SignInDependencies,
  { before, login, partner }: { readonly before: number; readonly login: Login; readonly partner: Partner },
  call: SignInCall,
): Promise<{ account: Account; session: Session }> {
  const { clock, peers } = deps;
  const { partnerId } = partner;
  const { email, loginUserId, password, platform } = login;
  // Nobody of a company that signed up and was not activated yet gets in, whatever they know.
  const isActivated = partner.activated !== false;
  const licensed = isActivated && isLicensed(partner, clock.now());
  const adminsOnly = await takesPasswordsOfAdminsOnly(deps, partner);
  const account = await peers
    .call(verifyLogin, {
      body: {
        partnerId,
        ...(email === undefined ? { loginUserId } : { email }),
        password,
        clientAddress: call.address,
        licensed,
        adminsOnly,
        // In the portal it may be but half of the sign-in.
        settles: platform !== undefined,
        // With an expired licence no device is registered.
        ...(licensed && { platform }),
      },
    })
    .catch(async (error: unknown) => {
      const isRefusal = error instanceof AppError && error.status < 500;
      const meant = isRefusal ? await findMeant(peers, partnerId, login) : null;
      if (meant) call.concerns(actorOf(partnerId, meant));
      throw error;
    });
  call.concerns(actorOf(partnerId, account));
  if (!isActivated) throw new AppError('E40101');
  const required = platform ? false : await settle(deps, { account, licensed, partner });
  requireAdmission(partner, account, login, clock.now());
  const entering = { account, before, partnerId, platform, twoFactorSetup: required };
  return { account, session: await enterAccount(deps, entering, call) };
}

/** Where the contract has no single sign-on any more, passwords are taken again. */
async function takesPasswordsOfAdminsOnly(
  { direct }: Pick<SignInDependencies, 'direct'>,
  { contractRank, partnerId }: Partner,
): Promise<boolean> {
  if (!plans[contractRank].apis.includes('sso')) return false;
  return isSsoOnly(direct.statements(ofPartner(partnerId)), partnerId);
}

/**
 * Ends the row of wrong passwords of somebody who needs no second factor, and tells whether they have to set one up. Throws `E40103`
 * with a challenge for who has one.
 */
async function settle(
  { clock, peers, store }: SignInDependencies,
  { account, licensed, partner }: { account: Account; licensed: boolean; partner: Partner },
): Promise<boolean> {
  const { partnerId } = partner;
  const { generation, id: accountId } = account;
  const owner = ownerOf({ kind: 'tenant', accountId, partnerId });
  const { half, required } = await store.read(ofPartner(partnerId), async (db) => ({
    half: await hasTwoFactor(db, owner),
    required: await isTwoFactorRequired(db, partnerId),
  }));
  if (half) {
    const now = clock.now();
    requireAdmission(partner, account, {}, now);
    const challenge = await store.write(ofPartner(partnerId), (tx) =>
      startChallenge(tx, owner, generation ?? 0, now),
    );
    throw codeWanted(challenge);
  }
  await settleRight(peers, { partnerId, accountId, generation, signsIn: licensed });
  return required;
}

/** Whose account a refused sign-in was for; null where there is none, or where it cannot be told: the refusal stands. */
async function findMeant(
  peers: Peers,
  partnerId: number,
  { email, loginUserId = '' }: Login,
): Promise<{ id: number; role: number } | null> {
  const login = email === undefined ? { loginUserId } : { email };
  return peers.call(findAccount, { body: { partnerId, ...login } }).catch(() => null);
}

function requireOneIdentifier({ email, loginUserId }: Login): void {
  if (email === undefined && loginUserId === undefined) {
    throw new AppError('E40006', [
      { field: 'email', message: 'required' },
      { field: 'loginUserId', message: 'required' },
    ]);
  }
  if (email !== undefined && loginUserId !== undefined) {
    throw fieldError('E40002', 'loginUserId', 'emailOrLoginUserId');
  }
}
