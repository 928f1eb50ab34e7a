import { type RouteInput, userEvents } from '@portal/contracts';
import type {
  changeProvisionedGroup as changeContract,
  createProvisionedGroup as createContract,
  deleteProvisionedGroup as deleteContract,
  ProvisionedGroup,
} from '@portal/contracts/internal';
import { slicesOf } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { Transaction } from '@portal/service-kit';
import { lockUsers } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Group } from '../data/generated/client.ts';
import {
  contentsOfGroups,
  deleteGroupRows,
  findGroup,
  insertGroup,
  lockGroup,
  saveGroup,
} from '../data/group-repository.ts';
import { joinGroups, leaveGroups, memberIdsOf } from '../data/membership-repository.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { provisionedGroups, versionOfGroup } from '../data/provisioning-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupStateOf } from '../domain/group.ts';
import { tellOfGroups } from './change-members.ts';

/** What a provisioning client does with groups: nobody of the tenant does it. */

/** Makes a group with its users. Throws `E40029` on a name that is taken, `E40403` for a user that the partner does not have. */
export async function createProvisionedGroup(
  deps: Pick<Dependencies, 'clock' | 'inTurn' | 'peers' | 'store'>,
  { externalId, memberIds, name, partnerId, withMembers }: RouteInput<typeof createContract>['body'],
): Promise<ProvisionedGroup> {
  await knowPartner(deps, partnerId);
  return deps.inTurn(partnerId, async (tx) => {
    const fields = { name, externalId, note: '', role: 0 };
    const group = await insertGroup(tx.db, partnerId, fields, deps.clock.now());
    tx.outbox.append(userEvents.groupCreated, { subject: group.id, partnerId, data: groupStateOf(group) });
    await putInto(tx, group, memberIds);
    return replyOf(tx.db, group, withMembers);
  });
}

/**
 * Changes a group and who is in it, all or nothing. Throws `E40404` for a group and `E40403` for a user that the partner does not
 * have, `E40034` on another version, and on members where the answer is to name more than it holds, `E40029` on a name that is taken.
 */
export async function changeProvisionedGroup(
  { clock, inTurn }: Pick<Dependencies, 'clock' | 'inTurn'>,
  change: RouteInput<typeof changeContract>['body'],
): Promise<ProvisionedGroup> {
  const { add = [], externalId, id, keepOnly, name, partnerId, remove = [], version, withMembers } = change;
  return inTurn(partnerId, async (tx) => {
    const { db, outbox } = tx;
    const group = requireVersion(await lockGroup(db, partnerId, id), version);
    const isOther =
      (name !== undefined && name !== group.name) ||
      (externalId !== undefined && externalId !== group.externalId);
    if (isOther) {
      const { note, role } = group;
      const fields = {
        name: name ?? group.name,
        note,
        role,
        externalId: externalId === undefined ? group.externalId : externalId,
      };
      const saved = await saveGroup(db, group, fields, clock.now());
      outbox.append(userEvents.groupUpdated, { subject: id, partnerId, data: groupStateOf(saved) });
    }
    const removed = new Set(remove);
    const wanted = [...new Set([...(keepOnly ?? []), ...add])].filter((one) => !removed.has(one));
    if (keepOnly !== undefined) {
      const staying = new Set(wanted);
      const members = await memberIdsOf(db, group);
      await takeOut(
        tx,
        group,
        members.filter((one) => !staying.has(one)),
      );
    } else if (removed.size > 0) {
      await takeOut(tx, group, [...removed]);
    }
    await putInto(tx, group, wanted);
    return replyOf(db, group, withMembers);
  });
}

/**
 * Takes the users out of a group and deletes it. Throws `E40404` for a group that the partner does not have, `E40034` on another
 * version, `E40028` while it has files, or is about to have one.
 */
export async function deleteProvisionedGroup(
  { clock, inTurn }: Pick<Dependencies, 'clock' | 'inTurn'>,
  { id, partnerId, version }: RouteInput<typeof deleteContract>['body'],
): Promise<void> {
  await inTurn(partnerId, async (tx) => {
    const { db, outbox } = tx;
    const group = requireVersion(await lockGroup(db, partnerId, id), version);
    const { hasFiles } = await contentsOfGroups(db, partnerId, [id], clock.now());
    if (hasFiles) throw new AppError('E40028');
    await takeOut(tx, group, await memberIdsOf(db, group));
    await deleteGroupRows(db, partnerId, [id]);
    outbox.append(userEvents.groupDeleted, { subject: id, partnerId, data: { groupId: id } });
  });
}

function requireVersion(group: Group | null, version: string | undefined): Group {
  if (!group) throw new AppError('E40404');
  if (version !== undefined && version !== versionOfGroup(group)) throw new AppError('E40034');
  return group;
}

/** Throws `E40403` for a user that the partner does not have. */
async function putInto(tx: Transaction<UserDb>, group: Group, userIds: readonly number[]): Promise<void> {
  for (const some of slicesOf([...new Set(userIds)])) await changeSome(tx, group, some, 'joins');
}

/** Who is not in it, or not there, is passed over. */
async function takeOut(tx: Transaction<UserDb>, group: Group, userIds: readonly number[]): Promise<void> {
  for (const some of slicesOf(userIds)) await changeSome(tx, group, some, 'leaves');
}

async function changeSome(
  tx: Transaction<UserDb>,
  { id, partnerId }: Group,
  userIds: readonly number[],
  how: 'joins' | 'leaves',
): Promise<void> {
  const users = await lockUsers(tx.db, partnerId, userIds);
  if (how === 'joins' && users.length < userIds.length) throw new AppError('E40403');
  const change = how === 'joins' ? joinGroups : leaveGroups;
  const changed = new Set(await change(tx.db, partnerId, [id], userIds));
  await tellOfGroups(
    tx,
    partnerId,
    users.filter((user) => changed.has(user.id)),
  );
  await tx.outbox.flush();
}

async function replyOf(
  db: UserDb,
  { id, partnerId }: Group,
  withMembers: boolean,
): Promise<ProvisionedGroup> {
  const group = await findGroup(db, partnerId, id);
  const [reply] = group ? await provisionedGroups(db, partnerId, [group], withMembers) : [];
  if (!reply) throw new AppError('E40404');
  return reply;
}
