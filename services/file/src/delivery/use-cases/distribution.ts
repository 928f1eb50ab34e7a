import { hasAnyRole, userRoleBits } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { ofPartner, type TenantCaller } from '@portal/service-kit';
import { assignedGroups } from '../../assignments/data/assignment-repository.ts';
import type { Change } from '../../files/data/changes.ts';

/** Who changes files. */
export interface Editor extends Pick<TenantCaller, 'partnerId' | 'role'> {
  /** Whose rows they may see, where these are not those of `partnerId`: of an administrator, who changes applications. */
  readonly scope?: Scope;
}
/** Who begins an upload, or ends one. */
export type Uploader = Editor & Pick<TenantCaller, 'accountId'>;

export const scopeOf = ({ partnerId, scope }: Pick<Editor, 'partnerId' | 'scope'>): Scope =>
  scope ?? ofPartner(partnerId);

export function mayDistribute({ role }: Pick<Editor, 'role'>): boolean {
  return hasAnyRole(role, userRoleBits.admin);
}

/** @throws AppError `E40301` for who is no administrator */
export function assertMayDistribute(editor: Pick<Editor, 'role'>): void {
  if (!mayDistribute(editor)) {
    throw new AppError('E40301', [], { messageKey: 'distributeAdminOnly' });
  }
}

/**
 * Other bytes, other times and the end of a file that has groups are what players get, so these are for administrators
 * alone. In a change it is asked under the lock of the tenant's: no group can come in between.
 * @throws AppError `E40301`
 */
export async function assertMayChangeDelivery(
  change: Pick<Change, 'db' | 'partnerId'>,
  editor: Editor,
  fileId: number,
): Promise<void> {
  if (mayDistribute(editor)) return;
  if ((await assignedGroups(change, fileId)).length > 0) assertMayDistribute(editor);
}
