import type { PushDb } from '../../data/db.ts';

export interface KnownPerson {
  readonly userId: number;
  readonly partnerId: number;
  readonly loginId: string;
  readonly isUser: boolean;
  readonly groupIds: readonly number[];
}

/** Keeps people as they are now, and the groups that they are in, each person once and by their ids. */
export async function keepPeople(db: PushDb, people: readonly KnownPerson[]): Promise<void> {
  const rows = JSON.stringify(people);
  await db.$executeRaw`
    INSERT INTO people (user_id, partner_id, login_id, is_user)
    SELECT "userId", "partnerId", "loginId", "isUser"
    FROM jsonb_to_recordset(${rows}::jsonb) AS one ("userId" integer, "partnerId" integer, "loginId" text, "isUser" boolean)
    ORDER BY 1
    ON CONFLICT (user_id) DO UPDATE SET login_id = excluded.login_id, is_user = excluded.is_user`;
  await db.$executeRaw`
    DELETE FROM memberships m
    USING jsonb_to_recordset(${rows}::jsonb) AS one ("userId" integer, "partnerId" integer, "groupIds" jsonb)
    WHERE m.partner_id = one."partnerId" AND m.user_id = one."userId"
      AND NOT one."groupIds" @> to_jsonb(m.group_id)`;
  await db.$executeRaw`
    INSERT INTO memberships (partner_id, group_id, user_id)
    SELECT one."partnerId", of.id::integer, one."userId"
    FROM jsonb_to_recordset(${rows}::jsonb) AS one ("userId" integer, "partnerId" integer, "groupIds" jsonb),
      jsonb_array_elements(one."groupIds") AS of (id)
    ON CONFLICT DO NOTHING`;
}

/** Deletes people with their devices. In this order: each is counted by what is there of the next. */
export async function deletePeople(
  db: PushDb,
  people: readonly { readonly userId: number; readonly partnerId: number }[],
): Promise<void> {
  await holdPeople(
    db,
    people.map(({ userId }) => userId),
  );
  for (const [partnerId, ofTenant] of Map.groupBy(people, (person) => person.partnerId)) {
    // With their tenant: no index begins with the person, so that what all tenants have would be read.
    const where = { partnerId, userId: { in: ofTenant.map(({ userId }) => userId) } };
    await db.device.deleteMany({ where });
    await db.membership.deleteMany({ where });
    await db.person.deleteMany({ where });
  }
}

/** Holds people until the transaction ends, by their ids. */
export async function holdPeople(db: PushDb, userIds: readonly number[]): Promise<void> {
  await db.$queryRaw`
    SELECT 1 FROM people WHERE user_id = ANY(${[...userIds]}::integer[]) ORDER BY user_id FOR UPDATE`;
}

export async function keepGroups(
  db: PushDb,
  groups: readonly { readonly groupId: number; readonly partnerId: number; readonly name: string }[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO groups (group_id, partner_id, name)
    SELECT "groupId", "partnerId", name
    FROM jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) AS one ("groupId" integer, "partnerId" integer, name text)
    ON CONFLICT (group_id) DO UPDATE SET name = excluded.name`;
}

/** Nobody is in a deleted group, by whatever was told last of them. */
export async function deleteGroups(
  db: PushDb,
  groups: readonly { readonly groupId: number; readonly partnerId: number }[],
): Promise<void> {
  for (const { groupId, partnerId } of groups) {
    // Held first, as by whoever tells of their devices: the counts would drift apart otherwise.
    await db.$executeRaw`
      WITH held AS (
        SELECT user_id FROM people
        WHERE user_id IN (SELECT user_id FROM memberships WHERE partner_id = ${partnerId} AND group_id = ${groupId})
        ORDER BY user_id FOR UPDATE
      )
      DELETE FROM memberships m USING held
      WHERE m.partner_id = ${partnerId} AND m.group_id = ${groupId} AND m.user_id = held.user_id`;
  }
  await db.group.deleteMany({ where: { groupId: { in: groups.map(({ groupId }) => groupId) } } });
}

/** Whether the partner has all of these groups, as far as this service knows. */
export async function hasGroups(
  db: PushDb,
  partnerId: number,
  groupIds: readonly number[],
): Promise<boolean> {
  const wanted = [...new Set(groupIds)];
  return (await db.group.count({ where: { partnerId, groupId: { in: wanted } } })) === wanted.length;
}

/** The users among `userIds`, by their ids. */
export async function findUsers(
  db: PushDb,
  partnerId: number,
  userIds: readonly number[],
): Promise<{ id: number; loginId: string }[]> {
  const users = await db.person.findMany({
    where: { partnerId, isUser: true, userId: { in: [...userIds] } },
    orderBy: { userId: 'asc' },
    select: { userId: true, loginId: true },
  });
  return users.map(({ loginId, userId: id }) => ({ id, loginId }));
}
