import {
  hasAnyRole,
  identityRoutes,
  type RouteInput,
  type RouteReply,
  type RouteRequest,
  userRoleBits,
} from '@portal/contracts';
import { type findPartner, settleLogin, type verifyLogin } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import {
  type Call,
  type DirectStore,
  ofPartner,
  type Peers,
  type Seals,
  type Store,
} from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import type { Session } from '../data/generated/client.ts';
import { lastEnding, lockEnding, partnerHold } from '../data/session-repository.ts';
import { deviceOf } from '../domain/device.ts';
import { licenceEnd, requireLicence } from '../domain/licence.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { noticeDevice } from './notice-device.ts';
import { startSession } from './start-session.ts';

export type Partner = RouteReply<typeof findPartner>;
export type Account = RouteReply<typeof verifyLogin>;
type Login = Pick<RouteInput<typeof identityRoutes.partnerLogin>['body'], 'platform'>;

/**
 * The last ending of sessions that this instance knows of; undefined until one is read. A sign-in that begins now sees what
 * led to it; where the account had a later one, it may not.
 */
export interface KnownEnding {
  last: number | undefined;
}

/** The account lost its password, a role or a device, or is gone: since this sign-in began, or only since the last known ending. */
export class EndedSince extends Error {}

export interface SignInDependencies {
  readonly store: Store<IdentityDb>;
  readonly direct: DirectStore;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly keyRing: KeyRing;
  readonly knownEnding: KnownEnding;
  readonly seals: Seals;
}

/** Where a sign-in comes from, and who is told of it. */
export type SignInCall = Pick<Call, 'address' | 'agent' | 'concerns' | 'signedIn'>;

/**
 * Lets `attempt` sign somebody in, who gets the last ending that was known before. Where sessions of the account were ended later,
 * it is made again; throws `E40101` when they are ended once more.
 */
export async function unlessEnded<T>(
  { direct, knownEnding }: Pick<SignInDependencies, 'direct' | 'knownEnding'>,
  partnerId: number,
  attempt: (before: number) => Promise<T>,
): Promise<T> {
  const once = async () => {
    const before = (knownEnding.last ??= await lastEnding(direct.statements(ofPartner(partnerId))));
    return attempt(before).catch((error: unknown) => {
      if (!(error instanceof EndedSince)) throw error;
      knownEnding.last = undefined;
      return null;
    });
  };
  const entered = (await once()) ?? (await once());
  if (!entered) throw new AppError('E40101');
  return entered;
}

/** Has a sign-in counted that was found right. Throws `EndedSince` where the account has another password or role since it was looked at. */
export async function settleRight(
  peers: Peers,
  found: Omit<RouteRequest<typeof settleLogin>['body'], 'right'>,
): Promise<RouteReply<typeof settleLogin>> {
  return peers.call(settleLogin, { body: { ...found, right: true } }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'E40004' ? new EndedSince() : error;
  });
}

/**
 * Stores the sign-in of a person of a tenant. Throws `EndedSince` when sessions of theirs were ended later than `before`, `E40402`
 * when the tenant was deleted meanwhile.
 */
export async function enterAccount(
  { clock, direct, knownEnding, seals }: SignInDependencies,
  {
    account,
    before,
    partnerId,
    platform,
    ssoLogout = false,
    twoFactorSetup,
  }: Login & {
    readonly account: Account;
    readonly before: number;
    readonly partnerId: number;
    readonly twoFactorSetup: boolean;
    readonly ssoLogout?: boolean;
  },
  call: SignInCall,
): Promise<Session> {
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
    twoFactorSetup,
    ssoLogout,
  } as const;
  call.signedIn(actorOf(partnerId, account));
  return direct.write(ofPartner(partnerId), partnerHold(partnerId), async (tx) => {
    const { ending, isDeleted, lastOfAll } = await lockEnding(tx.db, owner);
    if (isDeleted) throw new AppError('E40402');
    if (ending > before) throw new EndedSince();
    knownEnding.last = lastOfAll;
    const now = clock.now();
    const session = await startSession(tx, owner, call, now);
    if (owner.client === 'portal' && hasAnyRole(owner.role, userRoleBits.admin)) {
      await noticeDevice(tx, seals, { ...owner, language: null }, deviceOf(call), now);
    }
    return session;
  });
}

export function actorOf(partnerId: number, { id, role }: { id: number; role: number }) {
  return { kind: 'account', id, role, partnerId } as const;
}

/** Throws `E40302` when the licence is over, `E40301` for a plain user in the portal or who is no user in the player. */
export function requireAdmission(partner: Partner, account: Account, { platform }: Login, now: Date): void {
  requireLicence(partner, now);
  const mayEnter = platform ? account.isUser : hasAnyRole(account.role, identityRoutes.portalRoles);
  if (!mayEnter) throw new AppError('E40301');
}

/** What a sign-in of a person of a tenant answers. */
export async function accountReply(
  keyRing: KeyRing,
  {
    account,
    partner,
    session,
  }: { readonly account: Account; readonly partner: Partner; readonly session: Session },
): Promise<RouteReply<typeof identityRoutes.partnerLogin>> {
  const end = licenceEnd(partner);
  return {
    ...(await issueAccessToken(keyRing, session)),
    twoFactorSetup: session.twoFactorSetup,
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
