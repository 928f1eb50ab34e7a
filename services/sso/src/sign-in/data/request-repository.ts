import type { SsoDb } from '../../data/db.ts';
import type { SamlRequest } from '../../data/generated/client.ts';

export type { SamlRequest } from '../../data/generated/client.ts';

/** Open requests of a tenant at once: what is older than the newest so many is over. */
const mostOpen = 10_000;

/** Keeps a request until its answer comes. Who floods a tenant with requests ends the oldest alone. */
export async function insertRequest(db: SsoDb, request: SamlRequest): Promise<void> {
  await db.samlRequest.create({ data: request, select: { id: true } });
  const { partnerId } = request;
  await db.$executeRaw`
    DELETE FROM saml_requests WHERE partner_id = ${partnerId} AND expires_at < (
      SELECT expires_at FROM saml_requests WHERE partner_id = ${partnerId}
      ORDER BY expires_at DESC OFFSET ${mostOpen - 1} LIMIT 1)`;
}

/** The request of this id, which is over with it: of several answers one gets it. */
export async function takeRequest(db: SsoDb, id: string, now: Date): Promise<SamlRequest | null> {
  const [request] = await db.$queryRaw<SamlRequest[]>`
    DELETE FROM saml_requests WHERE id = ${id} AND expires_at > ${now}
    RETURNING id, partner_id AS "partnerId", kind::text AS kind, redirect_url AS "redirectUrl",
      code_challenge AS "codeChallenge", test_id AS "testId", expires_at AS "expiresAt"`;
  return request ?? null;
}

export interface Message {
  readonly partnerId: number;
  readonly hash: Buffer<ArrayBuffer>;
  readonly expiresAt: Date;
}

/** Notes that a message was seen; false where it was before. */
export async function isNewMessage(
  db: SsoDb,
  { expiresAt, hash: messageHash, partnerId }: Message,
): Promise<boolean> {
  const { count } = await db.seenMessage.createMany({
    data: [{ partnerId, messageHash, expiresAt }],
    skipDuplicates: true,
  });
  return count > 0;
}

export async function wasSeen(
  db: SsoDb,
  { hash: messageHash, partnerId }: Omit<Message, 'expiresAt'>,
): Promise<boolean> {
  const where = { partnerId_messageHash: { partnerId, messageHash } };
  return (await db.seenMessage.findUnique({ where, select: { partnerId: true } })) !== null;
}
