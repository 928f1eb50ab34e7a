import type { PushDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { type Audience, everyone } from '../domain/audience.ts';

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
  audience: Audience | { readonly groupIds: readonly number[] },
  { after = beginning, most }: { readonly after?: AudiencePlace | undefined; readonly most: number },
): Prisma.Sql {
  const users =
    audience === 'all'
      ? Prisma.sql`
          SELECT user_id FROM people
          WHERE partner_id = ${partnerId} AND user_id >= ${after.userId} AND is_user AND devices > 0`
      : 'userIds' in audience
        ? Prisma.sql`
            SELECT user_id FROM people
            WHERE partner_id = ${partnerId} AND user_id >= ${after.userId} AND is_user AND devices > 0
              AND user_id = ANY(${[...audience.userIds]}::integer[])`
        : 'groupIds' in audience
          ? // Of several groups each person comes once, so they are read by themselves.
            Prisma.sql`
              SELECT p.user_id FROM people p
              WHERE p.partner_id = ${partnerId} AND p.user_id >= ${after.userId} AND p.is_user AND p.devices > 0
                AND EXISTS (
                  SELECT FROM memberships m WHERE m.partner_id = ${partnerId} AND m.user_id = p.user_id
                    AND m.group_id = ANY(${[...audience.groupIds]}::integer[]))`
          : Prisma.sql`
            SELECT m.user_id FROM memberships m JOIN people p ON p.user_id = m.user_id
            WHERE m.partner_id = ${partnerId} AND m.group_id = ${audience.groupId} AND m.user_id >= ${after.userId}
              AND p.partner_id = ${partnerId} AND p.user_id >= ${after.userId} AND p.is_user AND p.devices > 0`;
  return Prisma.sql`
    SELECT users.user_id, of_user.uuid, of_user.service, of_user.number
    FROM (${users} ORDER BY user_id LIMIT ${most + 1}) AS users
    CROSS JOIN LATERAL (
      SELECT uuid, service, number FROM devices
      WHERE partner_id = ${partnerId} AND user_id = users.user_id
        AND (users.user_id > ${after.userId} OR uuid > ${after.uuid})
      ORDER BY uuid OFFSET 0) AS of_user
    ORDER BY users.user_id, of_user.uuid
    LIMIT ${most}`;
}
