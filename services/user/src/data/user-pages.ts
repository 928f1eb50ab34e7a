import { orderedBy } from '@portal/database';
import type { UserDb } from './db.ts';
import { Prisma } from './generated/client.ts';
import { type Anchor, createAnchors } from './user-anchors.ts';
import type { UserFilters, UserOrderKey, UserQuery } from './user-filters.ts';

/** How a list is ordered. */
export type Order = Pick<UserQuery, 'order'> & { readonly orderKey: UserOrderKey | 'login' | 'updatedAt' };

/** A list of many users. */
export interface LongList {
  readonly partnerId: number;
  readonly filters: UserFilters;
  /** How many pass the filters. */
  readonly count: number;
  /** A number that grows with each change of users, groups and devices, sign-ins apart. */
  readonly changes: string;
}

/** Rows of a list, counted from its end where `reversed`. */
export interface Rows {
  readonly skip: number;
  readonly take: number;
  readonly reversed: boolean;
}

const { sql } = Prisma;

interface Column {
  readonly name: Prisma.Sql;
  readonly type: Prisma.Sql;
  readonly nullable?: boolean;
}

const text = sql`text`;
const time = sql`timestamptz`;

/** What a list of users is ordered by; an index has each order. */
const columns: Record<Order['orderKey'], Column> = {
  id: { name: sql`id`, type: sql`integer` },
  name: { name: sql`name_key`, type: text },
  email: { name: sql`email_key`, type: text, nullable: true },
  loginUserId: { name: sql`login_user_id_key`, type: text, nullable: true },
  createdAt: { name: sql`created_at`, type: time },
  lastLoginAt: { name: sql`last_login_at`, type: time, nullable: true },
  updatedAt: { name: sql`updated_at`, type: time },
  login: { name: sql`login_key`, type: text },
};

/** The users of a tenant who pass, with `more` conditions on them. */
export function passing(
  partnerId: number,
  { conditions }: UserFilters,
  more: readonly Prisma.Sql[] = [],
): Prisma.Sql {
  return sql`FROM accounts a WHERE ${Prisma.join([sql`a.partner_id = ${partnerId} AND a.is_user`, ...more, ...conditions], ' AND ')}`;
}

/** A page of few users. */
export async function sortedPage(
  db: UserDb,
  partnerId: number,
  ids: readonly number[],
  { order, orderKey }: Order,
  { reversed, skip, take }: Rows,
): Promise<number[]> {
  const { name, nullable = false } = columns[orderKey];
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM accounts
    WHERE partner_id = ${partnerId} AND is_user AND id = ANY(${[...ids]}::integer[])
    ORDER BY ${orderedBy(name, sql`id`, { nullable, order, reversed })}
    OFFSET ${skip} LIMIT ${take}`;
  return inDirection(found, reversed).map(({ id }) => id);
}

/**
 * A page of many users, found by going through them along the index of the order, from whatever is nearest: an end of the list, or
 * the beginning of a page that was asked for before.
 */
export function createLongPages(): (
  db: UserDb,
  list: LongList,
  order: Order,
  rows: Rows,
) => Promise<number[]> {
  const anchors = createAnchors();

  return async (db, list, order, rows) => {
    const { changes, count, filters } = list;
    const start = rows.reversed ? count - rows.skip - rows.take : rows.skip;
    // A sign-in changes this order, and is no change.
    const isKept = filters.question !== null && order.orderKey !== 'lastLoginAt';
    const name = `${order.orderKey} ${order.order} ${filters.question}`;
    let nearest: { readonly rows: Rows; readonly anchor?: Anchor } = { rows };
    for (const anchor of isKept ? anchors.of(name, changes) : []) {
      const isBehind = anchor.position > start;
      const skip = isBehind ? anchor.position - start - rows.take : start - anchor.position;
      if (skip < 0 || skip >= nearest.rows.skip) continue;
      nearest = { rows: { skip, take: rows.take, reversed: isBehind }, anchor };
    }
    const found = await readPage(db, list, order, nearest.rows, nearest.anchor);
    const [first] = found;
    if (isKept && first && rows.skip > 0) anchors.add(name, changes, { ...first, position: start });
    return found.map(({ id }) => id);
  };
}

/** Rows from an anchor on, or before it where `reversed`; without one from an end. */
async function readPage(
  db: UserDb,
  { filters, partnerId }: LongList,
  order: Order,
  { reversed, skip, take }: Rows,
  anchor?: Anchor,
): Promise<Omit<Anchor, 'position'>[]> {
  const { name } = columns[order.orderKey];
  const direction = (order.order === 'asc') === reversed ? sql`DESC` : sql`ASC`;
  const parts = partsOf(order, reversed, anchor).map(
    (part) =>
      sql`(SELECT a.${name} AS key, a.id ${passing(partnerId, filters, part)} ORDER BY a.${name} ${direction}, a.id ${direction})`,
  );
  // Sorting seems cheap to PostgreSQL where it expects few to pass, and processes that help would mix the parts up.
  await db.$queryRaw`
    SELECT set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`;
  const found = await db.$queryRaw<Omit<Anchor, 'position'>[]>`
    SELECT key, id FROM (${Prisma.join(parts, ' UNION ALL ')}) part OFFSET ${skip} LIMIT ${take}`;
  await db.$queryRaw`SELECT set_config('enable_sort', 'on', true)`;
  return inDirection(found, reversed);
}

const inDirection = <T>(rows: T[], reversed: boolean): T[] => (reversed ? rows.reverse() : rows);

/**
 * The conditions on who is read, in one or two parts as they are read: who lacks what the list is ordered by comes last in either
 * order, but first in an index that is read backwards.
 */
function partsOf({ order, orderKey }: Order, reversed: boolean, anchor?: Anchor): Prisma.Sql[][] {
  const { name, nullable, type } = columns[orderKey];
  const present = nullable ? [sql`a.${name} IS NOT NULL`] : [];
  const absent = nullable ? [[sql`a.${name} IS NULL`]] : [];
  if (!anchor) return inDirection([present, ...absent], reversed);
  const { id, key } = anchor;
  // The anchor is the first that is read onward, and is not read backwards.
  const compared = (order === 'asc') === reversed ? sql`<` : sql`>`;
  const how = reversed ? compared : sql`${compared}=`;
  if (key === null) {
    const some = [sql`a.${name} IS NULL`, sql`a.id ${how} ${id}`];
    return reversed ? [some, present] : [some];
  }
  const some =
    orderKey === 'id' ? [sql`a.id ${how} ${id}`] : [sql`(a.${name}, a.id) ${how} (${key}::${type}, ${id})`];
  return reversed ? [some] : [some, ...absent];
}
