import { hasAnyRole, identityRoutes, type RouteInput, type RouteReply } from '@portal/contracts';
import { admitDevice, findPartner, verifyLogin } from '@portal/contracts/internal';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import { ofPartner, type Peers, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { lastEnding, lockEnding } from '../data/session-repository.ts';
import { licenceEnd, requireLicence } from '../domain/licence.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { startSession } from './start-session.ts';

type Route = typeof identityRoutes.partnerLogin;
type Login = RouteInput<Route>['body'];
type Partner = RouteReply<typeof findPartner>;
type Account = RouteReply<typeof verifyLogin>;

/**
 * Signs a person of a tenant in: with `platform` to the player, without to the portal.
 * What is told of an account, its licence included, is told only to who knows its password.
 */
export async function loginPartner(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; keyRing: KeyRing },
  login: Login,
  client: { readonly agent: string | undefined },
): Promise<RouteReply<Route>> {
  const { clock, keyRing, peers, store } = deps;
  requireOneIdentifier(login);
  if (login.platform && client.agent === undefined) throw new AppError('E40005');

  const partner = await peers.call(findPartner, { body: { partnerCode: login.partnerCode } });
  const { partnerId } = partner;
  const { email, loginUserId, password } = login;
  const identifier = email === undefined ? { loginUserId } : { email };

  const before = await store.read(ofPartner(partnerId), lastEnding);
  const account = await peers.call(verifyLogin, { body: { partnerId, ...identifier, password } });
  requireAdmission(partner, account, login, clock.now());
  if (login.platform) {
    await peers.call(admitDevice, {
      body: { partnerId, accountId: account.id, platform: login.platform },
    });
  }

  const session = await store.write(ofPartner(partnerId), async (tx) => {
    // The account was deleted, or lost its password or a role, since it was found right.
    if ((await lockEnding(tx.db, { accountId: account.id, partnerId })) > before)
      throw new AppError('E40101');
    const owner = {
      accountKind: 'account',
      client: login.platform ? 'player' : 'portal',
      accountId: account.id,
      partnerId,
      role: account.role,
      platformUuid: login.platform?.uuid ?? null,
      name: account.name,
      email: account.email,
      loginUserId: account.loginUserId,
    } as const;
    return startSession(tx, owner, clock.now());
  });
  return { ...(await issueAccessToken(keyRing, session)), ...profileOf(partner, account) };
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

/** Throws `E40302` when the licence is over, `E40301` for a plain user in the portal or who is no user in the player. */
function requireAdmission(partner: Partner, account: Account, { platform }: Login, now: Date): void {
  requireLicence(partner, now);
  const mayEnter = platform ? account.isUser : hasAnyRole(account.role, identityRoutes.portalRoles);
  if (!mayEnter) throw new AppError('E40301');
}

function profileOf(partner: Partner, account: Account): Pick<RouteReply<Route>, 'partner' | 'user'> {
  const end = licenceEnd(partner);
  return {
    partner: {
      id: partner.partnerId,
      name: partner.name,
      partnerCode: partner.partnerCode,
      licenseExpiredOnUnixtime: end && end.getTime() / 1000,
      contractRank: partner.contractRank,
      licenseType: partner.licenseType,
      json: partner.json,
    },
    user: {
      id: account.id,
      name: account.name,
      email: account.email,
      loginUserId: account.loginUserId,
      role: account.role,
      groups: account.groups,
    },
  };
}
