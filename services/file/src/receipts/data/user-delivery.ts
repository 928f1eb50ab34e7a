import { type deliveryRoutes, foldCase, type PageReply } from '@portal/contracts';
import { inTimeRange, orderedBy, pageReply } from '@portal/database';
import type { z } from 'zod';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { deliveryStates } from './delivery-numbers.ts';
import { type DeviceRow, deviceColumns } from './device-rows.ts';

type UserDeliveryQuery = z.output<(typeof deliveryRoutes.listUserDelivery)['query']>;

export interface UserDeliveryRow extends Omit<DeviceRow, 'loginId' | 'userId' | 'userName'> {
  readonly fileId: number;
  readonly fileName: string;
  readonly version: number;
}

/** A file that is delivered to somebody. */
export interface Had {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  /** Of the device that is to have this version; null: all of theirs are. */
  readonly uuid: string | null;
}

const { sql } = Prisma;

const orders: Record<UserDeliveryQuery['orderKey'], Prisma.Sql> = {
  at: sql`hit.at`,
  file: sql`hit."fileName"`,
  device: sql`hit.name`,
  version: sql`hit.version`,
  status: sql`array_position(${[...deliveryStates]}::text[], hit.status)`,
  reason: sql`hit.reason`,
};

/** One page of what has become of `files` on the devices of a person: so few that all of it is sorted. */
export async function listUserDeliveryRows(
  db: FileDb,
  { partnerId, userId }: { readonly partnerId: number; readonly userId: number },
  files: readonly Had[],
  query: UserDeliveryQuery,
): Promise<PageReply & { devices: UserDeliveryRow[] }> {
  const { order, orderKey, page, perPage } = query;
  const conditions = conditionsOf(query);
  const id = sql`ROW(hit."fileId", hit.id)`;
  const by = orderedBy(orders[orderKey], id, { nullable: true, order, reversed: false });
  const rows = await db.$queryRaw<(UserDeliveryRow & { id: number; total: number })[]>`
    WITH hit AS MATERIALIZED (
      SELECT device.id, file.id AS "fileId", file.name AS "fileName", wanted.version, ${deviceColumns}
      FROM jsonb_to_recordset(${JSON.stringify(files)}::jsonb) AS file (id integer, name text, version integer, uuid text)
      JOIN devices device ON device.partner_id = ${partnerId} AND device.user_id = ${userId}
        AND (file.uuid IS NULL OR device.uuid = file.uuid)
      CROSS JOIN LATERAL (SELECT coalesce(${query.version ?? null}::integer, file.version) AS version) wanted
      LEFT JOIN receipts receipt ON receipt.file_id = file.id AND receipt.version = wanted.version
        AND receipt.device_id = device.id
      WHERE (wanted.version = file.version OR receipt.status <> 'seen') AND ${conditions}
    ), total AS (SELECT count(*)::integer AS total FROM hit)
    SELECT total.total, page.* FROM total LEFT JOIN (
      SELECT * FROM hit ORDER BY ${by} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    ) page ON true`;
  const devices = rows.flatMap(({ id: deviceId, total: _total, ...row }) => (deviceId === null ? [] : [row]));
  return { devices, ...pageReply(rows[0]?.total ?? 0, query) };
}

function conditionsOf({ atEnd, atStart, device, file, reason, status }: UserDeliveryQuery): Prisma.Sql {
  const conditions = [
    ...inTimeRange(sql`receipt.at`, atStart, atEnd),
    ...(device
      ? [sql`(strpos(device.name_folded, ${foldCase(device)}) > 0 OR device.uuid = ${device})`]
      : []),
    ...(file ? [sql`strpos(lower(file.name), ${foldCase(file)}) > 0`] : []),
    ...(reason ? [sql`strpos(lower(receipt.reason), ${foldCase(reason)}) > 0`] : []),
    ...(status ? [sql`coalesce(receipt.status, 'not_seen') = ANY (${[...status]}::text[])`] : []),
  ];
  return conditions.length === 0 ? sql`true` : Prisma.join(conditions, ' AND ');
}
