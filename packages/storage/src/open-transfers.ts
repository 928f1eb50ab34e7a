import { changeCount } from '@portal/kernel';
import { tenantOf } from './object-key.ts';
import type { AddressUse } from './object-storage.ts';

/** What is moved, and for which use of its address. */
export interface Moved {
  readonly key: string;
  readonly use: AddressUse;
}

/** Whose transfer it is. What a tenant gets of the operator's bytes is the tenant's; undefined for what is nobody's. */
export const payerOf = ({ key, use }: Moved): number | undefined =>
  ('partnerId' in use ? use.partnerId : undefined) ?? tenantOf(key);

/** Far more than a browser or a player has, and few enough that no session or tenant has them all. */
const most = { perSession: 100, perTenant: 1_000 };

/**
 * Counts the transfers that are open. Each holds a connection to the store, or a file, for as long as its client takes.
 * @returns opens one more, and gives what ends it; undefined where the session or the tenant has all that it may
 */
export function createOpenTransfers(): (moved: Moved) => (() => void) | undefined {
  const open = new Map<string, number>();
  return (moved) => {
    const [session, tenant] = [`session ${moved.use.sessionId}`, `tenant ${payerOf(moved)}`];
    const isFull = (open.get(session) ?? 0) >= most.perSession || (open.get(tenant) ?? 0) >= most.perTenant;
    if (isFull) return undefined;
    const change = (by: 1 | -1) => {
      for (const name of [session, tenant]) changeCount(open, name, by);
    };
    change(1);
    return () => change(-1);
  };
}
