import { limits, type RouteReply } from '@portal/contracts';
import type { listRevocations } from '@portal/contracts/internal';
import type { RawQueries } from '@portal/database';
import type { Owner } from '../domain/owner.ts';
import type { IdentityDb } from './db.ts';
import type { Session } from './generated/client.ts';

/** A token from before is over by then, be it signed a minute after. */
const roleChangeMatters = (limits.accessTokenLifetimeSeconds + 60) * 1000;

/**
 * What tokens that are not over do not say themselves: the ended sessions and the administrators with another role, from `since` on.
 * One statement, since every instance of every service asks every few seconds.
 */
export async function tokenChanges(
  db: RawQueries,
  now: Date,
  since = new Date(0),
): Promise<RouteReply<typeof listRevocations>> {
  const rolesSince = new Date(Math.max(now.getTime() - roleChangeMatters, since.getTime()));
  const [changes] = await db.$queryRaw<RouteReply<typeof listRevocations>[]>`
    SELECT
      (SELECT coalesce(json_agg(json_build_object('sessionId', id,
         'expiresAt', to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
       FROM sessions WHERE revoked_at >= ${since} AND expires_at > ${now}) AS sessions,
      (SELECT coalesce(json_agg(json_build_object('adminId', id, 'role', role, 'revision', revision)), '[]')
       FROM admins WHERE role_changed_at >= ${rolesSince}) AS roles`;
  if (!changes) throw new Error('One row was to come');
  return changes;
}

/** The sessions of a person that have not ended; `lastUsedAt` is of the sign-in until they are used later. */
export async function liveSessionsOf(
  db: IdentityDb,
  { accountId, accountKind }: Owner,
  now: Date,
): Promise<(Session & { lastUsedAt: Date })[]> {
  const sessions = await db.session.findMany({
    where: { accountKind, accountId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { startedAt: 'desc' },
  });
  return sessions.map((session) => ({ ...session, lastUsedAt: session.lastUsedAt ?? session.startedAt }));
}

export async function findSession(db: IdentityDb, id: string): Promise<Session | null> {
  return db.session.findUnique({ where: { id } });
}
