import { maxId } from '@portal/contracts';
import { join, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import { type SortOrder, timeRange } from './list-query.ts';

/** Conditions on `column` for `timeRange`, for a list that is written in SQL. */
export function inTimeRange(column: Sql, start: Date | undefined, end: Date | undefined): Sql[] {
  const { gte, lt } = timeRange(start, end) ?? {};
  return [...(gte ? [sql`${column} >= ${gte}`] : []), ...(lt ? [sql`${column} < ${lt}`] : [])];
}

/**
 * What the one search box of a list looks for: an id that is the whole of `folded`, or a part of one of `texts`, in which
 * nothing stands for anything else. `folded` and the columns of `texts`, which may be null, are in the form of `foldCase`.
 * `first` is true of the rows that come before the others: by the whole id, or by a text that begins with it.
 */
export function searchFor(
  folded: string,
  { id, texts }: { id: Sql; texts: readonly Sql[] },
): { condition: Sql; first: Sql } {
  const wanted =
    /^[1-9]\d{0,9}$/.test(folded) && Number(folded) <= maxId ? [sql`${id} = ${Number(folded)}`] : [];
  const oneOf = (conditions: readonly Sql[]) => sql`(${join([...conditions], ' OR ')})`;
  return {
    condition: oneOf([...wanted, ...texts.map((text) => sql`strpos(${text}, ${folded}) > 0`)]),
    // Of a text that is null it is not known; such a row comes last like others that do not begin with it.
    first: sql`coalesce(${oneOf([...wanted, ...texts.map((text) => sql`starts_with(${text}, ${folded})`)])}, false)`,
  };
}

/**
 * What follows ORDER BY in a list that is written in SQL: nulls come last in either order; ties go by `id`, in the same
 * direction. `reversed` is the same list from its end.
 */
export function orderedBy(
  column: Sql,
  id: Sql,
  { nullable, order, reversed }: { order: SortOrder; reversed: boolean; nullable: boolean },
): Sql {
  const direction = (order === 'asc') === reversed ? sql`DESC` : sql`ASC`;
  const nulls = reversed ? sql`NULLS FIRST` : sql`NULLS LAST`;
  return join([
    nullable ? sql`${column} ${direction} ${nulls}` : sql`${column} ${direction}`,
    sql`${id} ${direction}`,
  ]);
}
