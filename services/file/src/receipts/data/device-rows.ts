import type { deliveryRoutes, PageReply } from '@portal/contracts';
import { inTimeRange, nearerRows, orderedBy, pageReply } from '@portal/database';
import type { z } from 'zod';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { bytesOf, type DeviceSet, idsAt, inAny, inBoth, noDevices, without } from '../domain/device-set.ts';
import {
  all,
  countDelivered,
  type Delivered,
  type DeliveryFilters,
  inAudiences,
  ofReceipts,
} from './delivered.ts';
import { type DeliveryState, deliveryStates } from './delivery-numbers.ts';
import { type Asked, asksText, asksTold, type DevicesByState, type FoundDevices } from './found-devices.ts';

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
  readonly version: number;
  readonly status: DeliveryState;
  readonly reason: string | null;
  readonly progress: number | null;
  readonly at: Date | null;
  readonly toldBy: 'player' | 'gateway' | null;
}

export interface DeviceList {
  /** One page of the devices of a delivery. */
  page(db: FileDb, delivered: Delivered, query: DeliveryQuery): Promise<PageReply & { devices: DeviceRow[] }>;
}

/** A stretch of the list: devices that come one after the other in it. */
export interface Stretch {
  readonly count: number;
  read(rows: Rows): Promise<number[]>;
}

export interface Rows {
  readonly skip: number;
  readonly take: number;
  readonly reversed: boolean;
}

const { sql } = Prisma;
/** So many are sorted more quickly than they are found by going through all in their order. */
export const usuallyFew = 3_000;

/**
 * Pages of devices. What was told has an index for each order, and what is counted is known without looking: a page is read from the
 * nearer end of the stretch that it is in. A device that has told nothing has no row, so these are a stretch of their own. With
 * filters, it is known of each device whether it passes before a page is read.
 */
export function createDeviceList(found: FoundDevices, few = usuallyFew): DeviceList {
  return {
    async page(db, delivered, query) {
      const asked = { db, delivered, filters: query, counted: await countDelivered(db, delivered) };
      const { ids, total } = await pageOf(await stretchesOf(found, asked, query, few), query);
      const { version } = delivered;
      const devices = await rowsOf(
        db,
        delivered,
        ids.map((id) => ({ id, version })),
      );
      return { devices, ...pageReply(total, query) };
    },
  };
}

/** The ids of one page of a list that is put together of stretches, and how long that is. */
export async function pageOf(
  stretches: readonly Stretch[],
  query: DeliveryQuery,
): Promise<{ ids: number[]; total: number }> {
  const ids: number[] = [];
  let total = 0;
  for (const { count, read } of stretches) {
    const rows = nearerRows(query, count, total);
    total += count;
    if (rows.take === 0) continue;
    const some = await read(rows);
    ids.push(...(rows.reversed ? some.reverse() : some));
  }
  return { ids, total };
}

async function stretchesOf(
  found: FoundDevices,
  asked: Asked,
  query: DeliveryQuery,
  few: number,
): Promise<Stretch[]> {
  const { counted, db, delivered } = asked;
  const { order, orderKey } = query;
  const states = statesOf(delivered, query);
  if (orderKey === 'user' || orderKey === 'device')
    return [await devicesBy(found, asked, query, { few, states })];
  const told = states.filter((state) => state !== 'not_seen');
  const isPlain = !asksText(query) && !asksTold(query);
  const passing = isPlain ? undefined : await found.byState(asked, states);
  const countOf = (some: readonly DeliveryState[]) =>
    some.reduce((sum, state) => sum + (passing ? (passing.get(state)?.size ?? 0) : counted.states[state]), 0);

  /** Those in some states, in the order of `column`; with `only`, those of these devices, else without `others`. */
  const toldIn = (
    some: readonly DeliveryState[],
    column: 'at' | 'reason',
    { only = passing && inAny(some.flatMap((state) => passing.get(state) ?? [])), others = noDevices } = {},
  ): Stretch => {
    const set = only && without(only, others);
    const conditions = [
      ofReceipts(delivered),
      ...(set ? [isIn(sql`receipt.device_id`, set, few)] : [inAudiences('receipt', counted)]),
      ...(set || others.size === 0 ? [] : [sql`NOT ${hasBit(sql`receipt.device_id`, others)}`]),
      // What else the indexes have.
      sql`receipt.audience_id IS NOT NULL`,
      ...statusCondition(some, set !== undefined),
      ...(column === 'at'
        ? inTimeRange(sql`receipt.at`, query.atStart, query.atEnd)
        : [sql`receipt.reason IS NOT NULL`]),
    ];
    const count = set?.size ?? countOf(some) - others.size;
    const by = column === 'at' ? sql`receipt.at` : sql`receipt.reason`;
    return {
      count,
      read: async (rows) =>
        inOrder(db, sql`FROM receipts receipt WHERE ${all(conditions)}`, {
          ...{ column: by, id: sql`receipt.device_id`, isSorted: count <= few, order, rows },
        }),
    };
  };
  const notSeen = (): Stretch[] => {
    if (!states.includes('not_seen')) return [];
    return [
      {
        count: countOf(['not_seen']),
        async read(rows) {
          const known = passing ?? (await found.byState(asked, ['not_seen']));
          return byIds(known.get('not_seen') ?? noDevices, order).read(rows);
        },
      },
    ];
  };

  switch (orderKey) {
    // All have the same version: the order of the others decides.
    case 'at':
    case 'version':
      return [toldIn(told, 'at'), ...notSeen()];
    case 'status':
      return (order === 'asc' ? states : states.toReversed()).flatMap((state) =>
        state === 'not_seen' ? notSeen() : [toldIn([state], 'at')],
      );
    case 'reason': {
      const withReason = await reasoned(found, asked, told, passing);
      return [
        toldIn(told, 'reason', { only: withReason }),
        toldIn(told, 'at', { others: withReason }),
        ...notSeen(),
      ];
    }
  }
}

/** Those of a set by their ids. */
export const byIds = (set: DeviceSet, order: 'asc' | 'desc'): Stretch => ({
  count: set.size,
  read: async ({ reversed, skip, take }) =>
    idsAt(set, { skip, take, fromEnd: (order === 'asc') === reversed }),
});

/** One state as its index has it; all need no condition, nor does what is found by its state. */
function statusCondition(states: readonly DeliveryState[], areFound: boolean): Prisma.Sql[] {
  if (states.length === 1) return [sql`receipt.status = ${states[0]}`];
  if (areFound || states.length === deliveryStates.length - 1) return [];
  return [sql`receipt.status = ANY (${[...states]}::text[])`];
}

/** Those in some states that pass and told a reason. */
async function reasoned(
  found: FoundDevices,
  asked: Asked,
  states: readonly DeliveryState[],
  passing: DevicesByState | undefined,
): Promise<DeviceSet> {
  const withReason = await found.withReason(asked);
  const isAll = !passing && states.length === deliveryStates.length - 1;
  if (withReason.size === 0 || isAll) return withReason;
  const known = passing ?? (await found.byState(asked, states));
  return inBoth(withReason, inAny(states.flatMap((state) => known.get(state) ?? [])));
}

/** All that is asked for, in the order of their names or of those of their people. */
async function devicesBy(
  found: FoundDevices,
  asked: Asked,
  query: DeliveryQuery,
  { few, states }: { readonly few: number; readonly states: readonly DeliveryState[] },
): Promise<Stretch> {
  const set = await passingDevices(found, asked, states);
  if (set) return inDeviceOrder(asked, set, query, few);
  const count = states.reduce((sum, state) => sum + asked.counted.states[state], 0);
  return alongDevices(asked, inAudiences('device', asked.counted), count, query, few);
}

/** Those of a set in the order of their names or of those of their people. */
export const inDeviceOrder = (asked: Asked, set: DeviceSet, query: DeliveryQuery, few: number): Stretch =>
  alongDevices(asked, isIn(sql`device.id`, set, few), set.size, query, few);

function alongDevices(
  { db, delivered }: Asked,
  condition: Prisma.Sql,
  count: number,
  { order, orderKey }: DeliveryQuery,
  few: number,
): Stretch {
  const source = sql`FROM devices device
    WHERE device.partner_id = ${delivered.partnerId} AND device.audience_id IS NOT NULL AND ${condition}`;
  const column = orderKey === 'user' ? sql`device.user_folded` : sql`device.name_folded`;
  return {
    count,
    read: async (rows) =>
      inOrder(db, source, { column, id: sql`device.id`, isSorted: count <= few, order, rows }),
  };
}

/** Undefined: all that are to have the version. */
async function passingDevices(
  found: FoundDevices,
  asked: Asked,
  states: readonly DeliveryState[],
): Promise<DeviceSet | undefined> {
  if (states.length < deliveryStates.length) return inAny([...(await found.byState(asked, states)).values()]);
  return asksText(asked.filters) ? found.byText(asked) : undefined;
}

/** Some ids of `source` in the order of `column`; unless they are so few that they are sorted, along its index. */
async function inOrder(
  db: FileDb,
  source: Prisma.Sql,
  {
    column,
    id,
    isSorted,
    order,
    rows: { reversed, skip, take },
  }: {
    readonly column: Prisma.Sql;
    readonly id: Prisma.Sql;
    readonly isSorted: boolean;
    readonly order: 'asc' | 'desc';
    readonly rows: Rows;
  },
): Promise<number[]> {
  const found = await sortsFew(
    db,
    isSorted,
    async () => db.$queryRaw<{ id: number }[]>`
      SELECT ${id} AS id ${source}
      ORDER BY ${orderedBy(column, id, { nullable: false, order, reversed })} LIMIT ${take} OFFSET ${skip}`,
  );
  return found.map((row) => row.id);
}

/** Runs a query that may sort only where few are found: sorting seems cheap to PostgreSQL where it expects few to pass. */
export async function sortsFew<T>(db: FileDb, areFew: boolean, query: () => Promise<T>): Promise<T> {
  await db.$queryRaw`SELECT set_config('enable_sort', ${areFew ? 'on' : 'off'}, true)`;
  const found = await query();
  await db.$queryRaw`SELECT set_config('enable_sort', 'on', true)`;
  return found;
}

/** Few by their ids, which an index finds; more by their bits, which are looked at along an index. */
export const isIn = (id: Prisma.Sql, set: DeviceSet, few: number): Prisma.Sql =>
  set.size <= few
    ? sql`${id} = ANY (${idsAt(set, { skip: 0, take: set.size })}::integer[])`
    : hasBit(id, set);

function hasBit(id: Prisma.Sql, set: DeviceSet): Prisma.Sql {
  const end = set.base + set.words.length * 32;
  return sql`(CASE WHEN ${id} >= ${set.base}::integer AND ${id} < ${end}::bigint
    THEN get_bit(${bytesOf(set)}::bytea, ${id} - ${set.base}::integer) = 1 ELSE false END)`;
}

/** The states that rows can be in, in their order. */
function statesOf({ isCurrent }: Delivered, query: DeliveryFilters): DeliveryState[] {
  return deliveryStates.filter((state) => {
    if (query.status && !query.status.includes(state)) return false;
    if (state === 'not_seen') return isCurrent && !asksTold(query);
    return state !== 'seen' || isCurrent;
  });
}

/** The rows of devices, each with a version of the file, in their order. */
export async function rowsOf(
  db: FileDb,
  { fileId, partnerId }: Pick<Delivered, 'fileId' | 'partnerId'>,
  wanted: readonly { readonly id: number; readonly version: number }[],
): Promise<DeviceRow[]> {
  if (wanted.length === 0) return [];
  const rows = await db.$queryRaw<(DeviceRow & { id: number })[]>`
    SELECT device.id, device.user_id AS "userId", coalesce(person.name, '') AS "userName",
      coalesce(person.login_id, '') AS "loginId", wanted.version, ${deviceColumns}
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS wanted (id integer, version integer)
    JOIN devices device ON device.id = wanted.id
    LEFT JOIN people person ON person.user_id = device.user_id
    LEFT JOIN receipts receipt ON receipt.partner_id = ${partnerId} AND receipt.file_id = ${fileId}
      AND receipt.version = wanted.version AND receipt.device_id = device.id`;
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  return wanted.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Of `device` and, where there is one, `receipt`. */
export const deviceColumns = sql`
  device.uuid, device.name, device.os_type AS "osType", device.os_version AS "osVersion",
  device.player_version AS "playerVersion", coalesce(receipt.status, 'not_seen') AS status, receipt.reason,
  receipt.progress, receipt.at, receipt.told_by AS "toldBy"`;
