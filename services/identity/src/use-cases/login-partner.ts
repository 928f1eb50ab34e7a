import {
  hasAnyRole,
  identityRoutes,
  type RouteInput,
  type RouteReply,
  userRoleBits,
} from '@portal/contracts';
import { findAccount, findPartner, verifyLogin } from '@portal/contracts/internal';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import { type Call, ofPartner, type Peers, type Seals, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import type { Session } from '../data/generated/client.ts';
import { lastEnding, lockEnding } from '../data/session-repository.ts';
import { deviceOf } from '../domain/device.ts';
import { isLicensed, licenceEnd, requireLicence } from '../domain/licence.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { noticeDevice } from './notice-device.ts';
import { startSession } from './start-session.ts';

type Route = typeof identityRoutes.partnerLogin;
type Login = RouteInput<Route>['body'];
type Partner = RouteReply<typeof findPartner>;
type Account = RouteReply<typeof verifyLogin>;

/**
 * The last ending of sessions that this instance knows of; undefined until one is read. A sign-in that begins now sees what
 * led to it; where the account had a later one, it may not.
 */
export interface KnownEnding {
  last: number | undefined;
}

/** The account lost its password, a role or a device, or is gone: since this sign-in began, or only since the last known ending. */
class EndedSince extends Error {}

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly keyRing: KeyRing;
  readonly knownEnding: KnownEnding;
  readonly seals: Seals;
}

/**
 * Signs a person of a tenant in: with `platform` to the player, without to the portal.
 * What is told of an account, its licence included, is told only to who knows its password.
 */
export async function loginPartner(
  deps: Dependencies,
  login: Login,
  call: Pick<Call, 'address' | 'agent' | 'clientAgent' | 'concerns' | 'signedIn'>,
): Promise<RouteReply<Route>> {
  const { keyRing, knownEnding, peers } = deps;
  requireOneIdentifier(login);
  if (login.platform && call.clientAgent === undefined) throw new AppError('E40005');

  const partner = await peers.call(findPartner, { body: { partnerCode: login.partnerCode } });
  call.concerns({ kind: 'tenant', partnerId: partner.partnerId });
  const attempt = async () =>
    enter(deps, partner, login, call).catch((error: unknown) => {
      if (!(error instanceof EndedSince)) throw error;
      knownEnding.last = undefined;
      return null;
    });
  const entered = (await attempt()) ?? (await attempt());
  if (!entered) throw new AppError('E40101');
  const { account, session } = entered;
  return { ...(await issueAccessToken(keyRing, session)), ...profileOf(partner, account) };
}

/** Throws `EndedSince` when sessions of the account were ended later than what is known of. */
async function enter(
  { clock, knownEnding, peers, seals, store }: Dependencies,
  partner: Partner,
  login: Login,
  call: Pick<Call, 'address' | 'agent' | 'concerns' | 'signedIn'>,
): Promise<{ account: Account; session: Session }> {
  const { concerns, signedIn } = call;
  const { partnerId } = partner;
  const { email, loginUserId, password, platform } = login;
  const licensed = isLicensed(partner, clock.now());
  const before = (knownEnding.last ??= await store.read(ofPartner(partnerId), lastEnding));
  const account = await peers
    .call(verifyLogin, {
      body: {
        partnerId,
        ...(email === undefined ? { loginUserId } : { email }),
        password,
        clientAddress: call.address,
        licensed,
        // Where the licence is over no device is registered.
        ...(licensed && { platform }),
      },
    })
    .catch(async (error: unknown) => {
      const isRefusal = error instanceof AppError && error.status < 500;
      const meant = isRefusal ? await findMeant(peers, partnerId, login) : null;
      if (meant) concerns(actorOf(partnerId, meant));
      throw error;
    });
  const actor = actorOf(partnerId, account);
  concerns(actor);
  requireAdmission(partner, account, login, clock.now());

  const owner = {
    accountKind: 'account',
    client: platform ? 'player' : 'portal',
    accountId: account.id,
    partnerId,
    role: account.role,
    platformUuid: platform?.uuid ?? null,
    registration: account.registration ?? 0,
    generation: account.generation ?? 0,
    name: account.name,
    email: account.email,
    loginUserId: account.loginUserId,
  } as const;
  signedIn(actor);
  return store.write(ofPartner(partnerId), async (tx) => {
    const { ending, lastOfAll } = await lockEnding(tx.db, owner);
    if (ending > before) throw new EndedSince();
    knownEnding.last = lastOfAll;
    const now = clock.now();
    const session = await startSession(tx, owner, now);
    if (owner.client === 'portal' && hasAnyRole(owner.role, userRoleBits.admin)) {
      await noticeDevice(tx, seals, { ...owner, language: null }, deviceOf(call), now);
    }
    return { account, session };
  });
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

function actorOf(partnerId: number, { id, role }: { id: number; role: number }) {
  return { kind: 'account', id, role, partnerId } as const;
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
