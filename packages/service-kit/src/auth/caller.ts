import type { Access, RouteContract } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { ofPartner, ofUnit, systemScope } from '../scopes.ts';

export interface AdminCaller {
  readonly kind: 'admin';
  readonly adminId: number;
  readonly role: number;
  /** The unit of an outsourcing administrator; null for the platform's own. */
  readonly unitId: number | null;
  /** Which state of the administrator the token was made of; each that follows has a higher number. */
  readonly revision: number;
  readonly sessionId: string;
  readonly expiresAt: Date;
  /** They have to set up two factors before they may do anything else. */
  readonly settingUp: boolean;
}

export interface TenantCaller {
  readonly kind: 'tenant';
  readonly accountId: number;
  readonly partnerId: number;
  readonly role: number;
  readonly client: 'portal' | 'player';
  /** The device of a player. */
  readonly platformUuid: string | null;
  readonly sessionId: string;
  readonly expiresAt: Date;
  /** They have to set up two factors before they may do anything else. */
  readonly settingUp: boolean;
}

/** An app of a tenant, by the tenant's own key. */
export interface KeyCaller {
  readonly kind: 'tenantKey';
  readonly partnerId: number;
}

/** A person or a player, by a token. */
export type Caller = AdminCaller | TenantCaller;
export type AnyCaller = Caller | KeyCaller;

type CallerByAccess = {
  public: undefined;
  apiKey: undefined;
  internal: undefined;
  admin: AdminCaller;
  partner: TenantCaller;
  player: TenantCaller;
  tenant: TenantCaller;
  tenantKey: KeyCaller;
  anyToken: Caller;
};

/** Who a handler of this route can be sure to be called by: one of those whom the route lets in. */
export type CallerOf<C extends RouteContract> = CallerByAccess[C['access'][number]['kind']];

/** Whose rows a caller may see. */
export function scopeOf(caller: AnyCaller): Scope {
  if (caller.kind !== 'admin') return ofPartner(caller.partnerId);
  return caller.unitId === null ? systemScope('a platform administrator') : ofUnit(caller.unitId);
}

type ScopesByAccess = {
  [Kind in Access['kind']]: CallerByAccess[Kind] extends undefined
    ? { scope: undefined; systemScope: (why: string) => Scope }
    : { scope: Scope; systemScope: undefined };
};

/** The scopes that a call has for its transactions. */
export type ScopesOf<C extends RouteContract> = ScopesByAccess[C['access'][number]['kind']];
