import { keptPlan, type RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import { deliveryType, isReached } from '../../applications/data/reach.ts';
import { Prisma } from '../../data/generated/client.ts';
import { isDue } from '../../files/data/file-states.ts';
import { effectiveVersion } from '../../files/data/file-views.ts';
import { type StandingRow, type Stands, standingColumns, stepOf } from './standing.ts';

/** A device by its token, and the file that it tells of. */
export interface Told {
  readonly userId: number;
  readonly uuid: string;
  readonly fileId: number;
  readonly version: number;
}

export interface Reach {
  /** Null: no event has told of the device yet. */
  readonly deviceId: number | null;
  /** Whether the file is delivered to it, or it was shown or told of it before. */
  readonly isKnown: boolean;
  /** The newest version that anyone was to have; 0 of a file that there is not. */
  readonly version: number;
  /** The groups of its person. */
  readonly groupIds: readonly number[];
  /** Whether it was shown or told of that very version before. */
  readonly hadVersion: boolean;
  /** What stands of that very version on the device. */
  readonly stands: Stands;
  /** Whether any version of the file ever went out in stages. */
  readonly isStaged: boolean;
}

/**
 * What each of those who tell has to do with its file, in their order; one query for all. `OFFSET 0` keeps the row of each looked up by
 * its whole key: joined otherwise, all devices of a file may be read for each.
 */
export async function reachOf(
  db: RawQueries,
  partnerId: number,
  told: readonly Told[],
  now: Date,
): Promise<Reach[]> {
  const rows = JSON.stringify(
    told.map(({ fileId, userId, uuid, version }, index) => ({ fileId, userId, uuid, version, index })),
  );
  const assigned = Prisma.sql`EXISTS (
    SELECT FROM assignments assignment
    WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id AND assignment.removed_in IS NULL
      AND (assignment.group_id = 0 OR assignment.group_id = ANY (audience.group_ids)))`;
  const found = await db.$queryRaw<(Omit<Reach, 'stands'> & StandingRow & Pick<Stands, 'audienceId'>)[]>`
    SELECT ${keptPlan} device.id AS "deviceId", device.audience_id AS "audienceId", coalesce(${effectiveVersion(now)}, 0) AS version,
      coalesce(audience.id IS NOT NULL AND NOT file.deleted AND file.current_version_id IS NOT NULL AND ${isDue(now)}
        AND (file.partner_id <> ${operator} OR ${isReached(partnerId)})
        AND ((file.partner_id = ${operator} AND file.sale_type = ${deliveryType}) OR ${assigned}), false)
      OR EXISTS (SELECT FROM receipts other WHERE other.device_id = device.id AND other.file_id = one."fileId")
      OR EXISTS (SELECT FROM early_receipts early WHERE early.partner_id = ${partnerId} AND early.user_id = one."userId"
        AND early.uuid = one.uuid AND early.file_id = one."fileId")
        AS "isKnown",
      coalesce(audience.group_ids, '{}') AS "groupIds",
      receipt.device_id IS NOT NULL
      OR EXISTS (SELECT FROM early_receipts early WHERE early.partner_id = ${partnerId} AND early.user_id = one."userId"
        AND early.uuid = one.uuid AND early.file_id = one."fileId" AND early.version = one.version) AS "hadVersion",
      coalesce(file.is_staged, false) AS "isStaged", ${standingColumns}
    FROM jsonb_to_recordset(${rows}::jsonb) AS one (index integer, "userId" integer, uuid text, "fileId" integer, version integer)
    LEFT JOIN LATERAL (
      SELECT known.id, known.audience_id FROM devices known
      WHERE known.partner_id = ${partnerId} AND known.uuid = one.uuid AND known.user_id = one."userId" OFFSET 0
    ) device ON true
    LEFT JOIN LATERAL (
      SELECT known.* FROM receipts known
      WHERE known.file_id = one."fileId" AND known.version = one.version AND known.device_id = device.id OFFSET 0
    ) receipt ON true
    LEFT JOIN people person ON person.user_id = one."userId" AND person.partner_id = ${partnerId}
    LEFT JOIN audiences audience ON audience.id = person.audience_id
    LEFT JOIN files file ON file.id = one."fileId" AND file.partner_id = ANY (ARRAY[${partnerId}, ${operator}]::integer[])
    ORDER BY one.index`;
  return found.map(({ at, audienceId, progress, reason, status, toldBy, ...reach }) => ({
    ...reach,
    stands: { step: stepOf({ at, progress, reason, status, toldBy }), audienceId },
  }));
}
