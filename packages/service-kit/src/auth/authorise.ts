import { type Access, type ContractRank, hasAnyRole, plans, type ServiceName } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { Caller, TenantCaller } from './caller.ts';

/** Checks who may pass, before anything of the request is read. */
export interface Authority {
  verifyUser(token: string): Caller | Promise<Caller>;
  verifyService(token: string): Promise<string>;
  /** The contract rank of a tenant at this moment. */
  rankOf(partnerId: number): Promise<ContractRank>;
}

/** Signatures are read leniently elsewhere: with a tab in it a token would be another text for the same session. */
const bearer = /^bearer ([\w.-]{1,2048})$/i;

export function bearerOf(header: string | undefined): string {
  if (!header) throw new AppError('E40101');
  const token = bearer.exec(header)?.[1];
  if (token === undefined) throw new AppError('E40102');
  return token;
}

/** Who calls: whose token it is, whether or not they may; undefined where `access` asks for no person. */
export async function identify(
  access: Access,
  authorization: string | undefined,
  authority: Authority,
): Promise<Caller | undefined> {
  if (access.kind === 'public' || access.kind === 'apiKey') return undefined;
  const token = bearerOf(authorization);
  if (access.kind !== 'internal') return authority.verifyUser(token);
  const service = await authority.verifyService(token);
  if (!access.callers.includes(service as ServiceName)) throw new AppError('E40301');
  return undefined;
}

/** Refuses a caller whom `access` does not let pass; `partnerId` is the one in the path, where there is one. */
export async function admit(
  access: Access,
  caller: Caller,
  partnerId: string | undefined,
  authority: Authority,
): Promise<void> {
  switch (access.kind) {
    case 'public':
    case 'apiKey':
    case 'internal':
    case 'anyToken':
      return;
    case 'admin':
      if (caller.kind !== 'admin') throw new AppError('E40102');
      if (!hasAnyRole(caller.role, access.roles)) throw new AppError('E40301');
      return;
    case 'tenant':
      tenantOnly(caller);
      return;
    case 'player': {
      const player = tenantOnly(caller);
      if (player.client !== 'player') throw new AppError('E40301');
      if (access.api) await requireApi(player.partnerId, access.api, authority);
      return;
    }
    case 'partner': {
      const person = tenantOnly(caller);
      if (person.client !== 'portal') throw new AppError('E40301');
      requireOwnPartner(person, partnerId);
      if (!hasAnyRole(person.role, access.roles)) throw new AppError('E40301');
      if (access.api) await requireApi(person.partnerId, access.api, authority);
    }
  }
}

function tenantOnly(caller: Caller): TenantCaller {
  if (caller.kind !== 'tenant') throw new AppError('E40102');
  return caller;
}

/** Another tenant's id answers as one that does not exist. */
function requireOwnPartner(caller: TenantCaller, inPath: string | undefined): void {
  if (inPath === undefined) return;
  if (!/^[1-9]\d{0,15}$/.test(inPath)) throw new AppError('E40401');
  if (Number(inPath) !== caller.partnerId) throw new AppError('E40402');
}

async function requireApi(
  partnerId: number,
  api: (typeof plans)[ContractRank]['apis'][number],
  authority: Authority,
): Promise<void> {
  const rank = await authority.rankOf(partnerId);
  if (!plans[rank].apis.includes(api)) throw new AppError('E40304');
}
