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

export async function findSession(db: IdentityDb, id: string): Promise<Session | null> {
  return db.session.findUnique({ where: { id } });
}
