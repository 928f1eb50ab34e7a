import { createHash } from 'node:crypto';
import type { RawQueries } from '@portal/database';
import type { KeyCipher, SealedColumn } from '@portal/service-kit';
import { holdPeople } from '../../audience/data/people-repository.ts';
import { peopleCopy } from '../../audience/use-cases/keep-copies.ts';
import type { PushDb } from '../../data/db.ts';

/** A push token that a device told, and the number of that. */
export interface ToldToken {
  readonly partnerId: number;
  readonly uuid: string;
  readonly userId: number;
  readonly registration: number;
  readonly number: number;
  readonly service: string;
  readonly token: string;
}

/** A device whose push token was dropped. */
export interface DroppedDevice {
  readonly partnerId: number;
  readonly uuid: string;
  readonly userId: number;
  readonly number: number;
  readonly service: string;
}

/** What a stored push token is sealed for: the bytes of another device's are of no use in its row. */
const sealOf = ({ partnerId, uuid }: { readonly partnerId: number; readonly uuid: string }) =>
  `push token of ${partnerId} ${uuid}`;

export const sealedTokens: SealedColumn = {
  table: 'devices',
  column: 'token',
  key: { partner_id: 'integer', uuid: 'text' },
  of: (partnerId: string, uuid: string) => sealOf({ partnerId: Number(partnerId), uuid }),
};

/** By which a push token is found. */
export const tokenHashOf = (service: string, token: string): Buffer =>
  createHash('sha256').update(`${service} ${token}`).digest();

/** The push token of a device, as it was stored for it. */
export function openToken(
  cipher: KeyCipher,
  device: { readonly partnerId: number; readonly uuid: string; readonly token: Uint8Array },
): string {
  return cipher.open(device.token, sealOf(device));
}

/**
 * Keeps the push tokens that devices told, of each device one: a token belongs to the device that told it last, of whatever tenant.
 * What a device told before is replaced; what was told later stays. Answers the devices that lost a token to another one, in this
 * installation of all tenants.
 */
export async function keepTokens(
  db: PushDb,
  cipher: KeyCipher,
  told: readonly ToldToken[],
): Promise<DroppedDevice[]> {
  const rows = JSON.stringify(
    told.map(({ token, ...device }) => ({
      ...device,
      hash: tokenHashOf(device.service, token).toString('hex'),
      sealed: cipher.seal(token, sealOf(device)).toString('hex'),
    })),
  );
  const userIds = told.map(({ userId }) => userId);
  // A token that several devices tell at this moment has one of them after the other.
  await db.$queryRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(hash, 0))::text
    FROM (SELECT DISTINCT hash FROM jsonb_to_recordset(${rows}::jsonb) AS one (hash text) ORDER BY 1) AS hashes`;
  await db.$executeRaw`
    INSERT INTO people (user_id, partner_id, login_id, is_user)
    SELECT DISTINCT "userId", "partnerId", '', false
    FROM jsonb_to_recordset(${rows}::jsonb) AS one ("userId" integer, "partnerId" integer) ORDER BY 1
    ON CONFLICT DO NOTHING`;
  await holdPeople(db, userIds);
  const lost = await db.$queryRaw<(Omit<DroppedDevice, 'number'> & { number: bigint })[]>`
    WITH told AS (
      SELECT *, decode(hash, 'hex') AS token_hash
      FROM jsonb_to_recordset(${rows}::jsonb) AS one ("partnerId" integer, uuid text, number bigint, hash text))
    DELETE FROM devices d USING told
    WHERE d.token_hash = told.token_hash AND d.number < told.number
      AND (d.partner_id, d.uuid) <> (told."partnerId", told.uuid)
    RETURNING d.partner_id AS "partnerId", d.uuid, d.user_id AS "userId", d.number, d.service`;
  // What another device has told since is not this one's, even if that has ended; what this one told before that is not so any more
  // either.
  const late = await db.$queryRaw<(Omit<DroppedDevice, 'number'> & { number: bigint })[]>`
    WITH told AS (
      SELECT *, decode(hash, 'hex') AS token_hash
      FROM jsonb_to_recordset(${rows}::jsonb) AS one (
        "partnerId" integer, uuid text, "userId" integer, number bigint, service text, hash text)),
    late AS (
      SELECT told.* FROM told JOIN devices d ON d.token_hash = told.token_hash
      WHERE d.number > told.number AND (d.partner_id, d.uuid) <> (told."partnerId", told.uuid)
      UNION ALL
      SELECT told.* FROM told JOIN ended_tokens e ON e.token_hash = told.token_hash AND e.number > told.number
      UNION ALL
      SELECT told.* FROM told JOIN told other ON other.hash = told.hash AND other.number > told.number),
    replaced AS (
      DELETE FROM devices d USING late
      WHERE d.partner_id = late."partnerId" AND d.uuid = late.uuid AND d.number < late.number)
    SELECT DISTINCT "partnerId", uuid, "userId", number, service FROM late`;
  const isLate = new Set(late.map(({ partnerId, uuid }) => `${partnerId} ${uuid}`));
  const kept = JSON.stringify([...isLate]);
  await db.$executeRaw`
    INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
    SELECT "partnerId", uuid, "userId", registration, service, number, decode(sealed, 'hex'), decode(hash, 'hex')
    FROM jsonb_to_recordset(${rows}::jsonb) AS one (
      "partnerId" integer, uuid text, "userId" integer, registration integer, service text, number bigint,
      sealed text, hash text)
    WHERE NOT ${kept}::jsonb ? ("partnerId" || ' ' || uuid)
      AND NOT EXISTS (
        SELECT FROM messaging.copy WHERE name = ${peopleCopy} AND id = "userId" AND deleted_at IS NOT NULL)
    ON CONFLICT (partner_id, uuid) DO UPDATE SET user_id = excluded.user_id, registration = excluded.registration,
      service = excluded.service, number = excluded.number, token = excluded.token, token_hash = excluded.token_hash
    WHERE devices.number < excluded.number`;
  // Of those who were deleted before.
  await db.$executeRaw`
    DELETE FROM people WHERE user_id = ANY(${userIds}::integer[]) AND NOT is_user AND EXISTS (
      SELECT FROM messaging.copy WHERE name = ${peopleCopy} AND id = user_id AND deleted_at IS NOT NULL)`;
  return [...lost, ...late].map(({ number, ...device }) => ({ ...device, number: Number(number) }));
}

/** Takes the push tokens away that a device told up to this number. */
export async function clearToken(
  db: PushDb,
  { number, partnerId, uuid }: { readonly partnerId: number; readonly uuid: string; readonly number: number },
): Promise<void> {
  await db.device.deleteMany({ where: { partnerId, uuid, number: { lt: number } } });
}

/** Somebody else has signed in on a device, with its push token. */
export async function passTokenOn(
  db: PushDb,
  { partnerId, uuid }: { readonly partnerId: number; readonly uuid: string },
  {
    number,
    registration,
    userId,
  }: { readonly userId: number; readonly registration: number; readonly number: number },
): Promise<void> {
  const former = await db.device.findUnique({ where: { partnerId_uuid: { partnerId, uuid } } });
  if (!former || former.number > number) return;
  await db.$executeRaw`
    INSERT INTO people (user_id, partner_id, login_id, is_user) VALUES (${userId}, ${partnerId}, '', false)
    ON CONFLICT DO NOTHING`;
  await holdPeople(db, [former.userId, userId]);
  await db.device.updateMany({
    where: { partnerId, uuid, number: { lt: number } },
    data: { userId, registration, number },
  });
}

/** Drops a device that was removed from its user: in this registration and earlier ones or, where none is named, whichever they had. */
export async function deleteDevice(
  db: PushDb,
  {
    partnerId,
    registration,
    userId,
    uuid,
  }: {
    readonly partnerId: number;
    readonly uuid: string;
    readonly userId: number;
    readonly registration: number | undefined;
  },
): Promise<void> {
  await db.device.deleteMany({
    where: {
      partnerId,
      uuid,
      ...(registration === undefined ? { userId } : { registration: { lte: registration } }),
    },
  });
}

/** Forgets which push tokens have ended, so long ago that nothing is heard of from before. */
export async function forgetEndedTokens(db: PushDb, keptDays: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM ended_tokens WHERE (token_hash, partner_id) IN (
      SELECT token_hash, partner_id FROM ended_tokens
      WHERE ended_at < CURRENT_TIMESTAMP - make_interval(days => ${keptDays}::integer) LIMIT 10000)`;
}

/** Drops the push tokens of these numbers, which a provider does not know any more. Answers those that were still kept. */
export async function dropTokens(
  db: RawQueries,
  partnerId: number,
  tokens: readonly { readonly uuid: string; readonly number: number }[],
): Promise<DroppedDevice[]> {
  const dropped = await db.$queryRaw<(Omit<DroppedDevice, 'number'> & { number: bigint | string })[]>`
    DELETE FROM devices d USING jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb) AS gone (uuid text, number bigint)
    WHERE d.partner_id = ${partnerId} AND d.uuid = gone.uuid AND d.number = gone.number
    RETURNING d.partner_id AS "partnerId", d.uuid, d.user_id AS "userId", d.number, d.service`;
  return dropped.map(({ number, ...device }) => ({ ...device, number: Number(number) }));
}
