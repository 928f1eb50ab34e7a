import type { SsoDb } from '../../data/db.ts';
import type { SsoSession } from '../../data/generated/client.ts';

export type { SsoSession } from '../../data/generated/client.ts';

export async function insertSession(db: SsoDb, session: SsoSession): Promise<void> {
  await db.ssoSession.create({ data: session, select: { sessionId: true } });
}

export async function findSession(db: SsoDb, sessionId: string): Promise<SsoSession | null> {
  return db.ssoSession.findUnique({ where: { sessionId } });
}

/** Of one call to the identity service. */
const most = 1000;

/** Whom a logout is about: with sessions of the indexes alone, where it names some. */
export interface LoggedOut {
  readonly partnerId: number;
  readonly nameId: string;
  readonly sessionIndexes: readonly string[];
}

/** The sessions that a logout is about, as many as end at once. */
export async function findSessionsOf(
  db: SsoDb,
  { nameId, partnerId, sessionIndexes }: LoggedOut,
): Promise<string[]> {
  const rows = await db.ssoSession.findMany({
    where: {
      partnerId,
      nameId,
      ...(sessionIndexes.length > 0 && { sessionIndex: { in: [...sessionIndexes] } }),
    },
    select: { sessionId: true },
    take: most,
  });
  return rows.map(({ sessionId }) => sessionId);
}

/** Those that are gone are passed over. */
export async function deleteSessions(
  db: SsoDb,
  partnerId: number,
  sessionIds: readonly string[],
): Promise<void> {
  await db.ssoSession.deleteMany({ where: { partnerId, sessionId: { in: [...sessionIds] } } });
}
