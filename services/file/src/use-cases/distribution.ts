import { hasAnyRole, userRoleBits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { TenantCaller } from '@portal/service-kit';
import { assignedGroups } from '../data/assignment-repository.ts';
import type { Change } from '../data/changes.ts';

/** Who changes files. */
export type Editor = Pick<TenantCaller, 'partnerId' | 'role'>;

/** @throws AppError `E40301` for who is no administrator */
export function assertMayDistribute({ role }: Pick<Editor, 'role'>): void {
  if (!hasAnyRole(role, userRoleBits.admin)) {
    throw new AppError('E40301', [], { messageKey: 'distributeAdminOnly' });
  }
}

/**
 * Other bytes, other times and the end of a file that has groups are what players get, so these are for administrators
 * alone. Asked under the lock of the tenant's changes: no group can come in between.
 * @throws AppError `E40301`
 */
export async function assertMayChangeDelivery(change: Change, editor: Editor, fileId: number): Promise<void> {
  if (hasAnyRole(editor.role, userRoleBits.admin)) return;
  if ((await assignedGroups(change, fileId)).length > 0) assertMayDistribute(editor);
}
