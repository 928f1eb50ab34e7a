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

/** Takes the sessions of a person away that a logout is about: those of the indexes alone, where it names some. */
export async function takeSessionsOf(
  db: SsoDb,
  {
    nameId,
    partnerId,
    sessionIndexes,
  }: { readonly partnerId: number; readonly nameId: string; readonly sessionIndexes: readonly string[] },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ sessionId: string }[]>`
    DELETE FROM sso_sessions WHERE session_id IN (
      SELECT session_id FROM sso_sessions
      WHERE partner_id = ${partnerId} AND name_id = ${nameId}
        AND (${sessionIndexes.length === 0} OR session_index = ANY(${[...sessionIndexes]}))
      LIMIT ${most})
    RETURNING session_id::text AS "sessionId"`;
  return rows.map(({ sessionId }) => sessionId);
}
