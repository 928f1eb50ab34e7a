import { keptPlan, type RawQueries } from '@portal/database';
import { everyone } from '../../assignments/domain/everyone.ts';
import { receiptStatuses } from '../domain/steps.ts';

export const deliveryStates = ['not_seen', 'seen', ...receiptStatuses] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryNumbers {
  readonly targeted: { readonly users: number; readonly devices: number };
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** The most frequent first. */
  readonly failureReasons: readonly { reason: string | null; count: number }[];
}

/** Groups of a tenant. */
export interface GroupsOf {
  readonly partnerId: number;
  readonly groupIds: readonly number[];
}

/** Groups that are counted together: of a file those of its tenant, of an application those of several tenants. */
export type GroupSet = readonly GroupsOf[];

/** Sets of groups as a statement takes them: one row for each tenant of each. */
export const setsAsJson = (sets: readonly GroupSet[]): string =>
  JSON.stringify(
    sets.flatMap((groups, set) => groups.map(({ groupIds, partnerId }) => ({ set, partnerId, groupIds }))),
  );

const reasonsShown = 100;

/**
 * The numbers of a version among the people of each of some sets of groups, in each set each person and device once. They are summed
 * up over the audiences of these groups, so a million devices cost what their sets of groups cost.
 */
export async function deliveryNumbers(
  db: RawQueries,
  { fileId, version }: { readonly fileId: number; readonly version: number },
  sets: readonly GroupSet[],
): Promise<DeliveryNumbers[]> {
  const rows = await db.$queryRaw<
    {
      users: bigint | string;
      devices: bigint | string;
      states: Partial<Record<DeliveryState, number>> | null;
      reasons: { reason: string; count: number }[] | null;
    }[]
  >`
    WITH asked AS MATERIALIZED (
      SELECT one.set AS index, one."partnerId" AS partner_id, one."groupIds"
      FROM jsonb_to_recordset(${setsAsJson(sets)}::jsonb) AS one (set integer, "partnerId" integer, "groupIds" integer[])
    ), reached AS MATERIALIZED (
      SELECT DISTINCT asked.index, audience.id, audience.people, audience.devices
      FROM asked CROSS JOIN LATERAL unnest(asked."groupIds") AS wanted (group_id)
      JOIN (
        SELECT id, partner_id, people, devices, unnest(group_ids || ${everyone}::integer) AS group_id FROM audiences
        WHERE partner_id = ANY (${[...new Set(sets.flat().map(({ partnerId }) => partnerId))]}::integer[])
      ) audience ON audience.group_id = wanted.group_id AND audience.partner_id = asked.partner_id
    ), counted AS MATERIALIZED (
      SELECT reached.index, known.status, known.reason, sum(known.count)::integer AS count
      FROM delivery_counts known JOIN reached ON reached.id = known.audience_id
      WHERE known.file_id = ${fileId} AND known.version = ${version}
      GROUP BY 1, 2, 3
    )
    SELECT coalesce(reach.users, 0) AS users, coalesce(reach.devices, 0) AS devices, told.states, failed.reasons
    FROM generate_series(0, ${sets.length - 1}::integer) asked (index)
    LEFT JOIN (SELECT index, sum(people) AS users, sum(devices) AS devices FROM reached GROUP BY 1) reach USING (index)
    LEFT JOIN (
      SELECT index, jsonb_object_agg(status, count) AS states
      FROM (SELECT index, status, sum(count) AS count FROM counted GROUP BY 1, 2) states GROUP BY 1
    ) told USING (index)
    LEFT JOIN (
      SELECT index, jsonb_agg(jsonb_build_object('reason', reason, 'count', count) ORDER BY place) AS reasons
      FROM (
        SELECT index, reason, count, row_number() OVER (PARTITION BY index ORDER BY count DESC, reason) AS place
        FROM counted WHERE status = 'failed' AND count > 0
      ) reasons WHERE place <= ${reasonsShown} GROUP BY 1
    ) failed USING (index)
    ORDER BY index`;
  return rows.map(({ devices, reasons, states, users }) => ({
    targeted: { users: Number(users), devices: Number(devices) },
    states: allStates(Number(devices), states ?? {}),
    failureReasons: (reasons ?? []).map(({ count, reason }) => ({
      reason: reason === '' ? null : reason,
      count,
    })),
  }));
}

/** With those that told nothing, which are not counted: so the states always add up to the devices. */
export function allStates(
  devices: number,
  told: Readonly<Partial<Record<DeliveryState, number>>>,
): Record<DeliveryState, number> {
  const ofTold = Object.values(told).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(
    deliveryStates.map((state) => [state, state === 'not_seen' ? devices - ofTold : (told[state] ?? 0)]),
  ) as Record<DeliveryState, number>;
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
  db: RawQueries,
  partnerId: number,
  versions: readonly ReachedVersion[],
): Promise<Map<number, DeliverySummary>> {
  if (versions.length === 0) return new Map();
  const rows = await db.$queryRaw<
    { fileId: number; devices: number; installed: number; onTheWay: number; failed: number }[]
  >`
    SELECT ${keptPlan} one."fileId", reached.devices, coalesce(told.installed, 0) AS installed,
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
