import { foldCase } from '@portal/contracts';
import { keptPlan } from '@portal/database';
import { slices } from '@portal/kernel';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
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

/** That of the groups of `one`, looked up by its whole key: a join may go through the audiences of all tenants. */
const audienceOf = Prisma.sql`(
  SELECT id FROM audiences WHERE partner_id = one."partnerId" AND key = audience_key(one."groupIds"))`;

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
    WHERE "groupIds" IS NOT NULL AND ${audienceOf} IS NULL ORDER BY 1, 2`;
  const left = await db.$queryRaw<{ id: number }[]>`
    WITH one AS MATERIALIZED (
      SELECT one.*, (SELECT audience_id FROM people WHERE user_id = one."userId") AS before, ${audienceOf} AS audience_id
      FROM jsonb_to_recordset(${rows}::jsonb) AS one ("userId" integer, "partnerId" integer, name text, "nameFolded" text,
        "loginId" text, "loginFolded" text, "groupIds" integer[])
    ), kept AS (
      INSERT INTO people AS known (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id)
      SELECT "userId", "partnerId", name, "nameFolded", "loginId", "loginFolded", audience_id FROM one ORDER BY "userId"
      ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, name_folded = excluded.name_folded, login_id = excluded.login_id,
        login_folded = excluded.login_folded, audience_id = excluded.audience_id
    )
    SELECT DISTINCT before AS id FROM one WHERE before IS NOT NULL AND before IS DISTINCT FROM audience_id`;
  await follow(
    db,
    people.map(({ userId }) => userId),
  );
  await dropEmptied(
    db,
    left.map(({ id }) => id),
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
  const left = await db.$queryRaw<{ id: number | null }[]>`
    DELETE FROM people WHERE user_id = ANY (${userIds}::integer[]) RETURNING audience_id AS id`;
  await dropEmptied(
    db,
    left.flatMap(({ id }) => id ?? []),
  );
}

/**
 * Those of these audiences that nobody is in any more go, with what was counted of them: else all groups that people were ever in
 * together would be gone through for each list of files. How much has changed in a tenant never becomes less: the audience of who is in
 * no group, which stays, takes it.
 */
async function dropEmptied(db: FileDb, audienceIds: readonly number[]): Promise<void> {
  if (audienceIds.length === 0) return;
  const gone = await db.$queryRaw<{ id: number; partnerId: number }[]>`
    WITH gone AS (
      DELETE FROM audiences
      WHERE id = ANY (${[...audienceIds]}::integer[]) AND people = 0 AND devices = 0 AND group_ids <> '{}'
      RETURNING id, partner_id, changes
    ), kept AS (
      INSERT INTO audiences AS known (partner_id, group_ids, changes)
      SELECT partner_id, '{}'::integer[], sum(changes) + 1 FROM gone GROUP BY 1 ORDER BY 1
      ON CONFLICT (partner_id, key) DO UPDATE SET changes = known.changes + excluded.changes
    )
    SELECT id, partner_id AS "partnerId" FROM gone`;
  for (const [partnerId, ofTenant] of Map.groupBy(gone, (audience) => audience.partnerId)) {
    const where = { partnerId, audienceId: { in: ofTenant.map(({ id }) => id) } };
    await db.deliveryCount.deleteMany({ where });
    await db.placeCount.deleteMany({ where });
  }
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
