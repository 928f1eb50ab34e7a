import { type deliveryRoutes, foldCase, type PageReply } from '@portal/contracts';
import { inTimeRange, nearerRows, orderedBy, pageReply } from '@portal/database';
import type { z } from 'zod';
import { everyone } from '../../assignments/data/assignment-repository.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { type DeliveryState, deliveryStates } from './delivery-numbers.ts';

export type DeliveryFilters = z.output<typeof deliveryRoutes.deliveryFilters>;
type DeliveryQuery = z.output<(typeof deliveryRoutes.listDeliveryDevices)['query']>;

/** What has become of a version of a file on a device. */
export interface DeviceRow {
  readonly userId: number;
  readonly userName: string;
  readonly loginId: string;
  readonly uuid: string;
  readonly name: string;
  readonly osType: string;
  readonly osVersion: string;
  readonly playerVersion: string;
  readonly status: DeliveryState;
  readonly reason: string | null;
  readonly progress: number | null;
  readonly at: Date | null;
  readonly toldBy: 'player' | 'gateway' | null;
}

/** The devices that a list is about. */
export interface Delivered {
  readonly partnerId: number;
  readonly fileId: number;
  readonly version: number;
  /** Whether it is the version that they are to have; of another one, only who told of it is there. */
  readonly isCurrent: boolean;
  /** Those of the file's groups that are asked for. */
  readonly audienceIds: readonly number[];
}

const { sql } = Prisma;

/** The audiences that groups reach and, with `only`, whose people are in that group, too. */
export async function audiencesOf(
  db: FileDb,
  partnerId: number,
  groupIds: readonly number[],
  only: number | undefined,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM audiences
    WHERE partner_id = ${partnerId} AND (${groupIds.includes(everyone)} OR group_ids && ${[...groupIds]}::integer[])
      AND (${only === undefined} OR ${only ?? 0} = ANY (group_ids)) AND devices > 0`;
  return rows.map(({ id }) => id);
}

/** A stretch of the list: devices that come one after the other in it. */
interface Stretch {
  readonly count: number;
  read(rows: { readonly skip: number; readonly take: number; readonly reversed: boolean }): Promise<number[]>;
}

/** As many matches are sorted rather than found by going through all in their order. */
const fewMatches = 10_000;

/**
 * One page of devices. What was told has an index for each order, and what is counted is known without looking: a page is read from
 * the nearer end of the stretch that it is in. A device that has told nothing has no row, so these are a stretch of their own.
 */
export async function listDeviceRows(
  db: FileDb,
  delivered: Delivered,
  query: DeliveryQuery,
): Promise<PageReply & { devices: DeviceRow[] }> {
  const stretches = await stretchesOf(db, delivered, query);
  const ids: number[] = [];
  let before = 0;
  for (const { count, read } of stretches) {
    const rows = nearerRows(query, count, before);
    before += count;
    if (rows.take === 0) continue;
    const found = await read(rows);
    ids.push(...(rows.reversed ? found.reverse() : found));
  }
  return { devices: await rowsOf(db, delivered, ids), ...pageReply(before, query) };
}

async function stretchesOf(db: FileDb, delivered: Delivered, query: DeliveryQuery): Promise<Stretch[]> {
  const { order, orderKey } = query;
  const states = statesOf(delivered, query);
  const told = states.filter((state) => state !== 'not_seen');
  const counts = isCounted(query) ? await countStates(db, delivered) : undefined;
  const countOf = (some: readonly DeliveryState[]) =>
    counts && some.reduce((sum, state) => sum + counts[state], 0);

  const toldIn = async (
    some: readonly DeliveryState[],
    {
      column = sql`receipt.at`,
      condition = sql`true`,
      count = countOf(some),
    }: { column?: Prisma.Sql; condition?: Prisma.Sql; count?: number | 'unknown' | undefined } = {},
  ): Promise<Stretch> => {
    const source = sql`FROM receipts receipt WHERE ${ofReceipts(delivered)} AND ${inStates(some)}
      AND ${toldConditions(delivered, query)} AND ${condition}`;
    return {
      count: count === undefined || count === 'unknown' ? await countOfAll(db, source) : count,
      read: async ({ reversed, skip, take }) =>
        idsOf(
          db,
          sql`SELECT receipt.device_id AS id ${source}
          ORDER BY ${orderedBy(column, sql`receipt.device_id`, { nullable: false, order, reversed })}
          LIMIT ${take} OFFSET ${skip}`,
        ),
    };
  };
  const notSeen = async (): Promise<Stretch[]> => {
    if (!states.includes('not_seen')) return [];
    const source = sql`FROM devices device WHERE ${ofDevices(delivered)} AND ${deviceConditions(query)}
      AND NOT EXISTS (SELECT FROM receipts receipt WHERE ${ofReceipts(delivered, false)} AND receipt.device_id = device.id)`;
    return [
      {
        count: countOf(['not_seen']) ?? (await countOfAll(db, source)),
        read: async ({ reversed, skip, take }) =>
          idsOf(
            db,
            sql`SELECT device.id ${source}
            ORDER BY device.id ${(order === 'asc') === reversed ? sql`DESC` : sql`ASC`} LIMIT ${take} OFFSET ${skip}`,
          ),
      },
    ];
  };

  switch (orderKey) {
    // All have the same version: the order of the others decides.
    case 'at':
    case 'version':
      return [await toldIn(told), ...(await notSeen())];
    case 'status': {
      const stretches: Stretch[] = [];
      for (const state of order === 'asc' ? states : states.toReversed()) {
        stretches.push(...(state === 'not_seen' ? await notSeen() : [await toldIn([state])]));
      }
      return stretches;
    }
    case 'reason': {
      const reason = sql`receipt.reason`;
      const some = await toldIn(told, {
        column: reason,
        condition: sql`${reason} IS NOT NULL`,
        count: 'unknown',
      });
      const all = countOf(told);
      const count = all === undefined ? undefined : all - some.count;
      const others = await toldIn(told, { condition: sql`${reason} IS NULL`, count });
      return [some, others, ...(await notSeen())];
    }
    case 'user':
    case 'device':
      return [await devicesBy(db, delivered, query, countOf(states))];
  }
}

/** All that is asked for, in the order of their names or of those of their people. */
async function devicesBy(
  db: FileDb,
  delivered: Delivered,
  query: DeliveryQuery,
  counted: number | undefined,
): Promise<Stretch> {
  const { order, orderKey } = query;
  const states = statesOf(delivered, query);
  const isAll = counted !== undefined && states.length === deliveryStates.length;
  const joined = isAll
    ? sql`FROM devices device WHERE ${ofDevices(delivered)}`
    : sql`FROM devices device LEFT JOIN receipts receipt ON ${ofReceipts(delivered, false)} AND receipt.device_id = device.id
        WHERE ${ofDevices(delivered)} AND ${deviceConditions(query)} AND ${receiptConditions(query)}
          AND coalesce(receipt.status, 'not_seen') = ANY (${[...states]}::text[])`;
  const count = counted ?? (await countOfAll(db, joined));
  const column = orderKey === 'user' ? sql`device.user_folded` : sql`device.name_folded`;
  return {
    count,
    async read({ reversed, skip, take }) {
      const by = (name: Prisma.Sql, id: Prisma.Sql) =>
        orderedBy(name, id, { nullable: false, order, reversed });
      if (count > fewMatches) {
        return idsOf(
          db,
          sql`SELECT device.id ${joined} ORDER BY ${by(column, sql`device.id`)} LIMIT ${take} OFFSET ${skip}`,
        );
      }
      return idsOf(
        db,
        sql`
        WITH hit AS MATERIALIZED (SELECT device.id, ${column} AS name ${joined})
        SELECT id FROM hit ORDER BY ${by(sql`name`, sql`id`)} LIMIT ${take} OFFSET ${skip}`,
      );
    },
  };
}

/** The states that rows can be in, in their order. */
function statesOf({ isCurrent }: Delivered, query: DeliveryFilters): DeliveryState[] {
  const isTold = query.atStart !== undefined || query.atEnd !== undefined || Boolean(query.reason);
  return deliveryStates.filter((state) => {
    if (query.status && !query.status.includes(state)) return false;
    if (state === 'not_seen') return isCurrent && !isTold;
    return state !== 'seen' || isCurrent;
  });
}

/** Whether the counts that are kept tell how many there are. */
const isCounted = ({ atEnd, atStart, device, reason, user }: DeliveryFilters): boolean =>
  !user && !device && !reason && atStart === undefined && atEnd === undefined;

async function countStates(
  db: FileDb,
  { audienceIds, fileId, version }: Delivered,
): Promise<Record<DeliveryState, number>> {
  const rows = await db.$queryRaw<{ status: DeliveryState | null; count: bigint }[]>`
    SELECT status, sum(count) AS count FROM delivery_counts
    WHERE file_id = ${fileId} AND version = ${version} AND audience_id = ANY (${[...audienceIds]}::integer[])
    GROUP BY status
    UNION ALL SELECT NULL, coalesce(sum(devices), 0) FROM audiences WHERE id = ANY (${[...audienceIds]}::integer[])`;
  const counted = new Map(rows.map(({ count, status }) => [status, Number(count)]));
  const devices = counted.get(null) ?? 0;
  counted.delete(null);
  const told = [...counted.values()].reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(
    deliveryStates.map((state) => [state, state === 'not_seen' ? devices - told : (counted.get(state) ?? 0)]),
  ) as Record<DeliveryState, number>;
}

async function countOfAll(db: FileDb, source: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::integer AS count ${source}`;
  return row?.count ?? 0;
}

const idsOf = async (db: FileDb, statement: Prisma.Sql): Promise<number[]> =>
  (await db.$queryRaw<{ id: number }[]>(statement)).map(({ id }) => id);

const ofReceipts = (
  { audienceIds, fileId, partnerId, version }: Delivered,
  inAudiences = true,
): Prisma.Sql => sql`
  receipt.partner_id = ${partnerId} AND receipt.file_id = ${fileId} AND receipt.version = ${version}
    AND ${inAudiences ? sql`receipt.audience_id = ANY (${[...audienceIds]}::integer[])` : sql`true`}`;

const ofDevices = ({ audienceIds, partnerId }: Delivered): Prisma.Sql => sql`
  device.partner_id = ${partnerId} AND device.audience_id = ANY (${[...audienceIds]}::integer[])`;

/** One state as the index has it. */
const inStates = (states: readonly DeliveryState[]): Prisma.Sql =>
  states.length === 1
    ? sql`receipt.status = ${states[0]}`
    : sql`receipt.status = ANY (${[...states]}::text[])`;

const all = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? sql`true` : Prisma.join([...conditions], ' AND ');

/** What filters ask of `receipt`. */
export function receiptConditions({ atEnd, atStart, reason }: DeliveryFilters): Prisma.Sql {
  return all([
    ...inTimeRange(sql`receipt.at`, atStart, atEnd),
    ...(reason ? [sql`strpos(lower(receipt.reason), ${reason.toLowerCase()}) > 0`] : []),
  ]);
}

/** What filters ask of `device`. */
export function deviceConditions({ device, user }: DeliveryFilters): Prisma.Sql {
  const person = user && foldCase(user);
  return all([
    ...(person
      ? [sql`(strpos(device.user_folded, ${person}) > 0 OR strpos(device.login_folded, ${person}) > 0)`]
      : []),
    ...(device
      ? [sql`(strpos(device.name_folded, ${foldCase(device)}) > 0 OR device.uuid = ${device})`]
      : []),
  ]);
}

/** Both, of `receipt`. */
function toldConditions(delivered: Delivered, query: DeliveryFilters): Prisma.Sql {
  const isOfDevices = Boolean(query.user || query.device);
  return all([
    receiptConditions(query),
    ...(isOfDevices
      ? [
          sql`receipt.device_id IN (
            SELECT device.id FROM devices device WHERE ${ofDevices(delivered)} AND ${deviceConditions(query)})`,
        ]
      : []),
  ]);
}

/** In the order of `ids`. */
async function rowsOf(db: FileDb, delivered: Delivered, ids: readonly number[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<(DeviceRow & { id: number })[]>`
    SELECT device.id, device.user_id AS "userId", coalesce(person.name, '') AS "userName",
      coalesce(person.login_id, '') AS "loginId", ${deviceColumns}
    FROM devices device
    LEFT JOIN people person ON person.user_id = device.user_id
    LEFT JOIN receipts receipt ON ${ofReceipts(delivered, false)} AND receipt.device_id = device.id
    WHERE device.id = ANY (${[...ids]}::integer[])`;
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Of `device` and, where there is one, `receipt`. */
export const deviceColumns = sql`
  device.uuid, device.name, device.os_type AS "osType", device.os_version AS "osVersion",
  device.player_version AS "playerVersion", coalesce(receipt.status, 'not_seen') AS status, receipt.reason,
  receipt.progress, receipt.at, receipt.told_by AS "toldBy"`;
