import type { Access, RouteContract } from '@portal/contracts';

export interface AdminCaller {
  readonly kind: 'admin';
  readonly adminId: number;
  readonly role: number;
  /** The unit of an outsourcing administrator; null for the platform's own. */
  readonly unitId: number | null;
  readonly sessionId: string;
  readonly expiresAt: Date;
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
}

export type Caller = AdminCaller | TenantCaller;

type CallerByAccess = {
  public: undefined;
  apiKey: undefined;
  internal: undefined;
  admin: AdminCaller;
  partner: TenantCaller;
  player: TenantCaller;
  tenant: TenantCaller;
  anyToken: Caller;
};

/** Who a handler of this route can be sure to be called by. */
export type CallerOf<C extends RouteContract> = C['access'] extends infer A extends Access
  ? CallerByAccess[A['kind']]
  : never;
