import {
  formatDateTime,
  formatNullableDateTime,
  type RouteReply,
  ssoLimits,
  type ssoTokenRoutes,
} from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { SsoDb } from '../../data/db.ts';

/** The newest first. */
export async function listTokens(
  db: SsoDb,
  partnerId: number,
): Promise<RouteReply<typeof ssoTokenRoutes.listProvisioningTokens>> {
  const found = await db.provisioningToken.findMany({ where: { partnerId }, orderBy: { id: 'desc' } });
  return {
    tokens: found.map(({ createdAt, id, lastUsedAt, name }) => ({
      id,
      name,
      createdAt: formatDateTime(createdAt),
      lastUsedAt: formatNullableDateTime(lastUsedAt),
    })),
  };
}

/** Throws `E40032` for one more than a partner may have. */
export async function insertToken(
  db: SsoDb,
  partnerId: number,
  token: { readonly name: string; readonly hash: Buffer<ArrayBuffer> },
  now: Date,
): Promise<number> {
  // Two at the same moment are counted one after the other.
  await db.$queryRaw`SELECT 1 FROM partners WHERE partner_id = ${partnerId} FOR UPDATE`;
  const count = await db.provisioningToken.count({ where: { partnerId } });
  if (count >= ssoLimits.maxTokens) throw new AppError('E40032');
  const { id } = await db.provisioningToken.create({ data: { partnerId, ...token, createdAt: now } });
  return id;
}

/** Answers the name of the one that is gone. Throws `E40401` for one that the partner does not have. */
export async function deleteToken(db: SsoDb, partnerId: number, id: number): Promise<string> {
  const [gone] = await db.$queryRaw<{ name: string }[]>`
    DELETE FROM provisioning_tokens WHERE partner_id = ${partnerId} AND id = ${id} RETURNING name`;
  if (!gone) throw new AppError('E40401');
  return gone.name;
}

export async function findToken(
  db: SsoDb,
  hash: Buffer<ArrayBuffer>,
): Promise<{ readonly id: number; readonly partnerId: number; readonly lastUsedAt: Date | null } | null> {
  return db.provisioningToken.findUnique({
    where: { hash },
    select: { id: true, partnerId: true, lastUsedAt: true },
  });
}

/** What another instance has noted for this minute stays. */
export async function noteTokenUse(db: SsoDb, id: number, minute: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE provisioning_tokens SET last_used_at = ${minute}
    WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${minute})`;
}
