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
const everyone = 0;

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
