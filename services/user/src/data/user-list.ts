import { nearerRows, orderedBy } from '@portal/database';
import { LRUCache } from 'lru-cache';
import { userLicencesLeft } from '../domain/licence.ts';
import type { UserDb } from './db.ts';
import { Prisma } from './generated/client.ts';
import { heldLimits } from './licence-hold-repository.ts';
import { findPartner } from './partner-repository.ts';
import {
  type AskedUsers,
  partsOfList,
  type UserFilters,
  type UserOrderKey,
  type UserQuery,
} from './user-filters.ts';

export interface UserList {
  /** Which users are on a page of the list. */
  page(
    db: UserDb,
    partnerId: number,
    query: UserQuery,
  ): Promise<{ readonly totalCount: number; readonly ids: number[] }>;
  /** The same of a list that is filtered otherwise. */
  pageOf(
    db: UserDb,
    partnerId: number,
    filters: UserFilters,
    window: Window,
  ): Promise<{ readonly totalCount: number; readonly ids: number[] }>;
  /** How many users pass. */
  count(db: UserDb, partnerId: number, asked: AskedUsers): Promise<number>;
}

type OrderKey = UserOrderKey | 'login' | 'updatedAt';

/** Which rows of a list, in which order. */
type Order = Pick<UserQuery, 'order'> & { readonly orderKey: OrderKey };
export type Window = Order &
  (Pick<UserQuery, 'page' | 'perPage'> | { readonly skip: number; readonly take: number });

/** Who is in a list: how many, and where they are few, their ids. */
interface Answer {
  readonly count: number;
  readonly ids: readonly number[] | null;
}

const { sql } = Prisma;
/** So many are sorted more quickly than they are found by going through all users in order. */
const usuallyFew = 1000;
const mostAnswers = 500;
/** Of questions, which callers write, and of ids. */
const mostBytes = 8 * 1024 ** 2;

/** What a list of users is ordered by; an index has each order. */
const columns: Record<OrderKey, { name: Prisma.Sql; nullable?: boolean }> = {
  id: { name: sql`id` },
  name: { name: sql`name_key` },
  email: { name: sql`email_key`, nullable: true },
  loginUserId: { name: sql`login_user_id_key`, nullable: true },
  createdAt: { name: sql`created_at` },
  lastLoginAt: { name: sql`last_login_at`, nullable: true },
  updatedAt: { name: sql`updated_at` },
  login: { name: sql`login_key` },
};

/**
 * The list of users, quick with a million of them. What is asked for by name, group or device is answered once: the answer
 * holds until the database tells of a change of users, groups or devices, which it does in the same moment as the change.
 */
export function createUserList(few = usuallyFew): UserList {
  const answers = new LRUCache<string, Answer & { readonly changes: string }>({
    max: mostAnswers,
    maxSize: mostBytes,
    sizeCalculation: ({ ids }, question) => 2 * question.length + 8 * (ids?.length ?? 0) + 200,
  });

  async function answer(db: UserDb, partnerId: number, filters: UserFilters): Promise<Answer> {
    const { changes, users } = await tallyOf(db, partnerId);
    if (filters.conditions.length === 0) return { count: users, ids: null };
    const { question } = filters;
    if (question === null) return whoPasses(db, partnerId, filters, few);
    const known = answers.get(question);
    if (known?.changes === changes) return known;
    const found = { changes, ...(await whoPasses(db, partnerId, filters, few)) };
    answers.set(question, found);
    return found;
  }

  async function answerParts(
    db: UserDb,
    partnerId: number,
    asked: readonly UserFilters[],
  ): Promise<{ parts: (Answer & { filters: UserFilters })[]; totalCount: number }> {
    const parts: (Answer & { filters: UserFilters })[] = [];
    for (const filters of asked) parts.push({ filters, ...(await answer(db, partnerId, filters)) });
    return { parts, totalCount: parts.reduce((sum, { count }) => sum + count, 0) };
  }

  async function pageOfParts(
    db: UserDb,
    partnerId: number,
    asked: readonly UserFilters[],
    window: Window,
  ): Promise<{ totalCount: number; ids: number[] }> {
    const { parts, totalCount } = await answerParts(db, partnerId, asked);
    const page: number[] = [];
    let before = 0;
    for (const { count, filters, ids } of parts) {
      const rows = nearerRows(window, count, before);
      before += count;
      if (rows.take === 0) continue;
      const found =
        ids === null
          ? await inOrder(db, partnerId, filters, window, rows)
          : await sorted(db, partnerId, ids, window, rows);
      const some = found.map(({ id }) => id);
      page.push(...(rows.reversed ? some.reverse() : some));
    }
    return { totalCount, ids: page };
  }

  return {
    page: async (db, partnerId, query) =>
      pageOfParts(db, partnerId, partsOfList(partnerId, askedIn(query)), query),
    pageOf: async (db, partnerId, filters, window) => pageOfParts(db, partnerId, [filters], window),
    count: async (db, partnerId, asked) =>
      (await answerParts(db, partnerId, partsOfList(partnerId, askedIn(asked)))).totalCount,
  };
}

/** The filters of a query without its page, so that each page is the same question. */
function askedIn(query: AskedUsers & Partial<UserQuery>): AskedUsers {
  const { order: _order, orderKey: _orderKey, page: _page, perPage: _perPage, ...asked } = query;
  return asked;
}

/** How many users of a partner are active: each of them takes a licence where licences count users. */
export async function countActiveUsers(db: UserDb, partnerId: number): Promise<number> {
  const { inactive, users } = await tallyOf(db, partnerId);
  return users - inactive;
}

/** How many more users a partner may have; null where its licences do not count users. */
export async function licencesLeft(db: UserDb, partnerId: number): Promise<number | null> {
  const partner = await findPartner(db, partnerId);
  if (!partner) return null;
  const held = await heldLimits(db, partnerId);
  return userLicencesLeft({ ...partner, held }, await countActiveUsers(db, partnerId));
}

interface Tally {
  readonly users: number;
  readonly inactive: number;
  readonly changes: string;
}

async function tallyOf(db: UserDb, partnerId: number): Promise<Tally> {
  const [tally] = await db.$queryRaw<Tally[]>`
    SELECT coalesce(sum(users), 0)::integer AS users, coalesce(sum(inactive), 0)::integer AS inactive,
      coalesce(sum(changes), 0)::text AS changes
    FROM user_tallies WHERE partner_id = ${partnerId}`;
  return tally ?? { users: 0, inactive: 0, changes: '0' };
}

async function whoPasses(db: UserDb, partnerId: number, filters: UserFilters, few: number): Promise<Answer> {
  const users = passing(partnerId, filters);
  // Few are found by going through all users, which is worth the help of other processes however few they are.
  await db.$queryRaw`SELECT set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)`;
  const [some] = await db.$queryRaw<{ ids: number[]; count: number }[]>`
    SELECT coalesce(array_agg(id), '{}') AS ids, count(*)::integer AS count
    FROM (SELECT a.id ${users} LIMIT ${few + 1}) found`;
  if (some && some.count <= few) return some;
  const [counted] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::integer AS count ${users}`;
  return { count: counted?.count ?? 0, ids: null };
}

function passing(partnerId: number, filters: UserFilters): Prisma.Sql {
  return sql`FROM accounts a WHERE ${Prisma.join([sql`a.partner_id = ${partnerId} AND a.is_user`, ...filters.conditions], ' AND ')}`;
}

interface Rows {
  readonly skip: number;
  readonly take: number;
  readonly reversed: boolean;
}

/** A page of few users. */
async function sorted(
  db: UserDb,
  partnerId: number,
  ids: readonly number[],
  { order, orderKey }: Order,
  { reversed, skip, take }: Rows,
): Promise<{ id: number }[]> {
  const { name, nullable = false } = columns[orderKey];
  return db.$queryRaw`
    SELECT id FROM accounts
    WHERE partner_id = ${partnerId} AND is_user AND id = ANY(${[...ids]}::integer[])
    ORDER BY ${orderedBy(name, sql`id`, { nullable, order, reversed })}
    OFFSET ${skip} LIMIT ${take}`;
}

/**
 * A page of many users, found by going through all users along the index of the order. Who lacks what the list is ordered
 * by comes last in either order, but first in an index that is read backwards: then it is read in two parts.
 */
async function inOrder(
  db: UserDb,
  partnerId: number,
  filters: UserFilters,
  { order, orderKey }: Order,
  { reversed, skip, take }: Rows,
): Promise<{ id: number }[]> {
  const { name, nullable } = columns[orderKey];
  const direction = (order === 'asc') === reversed ? sql`DESC` : sql`ASC`;
  const users = (part = Prisma.empty) =>
    sql`SELECT a.id ${passing(partnerId, filters)} ${part} ORDER BY a.${name} ${direction}, a.id ${direction}`;
  const parts = [users(sql`AND a.${name} IS NOT NULL`), users(sql`AND a.${name} IS NULL`)];
  const inParts = sql`SELECT id FROM ((${parts[reversed ? 1 : 0]}) UNION ALL (${parts[reversed ? 0 : 1]})) part`;
  // Sorting seems cheap to PostgreSQL where it expects few to pass, and processes that help would mix the parts up.
  await db.$queryRaw`
    SELECT set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`;
  const found = await db.$queryRaw<{ id: number }[]>`
    ${order === 'desc' && nullable ? inParts : users()} OFFSET ${skip} LIMIT ${take}`;
  await db.$queryRaw`SELECT set_config('enable_sort', 'on', true)`;
  return found;
}
