import { isUniqueViolation } from '@portal/database';
import { fieldError } from '@portal/kernel';
import { keyOf } from '../domain/text-key.ts';
import type { UserDb } from './db.ts';
import type { Group } from './generated/client.ts';

interface GroupFields {
  readonly name: string;
  readonly note: string;
  readonly role: number;
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
      data: { partnerId, ...fields, nameKey: keyOf(fields.name), createdAt: now, updatedAt: now },
    }),
  );
}

/** Throws `E40029` on the name when another group of the partner has it. */
export async function saveGroup(
  db: UserDb,
  group: { readonly partnerId: number; readonly id: number },
  fields: GroupFields,
  now: Date,
): Promise<void> {
  const { id, partnerId } = group;
  await uniqueName(async () =>
    db.group.update({
      where: { partnerId_id: { partnerId, id } },
      data: { ...fields, nameKey: keyOf(fields.name), updatedAt: now },
    }),
  );
}

/** Holds the group until the transaction ends: nobody can be put into it meanwhile. */
export async function lockGroup(db: UserDb, partnerId: number, id: number): Promise<Group | null> {
  await db.$queryRaw`SELECT 1 FROM groups WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return db.group.findUnique({ where: { partnerId_id: { partnerId, id } } });
}

/** How many users and files a group has. */
export async function contentsOfGroup(
  db: UserDb,
  partnerId: number,
  groupId: number,
): Promise<{ users: number; files: number }> {
  return {
    users: await db.membership.count({ where: { partnerId, groupId } }),
    files: await db.groupFile.count({ where: { partnerId, groupId } }),
  };
}

export async function deleteGroupRow(db: UserDb, partnerId: number, id: number): Promise<void> {
  await db.group.delete({ where: { partnerId_id: { partnerId, id } } });
}

/** The groups that a file is delivered to, from now on these alone. */
export async function keepGroupsOfFile(
  db: UserDb,
  partnerId: number,
  fileId: number,
  groupIds: readonly number[],
): Promise<void> {
  await db.groupFile.deleteMany({ where: { partnerId, fileId } });
  await db.groupFile.createMany({ data: groupIds.map((groupId) => ({ partnerId, fileId, groupId })) });
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
