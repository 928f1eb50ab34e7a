import { keptPlan, type RawQueries } from '@portal/database';
import { Prisma } from '../../data/generated/client.ts';
import type { ReceiptStatus, Step } from '../domain/steps.ts';

/** A version on a device. */
export interface VersionOnDevice {
  readonly fileId: number;
  readonly version: number;
  readonly deviceId: number;
}

export const keyOf = ({ deviceId, fileId, version }: VersionOnDevice): string =>
  `${fileId} ${version} ${deviceId}`;

/** What stands of a version on a device. */
export interface Stands {
  /** Undefined: nothing was told. */
  readonly step: Step | undefined;
  /** That of the device; null: nobody counts it. */
  readonly audienceId: number | null;
}

/** What stands of versions on devices, by `keyOf`. A device that is gone has no entry. */
export type Standing = ReadonlyMap<string, Stands>;

/** What stands in a row of `receipt`, where there is one. */
export interface StandingRow {
  readonly status: string | null;
  readonly reason: string | null;
  readonly progress: number | null;
  readonly at: Date | null;
  readonly toldBy: string | null;
}

export const standingColumns = Prisma.sql`
  receipt.status, receipt.reason, receipt.progress, receipt.at, receipt.told_by AS "toldBy"`;

/** What was told; what was shown alone is no step. */
export function stepOf({ at, progress, reason, status, toldBy }: StandingRow): Step | undefined {
  if (status === null || at === null || status === 'seen') return undefined;
  return {
    status: status as ReceiptStatus,
    at,
    progress,
    reason,
    toldBy: toldBy === 'gateway' ? 'gateway' : 'player',
  };
}

export async function findStanding(
  db: RawQueries,
  partnerId: number,
  asked: readonly VersionOnDevice[],
): Promise<Standing> {
  const keys = JSON.stringify(asked.map(({ deviceId, fileId, version }) => ({ deviceId, fileId, version })));
  const rows = await db.$queryRaw<(StandingRow & VersionOnDevice & Pick<Stands, 'audienceId'>)[]>`
    SELECT ${keptPlan} DISTINCT one."fileId", one.version, device.id AS "deviceId", device.audience_id AS "audienceId",
      ${standingColumns}
    FROM jsonb_to_recordset(${keys}::jsonb) AS one ("deviceId" integer, "fileId" integer, version integer)
    JOIN devices device ON device.id = one."deviceId" AND device.partner_id = ${partnerId}
    LEFT JOIN receipts receipt ON receipt.file_id = one."fileId" AND receipt.version = one.version
      AND receipt.device_id = one."deviceId"`;
  return new Map(rows.map((row) => [keyOf(row), { step: stepOf(row), audienceId: row.audienceId }]));
}
