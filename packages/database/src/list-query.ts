import type { PageReply } from '@portal/contracts';

/** A list as every screen asks for it: a page from 1, of `perPage` rows, ordered by one key. */
export interface ListRequest<Key extends string = string> {
  readonly page: number;
  readonly perPage: number;
  readonly orderKey: Key;
  readonly order: SortOrder;
}

export type SortOrder = 'asc' | 'desc';

/** Prisma's `orderBy` for a column; nulls come last in either order. */
type OrderBy = Record<string, SortOrder | { sort: SortOrder; nulls: 'last' }>;

/**
 * Prisma's `orderBy`, `skip` and `take` of a page. Rows that are equal in the key are in the order of their ids, in
 * the same direction, so that no row is on two pages or on none.
 *
 * `nullable` names the keys whose column may be null: Prisma allows the place of nulls to be said for those alone.
 */
export function listPage<Key extends string>(
  { page, perPage, orderKey, order }: ListRequest<Key>,
  options: { nullable?: readonly Key[] } = {},
): { orderBy: OrderBy[]; skip: number; take: number } {
  const byKey = options.nullable?.includes(orderKey) ? { sort: order, nulls: 'last' as const } : order;
  const byId = { id: order };
  return {
    orderBy: orderKey === 'id' ? [byId] : [{ [orderKey]: byKey }, byId],
    ...rowsOf({ page, perPage }),
  };
}

/** The rows of a page, or any others. */
type RowsAsked = Pick<ListRequest, 'page' | 'perPage'> | { readonly skip: number; readonly take: number };

const rowsOf = ({ page, perPage }: Pick<ListRequest, 'page' | 'perPage'>) => ({
  skip: (page - 1) * perPage,
  take: perPage,
});

/**
 * Which rows a page has among `totalCount`, counted from the end that is nearer: skipping costs as much as reading. Where
 * `reversed`, they are counted, and come, in the opposite order. Of a list in parts, `before` are in the parts before this one.
 */
export function nearerRows(
  asked: RowsAsked,
  totalCount: number,
  before = 0,
): { skip: number; take: number; reversed: boolean } {
  const { skip: first, take: most } = 'skip' in asked ? asked : rowsOf(asked);
  const begin = first - before;
  const skip = Math.max(0, begin);
  const take = Math.max(0, Math.min(begin + most, totalCount) - skip);
  const behind = totalCount - skip - take;
  const reversed = take > 0 && skip > 0 && behind < skip;
  return { skip: reversed ? behind : skip, take, reversed };
}

/** The paging of an answer; an empty list has no pages. */
export function pageReply(
  totalCount: number,
  { page, perPage }: Pick<ListRequest, 'page' | 'perPage'>,
): PageReply {
  return { currentPage: page, totalPage: Math.ceil(totalCount / perPage), totalCount };
}

/** Text filter: contains `value` as it stands, ignoring case. Nothing to filter by gives `undefined`. */
export function contains(value: string | undefined): { contains: string; mode: 'insensitive' } | undefined {
  if (value === undefined || value === '') return undefined;
  return { contains: escapeLike(value), mode: 'insensitive' };
}

/** Pattern of LIKE for texts that contain `value` as it stands. */
export function likeContaining(value: string): string {
  return likePattern(value, { before: true, after: true });
}

/** Pattern of LIKE for texts that have `value` as it stands, and what else there may be. */
export function likePattern(
  value: string,
  more: { readonly before?: boolean; readonly after?: boolean },
): string {
  return `${more.before ? '%' : ''}${escapeLike(value)}${more.after ? '%' : ''}`;
}

function escapeLike(value: string): string {
  return value.replaceAll(/[\\%_]/g, '\\$&');
}

/**
 * Filter for the times from `start` to `end`. Times are told in whole seconds but kept more exactly: the range ends with the
 * second that `end` names. Neither end gives `undefined`.
 */
export function timeRange(
  start: Date | undefined,
  end: Date | undefined,
): { gte?: Date; lt?: Date } | undefined {
  if (start === undefined && end === undefined) return undefined;
  return {
    ...(start === undefined ? {} : { gte: start }),
    ...(end === undefined ? {} : { lt: new Date(end.getTime() + 1_000) }),
  };
}
