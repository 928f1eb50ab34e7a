import { fileEvents, plans } from '@portal/contracts';
import { findPushSending, holdGroups, releaseGroups } from '@portal/contracts/internal';
import { AppError, fieldError, newId } from '@portal/kernel';
import { concernsRecord, ofPartner, olderThanAll, type Peers } from '@portal/service-kit';
import { deliveryType, findOffered } from '../../applications/data/reach.ts';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import { findPartner } from '../../copies/data/copies-repository.ts';
import { groups } from '../../copies/use-cases/keep-copies.ts';
import type { FileDb } from '../../data/db.ts';
import { countReached } from '../../delivery/data/reach-counts.ts';
import { announceDelivery } from '../../delivery/use-cases/announce-delivery.ts';
import { assertMayDistribute, type Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import {
  type File,
  isApplication,
  requireFile,
  saveFileUnnumbered,
} from '../../files/data/file-repository.ts';
import { endTelling, findTelling } from '../../rollouts/data/telling-repository.ts';
import { beginPlanning, type PlannedRollout, planCurrent } from '../../rollouts/use-cases/plan-rollout.ts';
import { settleRollouts } from '../../rollouts/use-cases/settle-rollouts.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import {
  addAssignments,
  announceAgain,
  assignedGroups,
  endAssignments,
  isUnannounced,
} from '../data/assignment-repository.ts';
import { everyone } from '../domain/everyone.ts';

/**
 * Sets the groups to which a file is delivered; with none, nobody gets it any more.
 * @throws AppError `E40034` on `rollout` while the stages of its version are not done; `E40301` for who is no administrator, and for an application that everyone gets anyway; `E40405`; `E40019` while no version is complete; `E40404` and, for
 * everyone where the contract forbids it, `E40304` on `groupIds`; on `notifyPush` `E40304` where the contract has none, `E40030` where there is no certificate to send with
 */
export async function assignGroups(
  deps: Dependencies & { readonly peers: Peers },
  caller: Editor,
  fileId: number,
  assignment: {
    groupIds: readonly number[];
    /** Left out: as it was asked for, while people are still to be told. */
    notifyEmail?: boolean | undefined;
    notifyPush?: boolean | undefined;
    /** The stages in which those get the current version who are added. */
    rollout?: PlannedRollout;
  },
  conduct?: Conduct,
): Promise<Waiting | void> {
  assertMayDistribute(caller);
  const { rollout } = assignment;
  const groupIds = [...new Set(assignment.groupIds)].sort((a, b) => a - b);
  const { partnerId } = caller;
  if (assignment.notifyPush) await requirePush(deps, { partnerId, fileId });
  await deps.requirePilots({ partnerId, fileId }, rollout);
  const held = await hold(deps, { partnerId, fileId }, groupIds, conduct);
  const assign = async (change: Change): Promise<void> => {
    await beginPlanning(change, rollout);
    const now = deps.clock.now();
    const found = await requireComplete(change.db, partnerId, fileId);
    if (isApplication(found) && rollout !== undefined) {
      throw new AppError('E40301', [], { messageKey: 'publisherOnly' });
    }
    const file = isApplication(found) ? found : await applyDueUpdate(change, found, now);
    await groups.take(change, held?.told ?? []);

    const before = await requireAllowed(change, fileId, groupIds);
    const promised = await promisedNotices(change, file);
    const { notifyEmail = promised.notifyEmail, notifyPush = promised.notifyPush } = assignment;
    const addedGroupIds = groupIds.filter((id) => !before.includes(id));
    const removedGroupIds = before.filter((id) => !groupIds.includes(id));
    // In this order a file that goes from some groups to others is assigned without a break.
    await addAssignments(change, fileId, addedGroupIds, now);
    await endAssignments(change, { fileId, groupIds: removedGroupIds });
    if (addedGroupIds.length > 0) await countReached(change, fileId, now);
    if (!isApplication(file)) {
      await planCurrent(change, file, rollout, { before, added: addedGroupIds }, now);
    }
    // Who asks for people to be told means those of all groups; whoever was told before is not told again.
    if (assignment.notifyEmail || assignment.notifyPush) await announceAgain(change, fileId);
    else if (isApplication(file) && !notifyEmail && !notifyPush) await endTelling(change, fileId);
    const told = { ...file, notifyEmail, notifyPush };
    // An offer is its publisher's; of it the tenant has the groups alone.
    const assigned = isApplication(file) ? told : await saveFileUnnumbered(change, told);
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
        ...(held?.assignmentId && { assignmentId: held.assignmentId }),
      },
    });
    if (!isApplication(assigned)) await settleRollouts(change, assigned, now);
    await announceDelivery(change, assigned, now);
  };
  try {
    return await changeDelivery(deps, partnerId, conduct, assign);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await release(deps, partnerId, held?.assignmentId);
    throw error;
  }
}

/** By what those are to be told of a file whom nobody has told yet; of an offer, what goes out in stages says it. */
async function promisedNotices(
  change: Change,
  file: File,
): Promise<{ readonly notifyEmail: boolean; readonly notifyPush: boolean }> {
  const none = { notifyEmail: false, notifyPush: false };
  const telling = await findTelling(change, file.id);
  if (isApplication(file)) return telling ?? none;
  return telling || (await isUnannounced(change, file.id)) ? file : none;
}

/**
 * Asks the user service for these groups, and holds them there until the event of the assignment has arrived:
 * what this service knows of groups may be out of date.
 */
async function hold(
  { clock, peers, store }: Dependencies & { readonly peers: Peers },
  { fileId, partnerId }: { fileId: number; partnerId: number },
  groupIds: readonly number[],
  conduct: Conduct | undefined,
): Promise<{ assignmentId: string | undefined; told: Parameters<typeof groups.take>[1] } | undefined> {
  const ofTenant = groupIds.filter((id) => id !== everyone);
  if (ofTenant.length === 0) return undefined;
  // No group is held for what will be refused.
  await store.read(ofPartner(partnerId), async (db) => {
    await requireComplete(db, partnerId, fileId);
    await requireAllowed({ db, partnerId }, fileId, groupIds);
  });
  // Nothing would end a hold for what is only looked at.
  const assignmentId = conduct?.looksOnly ? undefined : newId();
  const held = await peers.call(holdGroups, {
    body: { partnerId, fileId, groupIds: ofTenant, assignmentId },
  });
  const at = clock.now();
  const told = held.groups.map(({ id, name, revision = olderThanAll }) => ({
    id,
    partnerId,
    revision,
    at,
    state: { name },
  }));
  return { assignmentId, told };
}

/** No event will end the hold of what was refused. Where this fails, it ends by itself. */
async function release(
  { logger, peers }: Dependencies & { readonly peers: Peers },
  partnerId: number,
  assignmentId: string | undefined,
): Promise<void> {
  if (assignmentId === undefined) return;
  try {
    await peers.call(releaseGroups, { body: { partnerId, assignmentId } });
  } catch (error) {
    logger.warn(
      { err: error, partnerId, assignmentId },
      'Groups are still held for an assignment that was refused',
    );
  }
}

/**
 * @throws AppError `E40304` on `notifyPush` where the contract has no push notifications; `E40030` on it where neither the tenant nor
 * the operator has a certificate; as `requireComplete` does
 */
async function requirePush(
  { peers, store }: Pick<Dependencies, 'store'> & { readonly peers: Peers },
  { fileId, partnerId }: { fileId: number; partnerId: number },
): Promise<void> {
  await store.read(ofPartner(partnerId), async (db) => {
    await requireComplete(db, partnerId, fileId);
    const partner = await findPartner(db, partnerId);
    if (partner && !plans[partner.contractRank].apis.includes('push')) {
      throw fieldError('E40304', 'notifyPush', 'pushNotInContract');
    }
  });
  const { sends } = await peers.call(findPushSending, { body: { partnerId } });
  if (!sends) throw fieldError('E40030', 'notifyPush', 'pushCertificateMissing');
}

/** @throws AppError `E40405`; `E40301` for an application that is delivered to everyone; `E40019` while no version is complete */
async function requireComplete(db: FileDb, partnerId: number, fileId: number): Promise<File> {
  const offered = await findOffered(db, partnerId, fileId);
  const file =
    offered && offered.saleType !== deliveryType ? offered : await requireFile(db, partnerId, fileId);
  concernsRecord(file);
  if (file.currentVersionId === null) throw new AppError('E40019');
  return file;
}

/**
 * @returns the groups that have the file. Everyone keeps what everyone has.
 * @throws AppError `E40304` for everyone where the contract forbids it
 */
async function requireAllowed(
  of: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
  groupIds: readonly number[],
): Promise<readonly number[]> {
  const before = await assignedGroups(of, fileId);
  if (groupIds.includes(everyone) && !before.includes(everyone)) {
    const partner = await findPartner(of.db, of.partnerId);
    if (partner?.filePublicFlag === false) throw fieldError('E40304', 'groupIds', 'everyoneNotAllowed');
  }
  return before;
}
