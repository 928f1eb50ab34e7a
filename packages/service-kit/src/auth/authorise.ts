import {
  type Access,
  type AccessList,
  type CallerAccess,
  hasAnyRole,
  isLicenceOver,
  maxId,
  plans,
  type RouteContract,
  type ServiceName,
  takesBearerKey,
} from '@portal/contracts';
import { AppError, type Clock, isUnavailable } from '@portal/kernel';
import type { FastifyRequest } from 'fastify';
import type { AdminCaller, AnyCaller, Caller } from './caller.ts';
import type { TenantContract } from './contracts.ts';

/** Checks the access before anything of the request is read. */
export interface Authority {
  verifyUser(request: FastifyRequest): Caller | Promise<Caller>;
  verifyService(token: string): Promise<string>;
  /** Whether this is a key of the installation that such routes take. */
  isApiKey(given: string, access: AccessList): boolean;
  /** The tenant whose key this is, for routes that take keys of tenants. */
  tenantOfKey(given: string): Promise<number | undefined>;
  /** The contract of a tenant at this moment. */
  contractOf(partnerId: number): Promise<TenantContract>;
  readonly clock: Clock;
  /** The unit that a tenant is of. Throws `E40402` for no tenant. */
  unitOf(partnerId: number): Promise<number>;
}

/** What a request shows of its caller. */
export interface Credentials {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
}

export function credentialsIn(headers: Readonly<Record<string, string | string[] | undefined>>): Credentials {
  const { authorization, 'x-api-key': apiKey } = headers;
  return {
    authorization: typeof authorization === 'string' ? authorization : undefined,
    apiKey: typeof apiKey === 'string' ? apiKey : undefined,
  };
}

/** Whether a request shows a tenant's key where the route takes one; a token goes before it. */
export const showsTenantKey = (access: AccessList, { apiKey, authorization }: Credentials): boolean =>
  apiKey !== undefined && authorization === undefined && access.some(({ kind }) => kind === 'tenantKey');

const scheme = 'bearer ';

/** What may be a token, by the form of its header alone: its characters are looked at when it is not known. */
export function bearerOf(header: string | undefined): string {
  if (!header) throw new AppError('E40101');
  if (header.slice(0, scheme.length).toLowerCase() !== scheme) throw new AppError('E40102');
  return header.slice(scheme.length);
}

/** Who calls: whose token or key it is, whether or not they may; undefined where `access` asks for no caller. */
export async function identify(
  access: AccessList,
  request: FastifyRequest,
  authority: Authority,
): Promise<AnyCaller | undefined> {
  const credentials = credentialsIn(request.headers);
  const [first] = access;
  switch (first?.kind) {
    case 'public':
      return undefined;
    case 'apiKey':
      if (!authority.isApiKey(credentials.apiKey ?? '', access)) throw new AppError('E40033');
      return undefined;
    case 'internal': {
      const service = await authority.verifyService(bearerOf(credentials.authorization));
      if (!first.callers.includes(service as ServiceName)) throw new AppError('E40301');
      return undefined;
    }
    default: {
      if (takesBearerKey({ access })) {
        const partnerId = await authority.tenantOfKey(bearerOf(credentials.authorization));
        if (partnerId === undefined) throw new AppError('E40102');
        return { kind: 'tenantKey', partnerId };
      }
      if (!showsTenantKey(access, credentials)) {
        return authority.verifyUser(request);
      }
      const partnerId = await authority.tenantOfKey(credentials.apiKey ?? '');
      if (partnerId === undefined) throw new AppError('E40033');
      return { kind: 'tenantKey', partnerId };
    }
  }
}

/**
 * Refuses a caller whom none of `access` lets pass, whose tenant has no licence any more, or who has to set up two factors first;
 * `partnerId` is the one in the path, where there is one. Of several refusals, that of the first which fits the caller's kind is told.
 */
export async function admit(
  {
    access,
    settingUp,
    unlicensed,
  }: Pick<RouteContract, 'access'> & Partial<Pick<RouteContract, 'settingUp' | 'unlicensed'>>,
  caller: AnyCaller,
  partnerId: string | undefined,
  authority: Authority,
): Promise<void> {
  const ofAudience = access.filter(isForCaller).filter((one) => isOfAudience(one, caller));
  if (ofAudience.length === 0) throw new AppError('E40102');
  const fitting = ofAudience.filter((one) => isOfClient(one, caller));
  if (fitting.length === 0) throw new AppError('E40301');
  if (caller.kind !== 'admin') {
    requireOwnPartner(caller.partnerId, partnerId);
    await (unlicensed ? requireTenant : requireLicence)(caller.partnerId, authority);
  }
  if (caller.kind !== 'tenantKey' && caller.settingUp && !settingUp) throw new AppError('E40301');
  let refusal: 'E40301' | 'E40304' | undefined;
  for (const one of fitting) {
    const why = await refusalOf(one, caller, authority);
    if (why === undefined) {
      if (caller.kind === 'admin') {
        const isForAdminsAlone = access.every(({ kind }) => kind === 'admin');
        await requireOversight(caller, partnerId, authority, isForAdminsAlone ? 'E40305' : 'E40402');
      }
      return;
    }
    refusal ??= why;
  }
  throw new AppError(refusal ?? 'E40301');
}

const isForCaller = (access: Access): access is CallerAccess =>
  access.kind !== 'public' && access.kind !== 'apiKey' && access.kind !== 'internal';

/** Whether these are the callers that such a token or key is for. */
function isOfAudience({ kind }: CallerAccess, caller: AnyCaller): boolean {
  if (kind === 'tenantKey' || caller.kind === 'tenantKey') return kind === caller.kind;
  return kind === 'anyToken' || (kind === 'admin') === (caller.kind === 'admin');
}

/** Portal and player have the same audience and calls of their own. */
function isOfClient({ kind }: CallerAccess, caller: AnyCaller): boolean {
  if (kind === 'partner') return caller.kind === 'tenant' && caller.client === 'portal';
  return kind !== 'player' || (caller.kind === 'tenant' && caller.client === 'player');
}

async function refusalOf(
  access: CallerAccess,
  caller: AnyCaller,
  authority: Authority,
): Promise<'E40301' | 'E40304' | undefined> {
  if ('roles' in access && !('role' in caller && hasAnyRole(caller.role, access.roles))) return 'E40301';
  if ('platform' in access && access.platform && caller.kind === 'admin' && caller.unitId !== null) {
    return 'E40301';
  }
  if (!('api' in access) || access.api === undefined || caller.kind === 'admin') return undefined;
  const { contractRank } = await authority.contractOf(caller.partnerId);
  return plans[contractRank].apis.includes(access.api) ? undefined : 'E40304';
}

/** Nobody of a tenant whose licence is over does anything but leave; its data stays. */
async function requireLicence(partnerId: number, { clock, contractOf }: Authority): Promise<void> {
  const { licenseExpiredOn } = await contractOf(partnerId);
  const end = licenseExpiredOn === null ? null : new Date(licenseExpiredOn);
  if (isLicenceOver(end, clock.now())) throw new AppError('E40302');
}

/** Tokens of a tenant that is gone are worth nothing. Where that cannot be learned, those of one whose licence is over still leave. */
async function requireTenant(partnerId: number, { contractOf }: Authority): Promise<void> {
  await contractOf(partnerId).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
  });
}

/** Another tenant's id answers as one that does not exist. */
function requireOwnPartner(own: number, inPath: string | undefined): void {
  if (inPath !== undefined && partnerIdOf(inPath) !== own) throw new AppError('E40402');
}

/**
 * An administrator of a unit is refused at a partner of another one, with `refusal`: on calls that tenants make too, it answers
 * as one that does not exist. Everybody is refused at one that does not.
 */
async function requireOversight(
  { unitId }: AdminCaller,
  inPath: string | undefined,
  { unitOf }: Authority,
  refusal: 'E40305' | 'E40402',
): Promise<void> {
  if (inPath === undefined) return;
  const partnerId = partnerIdOf(inPath);
  if (partnerId > maxId) throw new AppError('E40402');
  const unitOfPartner = await unitOf(partnerId);
  if (unitId !== null && unitId !== unitOfPartner) throw new AppError(refusal);
}

/** What is no id names nothing. */
function partnerIdOf(inPath: string): number {
  if (!/^[1-9]\d{0,15}$/.test(inPath)) throw new AppError('E40401');
  return Number(inPath);
}
