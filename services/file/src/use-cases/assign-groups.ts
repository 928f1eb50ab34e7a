import { fileEvents } from '@portal/contracts';
import { holdGroups } from '@portal/contracts/internal';
import { AppError, newId } from '@portal/kernel';
import { ofPartner, type Peers } from '@portal/service-kit';
import { addAssignments, assignedGroups, endAssignments, everyone } from '../data/assignment-repository.ts';
import { keepUnheardGroups } from '../data/copies-repository.ts';
import type { FileDb } from '../data/db.ts';
import { type File, requireFile, saveFileSilently } from '../data/file-repository.ts';
import { announceDelivery } from './announce-delivery.ts';
import { assertMayDistribute, type Editor } from './distribution.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { settleUpdate } from './settle-update.ts';

/**
 * Sets the groups that a file is delivered to; none takes it from everyone.
 * @throws AppError `E40301` for who is no administrator; `E40405`; `E40019` while no version is complete; `E40404` on
 * `groupIds`
 */
export async function assignGroups(
  tools: FileTools & { readonly peers: Peers },
  caller: Editor,
  fileId: number,
  assignment: { groupIds: readonly number[]; notifyEmail: boolean; notifyPush: boolean },
): Promise<void> {
  assertMayDistribute(caller);
  const { notifyEmail, notifyPush } = assignment;
  const groupIds = [...new Set(assignment.groupIds)].sort((a, b) => a - b);
  const { partnerId } = caller;
  const held = await hold(tools, { partnerId, fileId }, groupIds);
  await changeFiles(tools, partnerId, async (change) => {
    const now = tools.clock.now();
    const file = await settleUpdate(change, await requireComplete(change.db, partnerId, fileId), now);
    await keepUnheardGroups(change.db, partnerId, held?.groups ?? []);

    const before = await assignedGroups(change, fileId);
    const addedGroupIds = groupIds.filter((id) => !before.includes(id));
    const removedGroupIds = before.filter((id) => !groupIds.includes(id));
    await endAssignments(change, { fileId, groupIds: removedGroupIds });
    await addAssignments(change, fileId, addedGroupIds, now);
    const assigned = await saveFileSilently(change, { ...file, notifyEmail, notifyPush });
    change.outbox.append(fileEvents.fileAssigned, {
      subject: fileId,
      partnerId,
      data: {
        fileId,
        groupIds,
        addedGroupIds,
        removedGroupIds,
        notifyEmail,
        notifyPush,
        ...(held && { assignmentId: held.assignmentId }),
      },
    });
    await announceDelivery(change, assigned, now);
  });
}

/**
 * Has the user service say which groups these are, and delete none of them before it has heard of the assignment:
 * what this service knows of groups may be out of date.
 */
async function hold(
  { peers, store }: FileTools & { readonly peers: Peers },
  { fileId, partnerId }: { fileId: number; partnerId: number },
  groupIds: readonly number[],
): Promise<{ assignmentId: string; groups: { id: number; name: string }[] } | undefined> {
  const ofTenant = groupIds.filter((id) => id !== everyone);
  if (ofTenant.length === 0) return undefined;
  // No group is held for what will be refused.
  await store.read(ofPartner(partnerId), (db) => requireComplete(db, partnerId, fileId));
  const assignmentId = newId();
  const { groups } = await peers.call(holdGroups, {
    body: { partnerId, fileId, groupIds: ofTenant, assignmentId },
  });
  return { assignmentId, groups };
}

/** @throws AppError `E40405`; `E40019` while no version is complete */
async function requireComplete(db: FileDb, partnerId: number, fileId: number): Promise<File> {
  const file = await requireFile(db, partnerId, fileId);
  if (file.currentVersionId === null) throw new AppError('E40019');
  return file;
}
