import { foldCase, userRoutes } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { fieldError } from '@portal/kernel';
import type { UserDb } from './db.ts';
import type { Group } from './generated/client.ts';

interface GroupFields {
  readonly name: string;
  readonly note: string;
  readonly role: number;
  /** Absent: as it is. */
  readonly externalId?: string | null;
}

/** Throws `E40029` on the name when another group of the partner has it. */
export async function insertGroup(
  db: UserDb,
  partnerId: number,
  fields: GroupFields,
  now: Date,
): Promise<Group> {
  return uniqueName(async () =>
    db.group.create({
      data: {
        partnerId,
        ...fields,
        nameKey: foldCase(fields.name),
        createdAt: now,
        updatedAt: now,
      },
    }),
  );
}

/** The group of this name, ignoring case. */
export async function findGroupByName(db: UserDb, partnerId: number, name: string): Promise<Group | null> {
  return db.group.findUnique({ where: { partnerId_nameKey: { partnerId, nameKey: foldCase(name) } } });
}

export interface NamedGroup {
  readonly id: number;
  readonly name: string;
}

/** The groups among those of these ids and these names, ignoring case, by their ids. */
export async function findGroups(
  db: UserDb,
  partnerId: number,
  { ids, names }: { readonly ids: readonly number[]; readonly names: readonly string[] },
): Promise<NamedGroup[]> {
  // No group has a name that is longer, or has such characters; the database takes no such text.
  const possible = names.filter((name) => userRoutes.groupFields.shape.name.safeParse(name).success);
  return db.$queryRaw<NamedGroup[]>`
    SELECT id, name FROM groups
    WHERE partner_id = ${partnerId}
      AND (id = ANY(${[...ids]}::integer[]) OR name_key = ANY(${possible.map(foldCase)}::text[]))
    ORDER BY id`;
}

/** Throws `E40029` on the name when another group of the partner has it. */
export async function saveGroup(
  db: UserDb,
  group: { readonly partnerId: number; readonly id: number },
  fields: GroupFields,
  now: Date,
): Promise<Group> {
  const { id, partnerId } = group;
  return uniqueName(async () =>
    db.group.update({
      where: { partnerId_id: { partnerId, id } },
      data: {
        ...fields,
        nameKey: foldCase(fields.name),
        revision: { increment: 1 },
        updatedAt: now,
      },
    }),
  );
}

export async function findGroup(db: UserDb, partnerId: number, id: number): Promise<Group | null> {
  return db.group.findUnique({ where: { partnerId_id: { partnerId, id } } });
}

/** Holds the group until the transaction ends: nobody can be put into it meanwhile. */
export async function lockGroup(db: UserDb, partnerId: number, id: number): Promise<Group | null> {
  await db.$queryRaw`SELECT 1 FROM groups WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return findGroup(db, partnerId, id);
}

/**
 * Several groups without repeats, in the order of their ids, which stay until the transaction ends. Throws `E40404` on
 * `field` when the partner lacks one of them.
 */
export async function requireGroups(
  db: UserDb,
  partnerId: number,
  groupIds: readonly number[],
  field = 'groupIds',
): Promise<{ id: number; name: string; revision: number }[]> {
  const found = await db.$queryRaw<{ id: number; name: string; revision: number }[]>`
    SELECT id, name, revision FROM groups WHERE partner_id = ${partnerId} AND id = ANY(${[...groupIds]}::integer[])
    ORDER BY id FOR KEY SHARE`;
  if (found.length < groupIds.length) throw fieldError('E40404', field, 'notFound');
  return found;
}

/** Holds groups until the transaction ends: nobody can be put into them meanwhile. */
export async function lockGroups(db: UserDb, partnerId: number, ids: readonly number[]): Promise<void> {
  await db.$queryRaw`
    SELECT 1 FROM groups WHERE partner_id = ${partnerId} AND id = ANY(${[...ids]}::integer[]) ORDER BY id FOR UPDATE`;
}

/** What keeps groups from being deleted. */
export async function contentsOfGroups(
  db: UserDb,
  partnerId: number,
  groupIds: readonly number[],
  now: Date,
): Promise<{ hasUsers: boolean; hasFiles: boolean }> {
  const groupId = { in: [...groupIds] };
  const user = await db.membership.findFirst({ where: { partnerId, groupId } });
  // Holds first: one that becomes a file meanwhile is seen as the one or the other.
  const hold = await db.groupHold.findFirst({ where: { partnerId, groupId, endsAt: { gt: now } } });
  const file = await db.groupFile.findFirst({ where: { partnerId, groupId } });
  return { hasUsers: user !== null, hasFiles: hold !== null || file !== null };
}

export async function deleteGroupRows(db: UserDb, partnerId: number, ids: readonly number[]): Promise<void> {
  await db.group.deleteMany({ where: { partnerId, id: { in: [...ids] } } });
}

interface Hold {
  readonly partnerId: number;
  readonly assignmentId: string;
  readonly fileId: number;
  readonly groupIds: readonly number[];
}

/** Holds groups until `endsAt`, or until the event of the assignment is handled. A repeat changes nothing. */
export async function insertHolds(
  db: UserDb,
  { assignmentId, fileId, groupIds, partnerId }: Hold,
  endsAt: Date,
): Promise<void> {
  await db.groupHold.createMany({
    data: groupIds.map((groupId) => ({ partnerId, assignmentId, groupId, fileId, endsAt })),
    skipDuplicates: true,
  });
}

/** Deletes the expired holds of assignments whose event never arrived. */
export async function dropEndedHolds(db: UserDb, partnerId: number, now: Date): Promise<void> {
  await db.groupHold.deleteMany({ where: { partnerId, endsAt: { lte: now } } });
}

/** Ends the hold of an assignment, which was made or refused. */
export async function dropHold(db: UserDb, partnerId: number, assignmentId: string): Promise<void> {
  await db.groupHold.deleteMany({ where: { partnerId, assignmentId } });
}

/** The groups that a file is delivered to, from now on these alone. Other assignments that are about to be made stay so. */
export async function keepGroupsOfFile(
  db: UserDb,
  partnerId: number,
  assigned: { fileId: number; groupIds: readonly number[]; assignmentId?: string | undefined },
): Promise<void> {
  const { assignmentId, fileId, groupIds } = assigned;
  await db.groupFile.deleteMany({ where: { partnerId, fileId } });
  await db.groupFile.createMany({ data: groupIds.map((groupId) => ({ partnerId, fileId, groupId })) });
  if (assignmentId !== undefined) await dropHold(db, partnerId, assignmentId);
}

/** A file that is gone is delivered to no group, and will be to none. */
export async function forgetFile(db: UserDb, partnerId: number, fileId: number): Promise<void> {
  await db.groupFile.deleteMany({ where: { partnerId, fileId } });
  await db.groupHold.deleteMany({ where: { partnerId, fileId } });
}

async function uniqueName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'groups_partner_id_name_key_key')) {
      throw fieldError('E40029', 'name', 'notUnique');
    }
    throw error;
  }
}
