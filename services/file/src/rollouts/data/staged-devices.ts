import { type deliveryRoutes, type PageReply } from '@portal/contracts';
import { orderedBy, pageReply } from '@portal/database';
import type { z } from 'zod';
import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { all, deviceConditions, receiptConditions } from '../../receipts/data/delivered.ts';
import { deliveryStates } from '../../receipts/data/delivery-numbers.ts';
import { type DeviceRow, deviceColumns } from '../../receipts/data/device-rows.ts';
import type { Plan } from '../domain/plan.ts';
import { wantedVersion } from './plan-sql.ts';

type DeliveryQuery = z.output<(typeof deliveryRoutes.listDeliveryDevices)['query']>;

const { sql } = Prisma;

const orders: Record<DeliveryQuery['orderKey'], Prisma.Sql> = {
  at: sql`receipt.at`,
  user: sql`device.user_folded`,
  device: sql`device.name_folded`,
  version: sql`wanted.version`,
  status: sql`array_position(${[...deliveryStates]}::text[], coalesce(receipt.status, 'not_seen'))`,
  reason: sql`receipt.reason`,
};

/**
 * One page of the devices that a file reaches whose versions go out in stages, each with the version that it is to have. Another one
 * that is asked for has also those that told of it. All devices of its groups are looked at.
 */
export async function listStagedDevices(
  db: FileDb,
  {
    groupIds,
    partnerId,
    plan,
  }: { readonly partnerId: number; readonly plan: Plan; readonly groupIds: readonly number[] },
  query: DeliveryQuery,
): Promise<PageReply & { devices: DeviceRow[] }> {
  const { group, order, orderKey, page, perPage, status, version } = query;
  const own = wantedVersion(plan, {
    id: sql`device.id`,
    place: sql`device.place`,
    groupIds: sql`audience.group_ids`,
  });
  const conditions = [
    sql`device.partner_id = ${partnerId}`,
    sql`(${groupIds.includes(everyone)} OR audience.group_ids && ${[...groupIds]}::integer[])`,
    ...(group === undefined ? [] : [sql`${group}::integer = ANY (audience.group_ids)`]),
    version === undefined
      ? sql`own.version IS NOT NULL`
      : sql`(own.version = ${version}::integer OR receipt.status <> 'seen')`,
    ...(status ? [sql`coalesce(receipt.status, 'not_seen') = ANY (${[...status]}::text[])`] : []),
    deviceConditions(partnerId, query),
    receiptConditions(query),
  ];
  const ofReceipt = sql`receipt.file_id = ${plan.fileId} AND receipt.version = wanted.version AND receipt.device_id = device.id`;
  const rows = await db.$queryRaw<(DeviceRow & { id: number; total: number })[]>`
    WITH hit AS MATERIALIZED (
      SELECT device.id, wanted.version, ${orders[orderKey]} AS "orderKey"
      FROM devices device JOIN audiences audience ON audience.id = device.audience_id
      CROSS JOIN LATERAL (SELECT ${own} AS version) own
      CROSS JOIN LATERAL (SELECT coalesce(${version ?? null}::integer, own.version) AS version) wanted
      LEFT JOIN receipts receipt ON ${ofReceipt}
      WHERE ${all(conditions)}
    ), total AS (SELECT count(*)::integer AS total FROM hit), page AS (
      SELECT hit.*, row_number() OVER (
        ORDER BY ${orderedBy(sql`hit."orderKey"`, sql`hit.id`, { nullable: true, order, reversed: false })}) AS number
      FROM hit ORDER BY number LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    )
    SELECT total.total, device.id, device.user_id AS "userId", coalesce(person.name, '') AS "userName",
      coalesce(person.login_id, '') AS "loginId", wanted.version, ${deviceColumns}
    FROM total LEFT JOIN page wanted ON true
    LEFT JOIN devices device ON device.id = wanted.id
    LEFT JOIN people person ON person.user_id = device.user_id
    LEFT JOIN receipts receipt ON ${ofReceipt}
    ORDER BY wanted.number`;
  const devices = rows.flatMap(({ id, total: _total, ...row }) => (id === null ? [] : [row]));
  return { devices, ...pageReply(rows[0]?.total ?? 0, query) };
}
