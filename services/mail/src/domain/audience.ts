import { hasAnyRole, userRoleBits } from '@portal/contracts';
import type { AdminCaller, TenantCaller } from '@portal/service-kit';

/** Who gets a notice: one person, or all company admins of a partner. */
export type Audience = { readonly kind: 'account' | 'admin' | 'company-admins'; readonly id: number };

/** An audience as it is stored. */
export const audienceName = ({ id, kind }: Audience): string => `${kind}:${id}`;

/** Whoever asks for notices: their own name, by which they read, and all audiences that they are of. */
export interface Reader {
  readonly name: string;
  readonly audiences: readonly string[];
  readonly partnerId: number | null;
  /** Of an administrator of a unit. */
  readonly unitId: number | null;
}

export function readerOf(caller: AdminCaller | TenantCaller): Reader {
  if (caller.kind === 'admin') {
    const name = audienceName({ kind: 'admin', id: caller.adminId });
    return { name, audiences: [name], partnerId: null, unitId: caller.unitId };
  }
  const { accountId, partnerId, role } = caller;
  const name = audienceName({ kind: 'account', id: accountId });
  const all = audienceName({ kind: 'company-admins', id: partnerId });
  return {
    name,
    audiences: hasAnyRole(role, userRoleBits.admin) ? [name, all] : [name],
    partnerId,
    unitId: null,
  };
}
