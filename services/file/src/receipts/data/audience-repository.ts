import { foldCase } from '@portal/contracts';
import { keptPlan } from '@portal/database';
import { slices } from '@portal/kernel';
import type { FileDb } from '../../data/db.ts';
import { plannedByIndex } from '../../data/plans.ts';

/** A person as the copy has them; `groupIds` is null of who is no user. */
export interface KnownPerson {
  readonly userId: number;
  readonly partnerId: number;
  readonly name: string;
  readonly loginId: string;
  readonly groupIds: readonly number[] | null;
}

export interface KnownDevice {
  readonly partnerId: number;
  readonly userId: number;
  readonly uuid: string;
  readonly name: string;
  readonly osType: string;
  readonly osVersion: string;
  readonly playerVersion: string;
}

/** The lock of `lockDelivery`, to be sent ahead of all else in a transaction of statements that look at few rows of large tables. */
export const deliveryLock = (partnerId: number) => ({
  text: `SELECT ${keptPlan.text} lock_delivery($1::integer), ${plannedByIndex}`,
  values: [partnerId],
});

/**
 * Whoever changes what the numbers of deliveries count does so alone in the tenant, to the end of the transaction. To be taken
 * before anything else of it is written.
 */
export async function lockDelivery(db: FileDb, partnerIds: Iterable<number>): Promise<void> {
  for (const partnerId of [...new Set(partnerIds)].sort((a, b) => a - b)) {
    await db.$executeRaw`SELECT lock_delivery(${partnerId}::integer)`;
  }
}

/** Keeps people as they are now. What was counted of them moves with them to the groups that they are in. */
export async function keepPeople(db: FileDb, people: readonly KnownPerson[]): Promise<void> {
  await lockDelivery(
    db,
    people.map(({ partnerId }) => partnerId),
  );
  const rows = JSON.stringify(
    people.map(({ groupIds, loginId, name, ...person }) => ({
      ...person,
      name,
      nameFolded: foldCase(name),
      loginId,
      loginFolded: foldCase(loginId),
      groupIds: groupIds && [...new Set(groupIds)].filter((id) => id !== 0).sort((a, b) => a - b),
    })),
  );
  await db.$executeRaw`
    INSERT INTO audiences (partner_id, group_ids)
    SELECT DISTINCT "partnerId", "groupIds" FROM jsonb_to_recordset(${rows}::jsonb) AS one ("partnerId" integer, "groupIds" integer[])
    WHERE "groupIds" IS NOT NULL ORDER BY 1, 2
    ON CONFLICT (partner_id, group_ids) DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO people AS known (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id)
    SELECT one."userId", one."partnerId", one.name, one."nameFolded", one."loginId", one."loginFolded", audience.id
    FROM jsonb_to_recordset(${rows}::jsonb) AS one ("userId" integer, "partnerId" integer, name text, "nameFolded" text,
      "loginId" text, "loginFolded" text, "groupIds" integer[])
    LEFT JOIN audiences audience ON audience.partner_id = one."partnerId" AND audience.group_ids = one."groupIds"
    ORDER BY one."userId"
    ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, name_folded = excluded.name_folded, login_id = excluded.login_id,
      login_folded = excluded.login_folded, audience_id = excluded.audience_id`;
  await follow(
    db,
    people.map(({ userId }) => userId),
  );
}

/** Of how many devices one statement writes what was told: each may have told of hundreds of files. */
const devicesAtOnce = 200;

/** Devices have the names and the audience of their people; so, of the audience, has what is known of them. */
async function follow(db: FileDb, userIds: readonly number[]): Promise<void> {
  const written = await db.$queryRaw<{ id: number; isMoved: boolean }[]>`
    UPDATE devices device SET audience_id = person.audience_id, user_folded = person.name_folded,
      login_folded = person.login_folded
    FROM people person JOIN devices before ON before.user_id = person.user_id
    WHERE person.user_id = ANY (${[...userIds]}::integer[]) AND device.id = before.id
      AND (before.audience_id, before.user_folded, before.login_folded)
        IS DISTINCT FROM (person.audience_id, person.name_folded, person.login_folded)
    RETURNING device.id, before.audience_id IS DISTINCT FROM device.audience_id AS "isMoved"`;
  const moved = written.flatMap(({ id, isMoved }) => (isMoved ? [id] : []));
  for (const ids of slices(moved, devicesAtOnce)) {
    await db.$executeRaw`
      UPDATE receipts receipt SET audience_id = device.audience_id FROM devices device
      WHERE device.id = ANY (${ids}::integer[]) AND receipt.device_id = device.id
        AND receipt.audience_id IS DISTINCT FROM device.audience_id`;
  }
}

export async function dropPeople(
  db: FileDb,
  people: readonly { readonly id: number; readonly partnerId: number }[],
): Promise<void> {
  await lockDelivery(
    db,
    people.map(({ partnerId }) => partnerId),
  );
  const userIds = people.map(({ id }) => id);
  const devices = await db.device.findMany({ where: { userId: { in: userIds } }, select: { id: true } });
  await dropDevices(
    db,
    devices.map(({ id }) => id),
  );
  await db.earlyReceipt.deleteMany({ where: { userId: { in: userIds } } });
  await db.person.deleteMany({ where: { userId: { in: userIds } } });
}

/** A device of a person, new or signed in anew; answers its id. Whose it was before has it no more. */
export async function keepDevice(db: FileDb, told: KnownDevice): Promise<number> {
  const { partnerId, userId, uuid, ...description } = told;
  await lockDelivery(db, [partnerId]);
  const person = await db.person.findUnique({ where: { userId } });
  const data = {
    ...description,
    nameFolded: foldCase(description.name),
    audienceId: person?.audienceId ?? null,
    userFolded: person?.nameFolded ?? '',
    loginFolded: person?.loginFolded ?? '',
  };
  const known = await db.device.findFirst({ where: { partnerId, uuid } });
  if (known?.userId === userId) {
    await db.device.update({ where: { id: known.id }, data });
    return known.id;
  }
  if (known) await dropDevices(db, [known.id]);
  const { id } = await db.device.create({ data: { ...data, partnerId, userId, uuid } });
  return id;
}

/** A device that is a person's no more. */
export async function dropDevice(
  db: FileDb,
  { partnerId, userId, uuid }: { readonly partnerId: number; readonly userId: number; readonly uuid: string },
): Promise<void> {
  await lockDelivery(db, [partnerId]);
  await db.earlyReceipt.deleteMany({ where: { partnerId, userId, uuid } });
  const devices = await db.device.findMany({ where: { partnerId, userId, uuid }, select: { id: true } });
  await dropDevices(
    db,
    devices.map(({ id }) => id),
  );
}

async function dropDevices(db: FileDb, ids: readonly number[]): Promise<void> {
  for (const some of slices(ids, devicesAtOnce)) {
    await db.receipt.deleteMany({ where: { deviceId: { in: some } } });
    await db.device.deleteMany({ where: { id: { in: some } } });
  }
}

/** Whether the copy of a person knows that they were deleted. */
export async function isGone(db: FileDb, copy: string, userId: number): Promise<boolean> {
  const gone = await db.$queryRaw<unknown[]>`
    SELECT FROM messaging.copy WHERE name = ${copy} AND id = ${userId} AND deleted_at IS NOT NULL`;
  return gone.length > 0;
}
