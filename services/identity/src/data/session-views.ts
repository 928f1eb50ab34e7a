import type { Owner } from '../domain/owner.ts';
import type { IdentityDb } from './db.ts';
import type { Session } from './generated/client.ts';

/** Sessions that were ended before their tokens run out, from `since` on. */
export async function liveRevocations(
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
