import { nearerRows } from '@portal/database';
import { LRUCache } from 'lru-cache';
import { userLicencesLeft } from '../domain/licence.ts';
import type { UserDb } from './db.ts';
import { heldLimits } from './licence-hold-repository.ts';
import { findPartner } from './partner-repository.ts';
import { type AskedUsers, partsOfList, type UserFilters, type UserQuery } from './user-filters.ts';
import { createLongPages, type Order, passing, sortedPage } from './user-pages.ts';

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

/** Which rows of a list, in which order. */
export type Window = Order &
  (Pick<UserQuery, 'page' | 'perPage'> | { readonly skip: number; readonly take: number });

/** Who is in a list: how many, and where they are few, their ids. */
interface Answer {
  readonly count: number;
  readonly ids: readonly number[] | null;
}

/** So many are sorted more quickly than they are found by going through all users in order. */
const usuallyFew = 1000;
const mostAnswers = 500;
/** Of questions, which callers write, and of ids. */
const mostBytes = 8 * 1024 ** 2;

/**
 * The list of users, quick with a million of them. What is asked for by name, group or device is answered once: the answer
 * holds until the database tells of a change of users, groups or devices, which it does in the same moment as the change.
 */
export function createUserList(few = usuallyFew): UserList {
  const longPage = createLongPages();
  const answers = new LRUCache<string, Answer & { readonly changes: string }>({
    max: mostAnswers,
    maxSize: mostBytes,
    sizeCalculation: ({ ids }, question) => 2 * question.length + 8 * (ids?.length ?? 0) + 200,
  });

  async function answer(
    db: UserDb,
    partnerId: number,
    { changes, users }: Tally,
    filters: UserFilters,
  ): Promise<Answer> {
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
  ): Promise<{ parts: (Answer & { filters: UserFilters })[]; tally: Tally; totalCount: number }> {
    const tally = await tallyOf(db, partnerId);
    const parts: (Answer & { filters: UserFilters })[] = [];
    for (const filters of asked) parts.push({ filters, ...(await answer(db, partnerId, tally, filters)) });
    return { parts, tally, totalCount: parts.reduce((sum, { count }) => sum + count, 0) };
  }

  async function pageOfParts(
    db: UserDb,
    partnerId: number,
    asked: readonly UserFilters[],
    window: Window,
  ): Promise<{ totalCount: number; ids: number[] }> {
    const { parts, tally, totalCount } = await answerParts(db, partnerId, asked);
    const page: number[] = [];
    let before = 0;
    for (const { count, filters, ids } of parts) {
      const rows = nearerRows(window, count, before);
      before += count;
      if (rows.take === 0) continue;
      page.push(
        ...(ids === null
          ? await longPage(db, { partnerId, filters, count, changes: tally.changes }, window, rows)
          : await sortedPage(db, partnerId, ids, window, rows)),
      );
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
