import { hasAnyRole, userRoleBits } from '@portal/contracts';
import type { FileRow } from '../../../components/files/file.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** Whether the caller may choose who gets files. */
export function useMayDistribute(): boolean {
  const { user } = usePartnerSession();
  return hasAnyRole(user.role, userRoleBits.admin);
}

/** Whether the caller may change the bytes and times of a file, or delete it: for others than administrators, while no group gets it. */
export function useMayChangeDelivery(): (file: Pick<FileRow, 'groups'>) => boolean {
  const mayDistribute = useMayDistribute();
  return ({ groups }) => mayDistribute || groups.length === 0;
}
