import { limits, type RouteReply } from '@portal/contracts';
import type { listRevocations } from '@portal/contracts/internal';
import type { Owner } from '../domain/owner.ts';
import type { IdentityDb } from './db.ts';
import type { Session } from './generated/client.ts';

/** A token from before is over by then, be it signed a minute after. */
const roleChangeMatters = (limits.accessTokenLifetimeSeconds + 60) * 1000;

/** Sessions that were ended before their tokens run out, from `since` on. */
async function liveRevocations(
  db: IdentityDb,
  now: Date,
  since = new Date(0),
): Promise<{ sessionId: string; expiresAt: string }[]> {
  const sessions = await db.session.findMany({
    where: { revokedAt: { gte: since }, expiresAt: { gt: now } },
    select: { id: true, expiresAt: true },
  });
  return sessions.map(({ id, expiresAt }) => ({ sessionId: id, expiresAt: expiresAt.toISOString() }));
}

/** The administrators who have another role than tokens may still say, from `since` on. */
async function changedRoles(
  db: IdentityDb,
  now: Date,
  since = new Date(0),
): Promise<{ adminId: number; role: number; revision: number }[]> {
  const oldest = now.getTime() - roleChangeMatters;
  const admins = await db.admin.findMany({
    where: { roleChangedAt: { gte: new Date(Math.max(oldest, since.getTime())) } },
    select: { id: true, role: true, revision: true },
  });
  return admins.map(({ id, ...state }) => ({ adminId: id, ...state }));
}

/** What tokens that are not over do not say themselves, from `since` on. */
export async function tokenChanges(
  db: IdentityDb,
  now: Date,
  since?: Date,
): Promise<RouteReply<typeof listRevocations>> {
  return {
    sessions: await liveRevocations(db, now, since),
    roles: await changedRoles(db, now, since),
  };
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
