import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import type { DueShares } from '../../files/data/due-shares.ts';
import type { Plan } from '../domain/plan.ts';
import { placedVersion } from './plan-sql.ts';

type Place = Pick<Change, 'db' | 'partnerId'>;

/** By what people are told. */
interface Asked {
  readonly notifyEmail: boolean;
  readonly notifyPush: boolean;
}

/** What a tenant asks for is that of an offer; of its own file the file says it. */
interface Telling extends Asked {
  /** A hash of what decides about whom the file has reached. */
  readonly standing: string;
  /** The people up to this id have been looked at since that became so; null: all of them. */
  readonly passed: number | null;
}

const { sql } = Prisma;

/** What decides about whom a file has reached, of all its tenants, and of the one that `telling` is of. */
const standingOfAll = sql`concat_ws('|', file.deleted, file.current_version_id, file.base_version, file.notify_email, file.notify_push,
  (SELECT string_agg(concat_ws(' ', rollout.id, rollout.state, rollout.number, rollout.stages, rollout.keeps), ' ' ORDER BY rollout.id)
    FROM rollouts rollout WHERE rollout.file_id = file.id AND rollout.active))`;
const standingOf = (ofAll: Prisma.Sql) => sql`md5(concat_ws('|', ${ofAll},
  (SELECT string_agg(assignment.group_id::text, ' ' ORDER BY assignment.group_id) FROM assignments assignment
    WHERE assignment.partner_id = telling.partner_id AND assignment.file_id = telling.file_id AND assignment.removed_in IS NULL)))`;

/** From now on people of the file are told as it reaches them. All are looked at anew; who was told is not told again. */
export async function beginTelling(
  { db, partnerId }: Place,
  { id: fileId, notifyEmail, notifyPush }: Asked & { readonly id: number },
): Promise<void> {
  await db.telling.upsert({
    where: { partnerId_fileId: { partnerId, fileId } },
    create: { fileId, notifyEmail, notifyPush, partnerId },
    update: { notifyEmail, notifyPush, passed: 0 },
  });
}

/** Of all tenants: files that may have reached somebody who was not told, by their ids. */
export async function findTellings(
  db: FileDb,
  { except, limit, share }: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  // An application is looked at once, however many tenants are told of it.
  return db.$queryRaw<{ id: number; partnerId: number }[]>`
    WITH told AS MATERIALIZED (
      SELECT file.id, ${standingOfAll} AS standing FROM files file WHERE file.id IN (SELECT file_id FROM tellings)
    )
    SELECT id, partner_id AS "partnerId" FROM (
      SELECT telling.file_id AS id, telling.partner_id,
        row_number() OVER (PARTITION BY telling.partner_id ORDER BY telling.file_id) AS place
      FROM tellings telling JOIN told ON told.id = telling.file_id
      WHERE telling.partner_id <> ALL (${[...except]}::integer[])
        AND (telling.passed IS NOT NULL OR telling.seen IS DISTINCT FROM ${standingOf(sql`told.standing`)})) AS due
    WHERE place <= ${share} ORDER BY place, id, partner_id LIMIT ${limit}`;
}

export async function findTelling({ db, partnerId }: Place, fileId: number): Promise<Telling | undefined> {
  const [found] = await db.$queryRaw<Telling[]>`
    SELECT telling.notify_email AS "notifyEmail", telling.notify_push AS "notifyPush", now.standing,
      CASE WHEN telling.seen IS DISTINCT FROM now.standing THEN 0 ELSE telling.passed END AS passed
    FROM tellings telling JOIN files file ON file.id = telling.file_id
    CROSS JOIN LATERAL (SELECT ${standingOf(standingOfAll)} AS standing) now
    WHERE telling.file_id = ${fileId} AND telling.partner_id = ${partnerId}`;
  return found;
}

export async function tellingsOf({ db, partnerId }: Place): Promise<(Asked & { fileId: number })[]> {
  return db.telling.findMany({
    where: { partnerId },
    select: { fileId: true, notifyEmail: true, notifyPush: true },
  });
}

export async function saveTelling(
  { db, partnerId }: Place,
  fileId: number,
  { passed, standing: seen }: Omit<Telling, keyof Asked>,
): Promise<void> {
  await db.telling.updateMany({ where: { fileId, partnerId }, data: { passed, seen } });
}

/** Nobody is left who would have to be told by themselves. */
export async function endTelling({ db, partnerId }: Place, fileId: number): Promise<void> {
  await db.telling.deleteMany({ where: { fileId, partnerId } });
  await db.toldPerson.deleteMany({ where: { fileId, partnerId } });
}

/** Whom a file reaches: the groups that it is delivered to, and which version each device gets. */
interface Reach {
  readonly plan: Plan;
  readonly groupIds: readonly number[];
}

/**
 * Notes of the next people, at most `most` of them are looked at, who of them are to be told: those for whom a device the file has
 * come in, or who have none while a stage of 100 percent reaches them. Answers them, and where to go on; null: those were all.
 */
export async function claimNext(
  place: Place,
  reach: Reach,
  { most, passed }: { readonly passed: number; readonly most: number },
): Promise<{ readonly userIds: number[]; readonly passed: number | null }> {
  const { db, partnerId } = place;
  const looked = sql`
    SELECT user_id, audience_id, places FROM people
    WHERE partner_id = ${partnerId} AND user_id > ${passed} AND audience_id IS NOT NULL ORDER BY user_id LIMIT ${most}`;
  const [last] = await db.$queryRaw<{ count: number; userId: number | null }[]>`
    SELECT count(*)::integer AS count, max(user_id) AS "userId" FROM (${looked}) looked`;
  const userIds = await claim(place, reach, looked);
  return { userIds, passed: last && last.count === most ? last.userId : null };
}

/** The same for these people. */
export async function claimThese(place: Place, reach: Reach, userIds: readonly number[]): Promise<number[]> {
  return claim(
    place,
    reach,
    sql`SELECT user_id, audience_id, places FROM people
      WHERE partner_id = ${place.partnerId} AND user_id = ANY (${[...userIds]}::integer[]) AND audience_id IS NOT NULL`,
  );
}

async function claim(
  { db, partnerId }: Place,
  { groupIds, plan }: Reach,
  looked: Prisma.Sql,
): Promise<number[]> {
  const version = placedVersion(plan, { place: sql`device.place`, groupIds: sql`audience.group_ids` });
  const rows = await db.$queryRaw<{ userId: number }[]>`
    WITH looked AS MATERIALIZED (${looked}), told AS (
      INSERT INTO told_people (partner_id, file_id, user_id)
      SELECT ${partnerId}::integer, ${plan.fileId}::integer, looked.user_id
      FROM looked JOIN audiences audience ON audience.id = looked.audience_id
      WHERE (${groupIds.includes(everyone)} OR audience.group_ids && ${[...groupIds]}::integer[])
        AND EXISTS (
          SELECT FROM unnest(CASE looked.places WHEN '{}' THEN ARRAY[NULL]::integer[] ELSE looked.places END) device (place)
          WHERE ${version} IS NOT NULL)
      ON CONFLICT DO NOTHING
      RETURNING user_id
    )
    SELECT user_id AS "userId" FROM told ORDER BY 1`;
  return rows.map(({ userId }) => userId);
}

/** Somebody has another device or other groups: where files go out in stages in the tenant, one may have reached them. */
export async function noteNewcomers(
  db: FileDb,
  partnerId: number,
  people: readonly { readonly userId: number; readonly addedAt: Date }[],
): Promise<void> {
  if (people.length === 0) return;
  await db.$executeRaw`
    INSERT INTO newcomers (partner_id, user_id, at)
    SELECT ${partnerId}::integer, "userId", max("addedAt")
    FROM jsonb_to_recordset(${JSON.stringify(people)}::jsonb) AS one ("userId" integer, "addedAt" timestamptz)
    WHERE EXISTS (SELECT FROM tellings WHERE partner_id = ${partnerId})
    GROUP BY "userId" ORDER BY "userId"
    ON CONFLICT (partner_id, user_id) DO UPDATE SET at = excluded.at`;
}

/** Of all tenants: those with people who came before this time. */
export async function tenantsOfNewcomers(
  db: FileDb,
  before: Date,
  { except, limit }: Pick<DueShares, 'except' | 'limit'>,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ partnerId: number }[]>`
    SELECT DISTINCT partner_id AS "partnerId" FROM newcomers
    WHERE at <= ${before} AND partner_id <> ALL (${[...except]}::integer[]) ORDER BY 1 LIMIT ${limit}`;
  return rows.map(({ partnerId }) => partnerId);
}

/** Takes people of a tenant out of those who came before this time. One who comes again meanwhile stays. */
export async function takeNewcomers(
  { db, partnerId }: Place,
  before: Date,
  limit: number,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ userId: number }[]>`
    DELETE FROM newcomers WHERE partner_id = ${partnerId} AND ctid = ANY (ARRAY(
      SELECT ctid FROM newcomers WHERE partner_id = ${partnerId} AND at <= ${before}
      ORDER BY user_id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING user_id AS "userId"`;
  return rows.map(({ userId }) => userId);
}
