import type { PushDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { type Audience, type AudienceToRead, everyone } from '../domain/audience.ts';

/** A device in the order in which an audience is read. */
export interface AudiencePlace {
  readonly userId: number;
  readonly uuid: string;
}

/** How many users an audience has, how many of them have a device that pushes reach, and how many devices these are. */
export async function countAudience(
  db: PushDb,
  partnerId: number,
  audience: Audience,
): Promise<{ users: number; people: number; devices: number }> {
  const [counted] = await db.$queryRaw<{ users: number; people: number; devices: number }[]>(
    audience !== 'all' && 'userIds' in audience
      ? Prisma.sql`
          SELECT count(*)::integer AS users, (count(*) FILTER (WHERE devices > 0))::integer AS people,
            coalesce(sum(devices), 0)::integer AS devices
          FROM people
          WHERE partner_id = ${partnerId} AND user_id = ANY(${[...audience.userIds]}::integer[]) AND is_user`
      : Prisma.sql`
          SELECT coalesce(sum(users), 0)::integer AS users, coalesce(sum(people), 0)::integer AS people,
            coalesce(sum(devices), 0)::integer AS devices
          FROM audience_counts
          WHERE partner_id = ${partnerId} AND group_id = ${audience === 'all' ? everyone : audience.groupId}`,
  );
  return counted ?? { users: 0, people: 0, devices: 0 };
}

/** Before the first device. */
const beginning: AudiencePlace = { userId: 0, uuid: '' };

/**
 * A query of the next devices of an audience, at most so many: `user_id`, `uuid`, `service` and `number`, in the order of
 * `AudiencePlace`. A page reads from indexes what it answers and what it passes over, and nothing before it: each of its users has a
 * device, but for the one whose last device `after` is.
 */
export function audiencePage(
  partnerId: number,
  audience: AudienceToRead,
  {
    after = beginning,
    file,
    most,
  }: {
    readonly after?: AudiencePlace | undefined;
    readonly most: number;
    /** The file that it tells of: whom another notification has told of that is left out. */
    readonly file?: { readonly fileId: number; readonly notificationId: number } | undefined;
  },
): Prisma.Sql {
  const [from, isMeant] = whoIs(partnerId, audience);
  const isNew = file
    ? Prisma.sql`
        AND NOT EXISTS (
          SELECT FROM file_pushes f
          WHERE f.partner_id = ${partnerId} AND f.file_id = ${file.fileId} AND f.user_id = p.user_id
            AND f.notification_id <> ${file.notificationId})`
    : Prisma.empty;
  const users = Prisma.sql`
    SELECT p.user_id FROM ${from}
    WHERE p.partner_id = ${partnerId} AND p.user_id >= ${after.userId} AND p.is_user AND p.devices > 0
      AND ${isMeant(after)} ${isNew}`;
  return Prisma.sql`
    SELECT users.user_id, of_user.uuid, of_user.service, of_user.number
    FROM (${users} ORDER BY p.user_id LIMIT ${most + 1}) AS users
    CROSS JOIN LATERAL (
      SELECT uuid, service, number FROM devices
      WHERE partner_id = ${partnerId} AND user_id = users.user_id
        AND (users.user_id > ${after.userId} OR uuid > ${after.uuid})
      ORDER BY uuid OFFSET 0) AS of_user
    ORDER BY users.user_id, of_user.uuid
    LIMIT ${most}`;
}

/** Where the people of an audience are read from, as `p`, and what holds for them. */
function whoIs(
  partnerId: number,
  audience: AudienceToRead,
): readonly [from: Prisma.Sql, isMeant: (after: AudiencePlace) => Prisma.Sql] {
  const people = Prisma.sql`people p`;
  if (audience === 'all') return [people, () => Prisma.sql`true`];
  if ('userIds' in audience) {
    return [people, () => Prisma.sql`p.user_id = ANY(${[...audience.userIds]}::integer[])`];
  }
  if ('groupId' in audience) {
    return [
      Prisma.sql`memberships m JOIN people p ON p.user_id = m.user_id`,
      // What is known of the one is said of the other as well: either may be read first.
      ({ userId }) => Prisma.sql`
        m.partner_id = ${partnerId} AND m.group_id = ${audience.groupId} AND m.user_id >= ${userId}`,
    ];
  }
  // Of several groups each person comes once, so they are read by themselves.
  return [
    people,
    () => Prisma.sql`EXISTS (
      SELECT FROM memberships m WHERE m.partner_id = ${partnerId} AND m.user_id = p.user_id
        AND m.group_id = ANY(${[...audience.groupIds]}::integer[]))`,
  ];
}
