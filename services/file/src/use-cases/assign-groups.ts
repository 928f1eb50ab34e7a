import { fileEvents, hasAnyRole, userRoleBits } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import {
  addAssignments,
  assignedGroups,
  endAssignments,
  unknownGroups,
} from '../data/assignment-repository.ts';
import { requireFile, saveFileSilently } from '../data/file-repository.ts';
import { announceDelivery } from './announce-delivery.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { settleUpdate } from './settle-update.ts';

/**
 * Sets the groups that a file is delivered to; none takes it from everyone.
 * @throws AppError `E40301` for who is no administrator; `E40405`; `E40019` while no version is complete; `E40404` on
 * `groupIds`
 */
export async function assignGroups(
  tools: FileTools,
  caller: { partnerId: number; role: number },
  fileId: number,
  assignment: { groupIds: readonly number[]; notifyEmail: boolean; notifyPush: boolean },
): Promise<void> {
  if (!hasAnyRole(caller.role, userRoleBits.admin)) {
    throw new AppError('E40301', [], { messageKey: 'distributeAdminOnly' });
  }
  const { notifyEmail, notifyPush } = assignment;
  const groupIds = [...new Set(assignment.groupIds)].sort((a, b) => a - b);
  const { partnerId } = caller;
  await changeFiles(tools, partnerId, async (change) => {
    const now = tools.clock.now();
    const file = await settleUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    if (file.currentVersionId === null) throw new AppError('E40019');
    if ((await unknownGroups(change, groupIds)).length > 0)
      throw fieldError('E40404', 'groupIds', 'notFound');

    const before = await assignedGroups(change, fileId);
    const addedGroupIds = groupIds.filter((id) => !before.includes(id));
    const removedGroupIds = before.filter((id) => !groupIds.includes(id));
    await endAssignments(change, { fileId, groupIds: removedGroupIds });
    await addAssignments(change, fileId, addedGroupIds, now);
    const assigned = await saveFileSilently(change, { ...file, notifyEmail, notifyPush });
    change.outbox.append(fileEvents.fileAssigned, {
      subject: fileId,
      partnerId,
      data: { fileId, groupIds, addedGroupIds, removedGroupIds, notifyEmail, notifyPush },
    });
    await announceDelivery(change, assigned, now);
  });
}
