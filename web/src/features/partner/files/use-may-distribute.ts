import { hasAnyRole, userRoleBits } from '@portal/contracts';
import type { FileRow } from '../../../components/files/file.ts';
import { useOwnSummary } from '../../../components/use-own-summary.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import type { AudienceKind } from './file-flows.ts';

/** Whether the tenant chooses who gets a file: what the operator delivers to everyone it does not. */
export const isAssignable = ({ saleType }: Pick<FileRow, 'saleType'>): boolean => saleType !== 1;

/** Whether the caller may choose who gets files. */
export function useMayDistribute(): boolean {
  const session = useSession();
  return session?.kind === 'partner' && hasAnyRole(session.user.role, userRoleBits.admin);
}

/**
 * To whom the caller may deliver a file, of `kinds`: not to everyone where the contract forbids it, unless everyone `hasIt`. Until
 * the contract is known, it allows what most do.
 */
export function useAudienceKinds(kinds: readonly AudienceKind[], hasIt = false): readonly AudienceKind[] {
  const contract = useOwnSummary({ enabled: useMayDistribute() });
  const reachesEveryone = hasIt || (contract.data?.filePublicFlag ?? true);
  return kinds.filter((kind) => kind !== 'everyone' || reachesEveryone);
}

/**
 * Whether the caller may change the bytes and times of a file, or delete it: for others than administrators, while no group gets it;
 * never an application, which is its publisher's.
 */
export function useMayChangeDelivery(): (file: Pick<FileRow, 'application' | 'groups'>) => boolean {
  const mayDistribute = useMayDistribute();
  return ({ application, groups }) => !application && (mayDistribute || groups.length === 0);
}
