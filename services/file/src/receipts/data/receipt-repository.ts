import { keptPlan } from '@portal/database';
import type { FileDb } from '../../data/db.ts';
import { nextStep, type ReceiptStatus, type Step } from '../domain/steps.ts';
import { lockDelivery } from './audience-repository.ts';
import { keepEarly } from './early-repository.ts';

/** What is told of a version on a device. */
export interface ToldStep extends Step {
  readonly fileId: number;
  readonly version: number;
  readonly deviceId: number;
}

/** What a step changed, to be told to others: of each version on a device the last. */
export interface Received {
  readonly fileId: number;
  readonly version: number;
  readonly deviceId: number;
  readonly step: Step;
  /** Its state before; undefined: none was told. */
  readonly before: ReceiptStatus | undefined;
}

const keyOf = ({ deviceId, fileId, version }: Pick<ToldStep, 'deviceId' | 'fileId' | 'version'>): string =>
  `${fileId} ${version} ${deviceId}`;

/**
 * Takes in what the devices of a tenant told, in the order in which it came: one read and one write, however many there are. A
 * device that is gone by now is passed over; `roundOf` tells in which round of its rollout a version is. Answers what has become of the states that changed.
 */
export async function takeSteps(
  db: FileDb,
  partnerId: number,
  told: readonly ToldStep[],
  roundOf: (version: Pick<ToldStep, 'fileId' | 'version'>) => number | null = () => null,
): Promise<Received[]> {
  await lockDelivery(db, [partnerId]);
  const keys = JSON.stringify(told.map(({ deviceId, fileId, version }) => ({ deviceId, fileId, version })));
  const stood = await db.$queryRaw<
    {
      fileId: number | null;
      version: number;
      deviceId: number;
      status: string;
      reason: string | null;
      progress: number | null;
      at: Date;
      toldBy: string | null;
    }[]
  >`
    SELECT ${keptPlan} DISTINCT receipt.file_id AS "fileId", receipt.version, device.id AS "deviceId", receipt.status, receipt.reason,
      receipt.progress, receipt.at, receipt.told_by AS "toldBy"
    FROM jsonb_to_recordset(${keys}::jsonb) AS one ("deviceId" integer, "fileId" integer, version integer)
    JOIN devices device ON device.id = one."deviceId" AND device.partner_id = ${partnerId}
    LEFT JOIN receipts receipt ON receipt.file_id = one."fileId" AND receipt.version = one.version
      AND receipt.device_id = one."deviceId"`;
  const there = new Set(stood.map(({ deviceId }) => deviceId));
  const last = new Map<string, Step>();
  for (const row of stood) {
    // What was shown alone is no step.
    if (row.fileId === null || row.status === 'seen') continue;
    const { at, progress, reason, status, toldBy } = row;
    last.set(keyOf({ ...row, fileId: row.fileId }), {
      status: status as ReceiptStatus,
      at,
      progress,
      reason,
      toldBy: toldBy === 'gateway' ? 'gateway' : 'player',
    });
  }
  const before = new Map(last);
  const changed = new Map<string, ToldStep & { round: number | null }>();
  for (const step of told) {
    if (!there.has(step.deviceId)) continue;
    const key = keyOf(step);
    const known = last.get(key);
    const { deviceId, fileId, version, ...one } = step;
    const next = nextStep(known, one);
    if (next === known) continue;
    last.set(key, next);
    changed.set(key, { ...next, deviceId, fileId, version, round: roundOf(step) });
  }
  if (changed.size === 0) return [];
  await db.$executeRaw`
    INSERT ${keptPlan} INTO receipts AS known (partner_id, file_id, version, device_id, audience_id, status, reason, progress, at, told_by,
      round)
    SELECT ${partnerId}::integer, one."fileId", one.version, one."deviceId", device.audience_id, one.status, one.reason, one.progress,
      one.at, one."toldBy", one.round
    FROM jsonb_to_recordset(${JSON.stringify([...changed.values()])}::jsonb) AS one ("fileId" integer, version integer,
      "deviceId" integer, status text, reason text, progress double precision, at timestamptz, "toldBy" text, round integer)
    JOIN devices device ON device.id = one."deviceId"
    ORDER BY one."fileId", one.version, one."deviceId"
    ON CONFLICT (file_id, version, device_id) DO UPDATE SET status = excluded.status, reason = excluded.reason,
      progress = excluded.progress, at = excluded.at, told_by = excluded.told_by, round = excluded.round`;
  return [...changed]
    .filter(([key, { status }]) => before.get(key)?.status !== status)
    .map(([key, { deviceId, fileId, round: _round, version, ...step }]) => ({
      deviceId,
      fileId,
      version,
      step,
      before: before.get(key)?.status,
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
