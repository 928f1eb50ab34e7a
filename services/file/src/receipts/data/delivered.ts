import { type deliveryRoutes, foldCase } from '@portal/contracts';
import { inTimeRange } from '@portal/database';
import type { z } from 'zod';
import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { allStates, type DeliveryState } from './delivery-numbers.ts';

export type DeliveryFilters = z.output<typeof deliveryRoutes.deliveryFilters>;

/** The devices that a list is about. */
export interface Delivered {
  readonly partnerId: number;
  readonly fileId: number;
  readonly version: number;
  /** Whether it is the version that they are to have; of another one, only who told of it is there. */
  readonly isCurrent: boolean;
  readonly groupIds: readonly number[];
  /** The one group that is asked for; 0: everyone, if the file is for them. */
  readonly group: number | undefined;
}

/** What is known of a list without looking at its devices. */
export interface Counted {
  /** Those of the file's groups that are asked for. */
  readonly audienceIds: readonly number[];
  readonly states: Readonly<Record<DeliveryState, number>>;
  /** Changes with every change of a device or person of the tenant. */
  readonly deviceChanges: string;
  /** Changes with every change of a device or person of the tenant, and of what is told of this version. */
  readonly changes: string;
}

const { sql } = Prisma;

/** Reads what is counted; `deviceChanges` and `changes` never come back to what they were. */
export async function countDelivered(
  db: FileDb,
  { fileId, group, groupIds, partnerId, version }: Delivered,
): Promise<Counted> {
  const isForAll = groupIds.includes(everyone);
  const isOfAny = group === undefined || (group === everyone && isForAll);
  const audiences = await db.$queryRaw<{ id: number; devices: number; changes: bigint; isAsked: boolean }[]>`
    SELECT id, devices, changes, (${isForAll} OR group_ids && ${[...groupIds]}::integer[])
      AND (${isOfAny} OR ${group ?? 0} = ANY (group_ids)) AND devices > 0 AS "isAsked"
    FROM audiences WHERE partner_id = ${partnerId}`;
  const asked = audiences.filter(({ isAsked }) => isAsked);
  const audienceIds = asked.map(({ id }) => id);
  const told = await db.$queryRaw<{ status: DeliveryState; count: bigint; changes: bigint }[]>`
    SELECT status, coalesce(sum(count) FILTER (WHERE audience_id = ANY (${audienceIds}::integer[])), 0) AS count,
      sum(changes)::bigint AS changes
    FROM delivery_counts WHERE file_id = ${fileId} AND version = ${version} GROUP BY status`;
  const deviceChanges = String(audiences.reduce((sum, { changes }) => sum + changes, 0n));
  return {
    audienceIds,
    states: allStates(
      asked.reduce((sum, { devices }) => sum + devices, 0),
      Object.fromEntries(told.map(({ count, status }) => [status, Number(count)])),
    ),
    deviceChanges,
    changes: `${deviceChanges} ${told.reduce((sum, { changes }) => sum + changes, 0n)}`,
  };
}

/** What is told of this version, as the indexes of `receipt` have it. */
export const ofReceipts = ({ fileId, partnerId, version }: Delivered): Prisma.Sql =>
  sql`receipt.partner_id = ${partnerId} AND receipt.file_id = ${fileId} AND receipt.version = ${version}`;

export const inAudiences = (table: 'device' | 'receipt', { audienceIds }: Counted): Prisma.Sql => {
  const column = table === 'device' ? sql`device.audience_id` : sql`receipt.audience_id`;
  return sql`${column} = ANY (${[...audienceIds]}::integer[])`;
};

export const all = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? sql`true` : Prisma.join([...conditions], ' AND ');

/** What filters ask of `receipt`. */
export function receiptConditions({ atEnd, atStart, reason }: DeliveryFilters): Prisma.Sql {
  return all([
    ...inTimeRange(sql`receipt.at`, atStart, atEnd),
    ...(reason ? [sql`strpos(lower(receipt.reason), ${reason.toLowerCase()}) > 0`] : []),
  ]);
}

/** What filters ask of `device`. */
export function deviceConditions(partnerId: number, { device, user }: DeliveryFilters): Prisma.Sql {
  const person = user && foldCase(user);
  return all([
    ...(person
      ? [sql`(strpos(device.user_folded, ${person}) > 0 OR strpos(device.login_folded, ${person}) > 0)`]
      : []),
    ...(device
      ? [
          sql`(strpos(device.name_folded, ${foldCase(device)}) > 0
            OR device.id = (SELECT named.id FROM devices named WHERE named.partner_id = ${partnerId} AND named.uuid = ${device}))`,
        ]
      : []),
  ]);
}
