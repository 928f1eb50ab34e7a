import { keptPlan, type RawQueries } from '@portal/database';
import type { SendingTransaction } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { nextStep, type ReceiptStatus, type Step } from '../domain/steps.ts';
import { lockDelivery } from './audience-repository.ts';
import { keepEarly } from './early-repository.ts';
import { keyOf, type Standing, type Stands, type VersionOnDevice } from './standing.ts';

/** What is told of a version on a device. */
export type ToldStep = Step & VersionOnDevice;

/** What a step changed, to be told to others: of each version on a device the last. */
export interface Received extends VersionOnDevice {
  readonly step: Step;
  /** Its state before; undefined: none was told. */
  readonly before: ReceiptStatus | undefined;
}

/**
 * Takes in what the devices of a tenant told, in the order in which it came: one write, however many there are. A device that is gone
 * by now is passed over; `roundOf` tells in which round of its rollout a version is. `lockDelivery` is to be held since `standing` was
 * read. Answers what has become of the states that changed.
 */
export async function takeSteps(
  db: RawQueries,
  partnerId: number,
  told: readonly ToldStep[],
  {
    roundOf = () => null,
    send,
    standing,
  }: {
    readonly standing: Standing;
    /** Of who does not look at what is written, which is sent with what follows it then. */
    readonly send?: SendingTransaction['send'] | undefined;
    readonly roundOf?: (version: Pick<ToldStep, 'fileId' | 'version'>) => number | null;
  },
): Promise<Received[]> {
  const changed = new Map<string, ToldStep & Pick<Stands, 'audienceId'> & { round: number | null }>();
  for (const step of told) {
    const key = keyOf(step);
    const stands = standing.get(key);
    if (!stands) continue;
    const known = changed.get(key) ?? stands.step;
    const { deviceId, fileId, version, ...one } = step;
    const next = nextStep(known, one);
    if (next === known) continue;
    const { audienceId } = stands;
    changed.set(key, { ...next, deviceId, audienceId, fileId, version, round: roundOf(step) });
  }
  if (changed.size === 0) return [];
  const write = Prisma.sql`
    INSERT ${keptPlan} INTO receipts AS known (partner_id, file_id, version, device_id, audience_id, status, reason, progress, at, told_by,
      round)
    SELECT ${partnerId}::integer, one."fileId", one.version, one."deviceId", one."audienceId", one.status, one.reason, one.progress,
      one.at, one."toldBy", one.round
    FROM jsonb_to_recordset(${JSON.stringify([...changed.values()])}::jsonb) AS one ("fileId" integer, version integer,
      "deviceId" integer, "audienceId" integer, status text, reason text, progress double precision, at timestamptz, "toldBy" text,
      round integer)
    ORDER BY one."fileId", one.version, one."deviceId"
    ON CONFLICT (file_id, version, device_id) DO UPDATE SET status = excluded.status, reason = excluded.reason,
      progress = excluded.progress, at = excluded.at, told_by = excluded.told_by, round = excluded.round`;
  if (send) send(write);
  else await db.$executeRaw(write);
  return [...changed]
    .filter(([key, { status }]) => standing.get(key)?.step?.status !== status)
    .map(([key, { audienceId: _audience, deviceId, fileId, round: _round, version, ...step }]) => ({
      deviceId,
      fileId,
      version,
      step,
      before: standing.get(key)?.step?.status,
    }));
}

/** Notes that an answer to a device held these versions. What is known of them already says more. */
export async function noteSeen(
  db: FileDb,
  partnerId: number,
  seen: readonly {
    readonly userId: number;
    readonly uuid: string;
    readonly fileId: number;
    readonly version: number;
    readonly at: Date;
  }[],
  now: Date,
): Promise<void> {
  await lockDelivery(db, [partnerId]);
  const rows = await db.$queryRaw<{ index: number }[]>`
    WITH one AS MATERIALIZED (
      SELECT one.*, device.id AS device_id, device.audience_id
      FROM jsonb_to_recordset(${JSON.stringify(seen.map((one, index) => ({ ...one, index })))}::jsonb) AS one
        (index integer, "userId" integer, uuid text, "fileId" integer, version integer, at timestamptz)
      LEFT JOIN devices device ON device.partner_id = ${partnerId} AND device.uuid = one.uuid
        AND device.user_id = one."userId"
    ), noted AS (
      INSERT INTO receipts (partner_id, file_id, version, device_id, audience_id, status, at)
      SELECT ${partnerId}::integer, "fileId", version, device_id, audience_id, 'seen', min(at) FROM one
      WHERE device_id IS NOT NULL GROUP BY 2, 3, 4, 5 ORDER BY 2, 3, 4
      ON CONFLICT (file_id, version, device_id) DO NOTHING
    )
    SELECT index FROM one WHERE device_id IS NULL ORDER BY index`;
  await keepEarly(
    db,
    partnerId,
    rows.flatMap(({ index }) => seen[index] ?? []).map((one) => ({ ...one, step: null })),
    now,
  );
}

/**
 * Deletes receipts of a partner that is gone, `most` at once. Those that are counted are found in the order of their index, since no
 * index has all of a partner; the few others by their devices.
 */
export async function deleteSomeReceipts(
  db: FileDb,
  { most, partnerId }: { readonly partnerId: number; readonly most: number },
): Promise<number> {
  await lockDelivery(db, [partnerId]);
  return db.$executeRaw`
    DELETE FROM receipts WHERE partner_id = ${partnerId} AND ctid = ANY (ARRAY(
      SELECT place FROM (
        (SELECT ctid AS place FROM receipts WHERE partner_id = ${partnerId} AND audience_id IS NOT NULL
         ORDER BY file_id, version, at, device_id LIMIT ${most})
        UNION ALL
        SELECT uncounted.ctid FROM devices device CROSS JOIN LATERAL (
          SELECT ctid FROM receipts WHERE device_id = device.id AND audience_id IS NULL LIMIT ${most}) uncounted
        WHERE device.partner_id = ${partnerId}) found
      LIMIT ${most}))`;
}

/**
 * Deletes receipts of a deleted file, at most `most` of one tenant, with the numbers over time, and once there are none as many of their
 * counts. Answers whether there may be more of it; else it is noted that all is gone.
 */
export async function forgetSomeOf(db: FileDb, fileId: number, most: number): Promise<boolean> {
  const select = { audienceId: true, deviceId: true, partnerId: true };
  const told = await db.receipt.findFirst({ where: { fileId }, select });
  if (told) {
    const { audienceId, deviceId, partnerId } = told;
    await lockDelivery(db, [partnerId]);
    // In the order of the index of what is counted: an application has receipts of all its tenants.
    const some = Prisma.sql`
      SELECT ctid FROM receipts WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND audience_id IS NOT NULL
      ORDER BY version, at, device_id LIMIT ${most}`;
    const ofDevice = Prisma.sql`SELECT ctid FROM receipts WHERE file_id = ${fileId} AND device_id = ${deviceId}`;
    await db.$executeRaw`
      DELETE FROM receipts WHERE ctid = ANY (ARRAY(${audienceId === null ? ofDevice : some}))`;
    await db.deliveryPoint.deleteMany({ where: { partnerId, fileId } });
    return true;
  }
  const counts = await db.$executeRaw`
    DELETE FROM delivery_counts WHERE ctid = ANY (ARRAY(SELECT ctid FROM delivery_counts WHERE file_id = ${fileId} LIMIT ${most}))`;
  const ofPlaces = await db.$executeRaw`
    DELETE FROM place_counts WHERE ctid = ANY (ARRAY(SELECT ctid FROM place_counts WHERE file_id = ${fileId} LIMIT ${most}))`;
  if (counts + ofPlaces > 0) return true;
  await db.file.updateMany({ where: { id: fileId }, data: { forgotten: true } });
  return false;
}
