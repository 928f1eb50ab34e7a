import { everyone } from '../../assignments/data/assignment-repository.ts';
import type { FileDb } from '../../data/db.ts';
import { receiptStatuses } from '../domain/steps.ts';

export const deliveryStates = ['not_seen', 'seen', ...receiptStatuses] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryNumbers {
  readonly targeted: { readonly users: number; readonly devices: number };
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** The most frequent first. */
  readonly failureReasons: readonly { reason: string | null; count: number }[];
}

const reasonsShown = 100;

/**
 * The numbers of a version among the people of some groups, each person and device once. They are summed up over the audiences of
 * these groups, so a million devices cost what their sets of groups cost.
 */
export async function deliveryNumbers(
  db: FileDb,
  {
    fileId,
    partnerId,
    version,
  }: { readonly partnerId: number; readonly fileId: number; readonly version: number },
  groupIds: readonly number[],
): Promise<DeliveryNumbers> {
  const [row] = await db.$queryRaw<
    {
      users: bigint;
      devices: bigint;
      states: Partial<Record<DeliveryState, number>> | null;
      reasons: { reason: string; count: number }[] | null;
    }[]
  >`
    WITH reached AS MATERIALIZED (
      SELECT id, people, devices FROM audiences
      WHERE partner_id = ${partnerId} AND (${groupIds.includes(everyone)} OR group_ids && ${[...groupIds]}::integer[])
    ), counted AS MATERIALIZED (
      SELECT known.status, known.reason, sum(known.count)::integer AS count
      FROM delivery_counts known JOIN reached ON reached.id = known.audience_id
      WHERE known.file_id = ${fileId} AND known.version = ${version}
      GROUP BY 1, 2
    )
    SELECT (SELECT coalesce(sum(people), 0) FROM reached) AS users,
      (SELECT coalesce(sum(devices), 0) FROM reached) AS devices,
      (SELECT jsonb_object_agg(status, count) FROM (
        SELECT status, sum(count) AS count FROM counted GROUP BY status) states) AS states,
      (SELECT jsonb_agg(jsonb_build_object('reason', reason, 'count', count)) FROM (
        SELECT reason, count FROM counted WHERE status = 'failed' AND count > 0
        ORDER BY count DESC, reason LIMIT ${reasonsShown}) reasons) AS reasons`;
  const devices = Number(row?.devices ?? 0);
  const known = row?.states ?? {};
  const told = Object.values(known).reduce((sum, count) => sum + count, 0);
  const states = Object.fromEntries(
    deliveryStates.map((state) => [state, state === 'not_seen' ? devices - told : (known[state] ?? 0)]),
  ) as Record<DeliveryState, number>;
  return {
    targeted: { users: Number(row?.users ?? 0), devices },
    states,
    failureReasons: (row?.reasons ?? []).map(({ count, reason }) => ({
      reason: reason === '' ? null : reason,
      count,
    })),
  };
}

/** A version of a file, and the groups that are to have it. */
export interface ReachedVersion {
  readonly fileId: number;
  readonly version: number;
  readonly groupIds: readonly number[];
}

/** What is told of each in a list of files. */
export interface DeliverySummary {
  readonly devices: number;
  readonly installed: number;
  readonly onTheWay: number;
  readonly failed: number;
  readonly notYet: number;
}

export const noDelivery: DeliverySummary = { devices: 0, installed: 0, onTheWay: 0, failed: 0, notYet: 0 };

/** The numbers of several files at once, by their ids. */
export async function deliverySummaries(
  db: FileDb,
  partnerId: number,
  versions: readonly ReachedVersion[],
): Promise<Map<number, DeliverySummary>> {
  if (versions.length === 0) return new Map();
  const rows = await db.$queryRaw<
    { fileId: number; devices: number; installed: number; onTheWay: number; failed: number }[]
  >`
    SELECT one."fileId", reached.devices, coalesce(told.installed, 0) AS installed,
      coalesce(told.on_the_way, 0) AS "onTheWay", coalesce(told.failed, 0) AS failed
    FROM jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) AS one ("fileId" integer, version integer, "groupIds" integer[])
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(audience.devices), 0)::integer AS devices, array_agg(audience.id) AS ids FROM audiences audience
      WHERE audience.partner_id = ${partnerId}
        AND (${everyone} = ANY (one."groupIds") OR audience.group_ids && one."groupIds")
    ) reached
    CROSS JOIN LATERAL (
      SELECT sum(known.count) FILTER (WHERE known.status = 'installed')::integer AS installed,
        sum(known.count) FILTER (WHERE known.status IN ('downloading', 'downloaded'))::integer AS on_the_way,
        sum(known.count) FILTER (WHERE known.status = 'failed')::integer AS failed
      FROM delivery_counts known
      WHERE known.file_id = one."fileId" AND known.version = one.version AND known.audience_id = ANY (reached.ids)
    ) told`;
  return new Map(
    rows.map(({ fileId, ...numbers }) => {
      const { devices, failed, installed, onTheWay } = numbers;
      return [fileId, { ...numbers, notYet: devices - installed - onTheWay - failed }];
    }),
  );
}
