import { join, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import { type SortOrder, timeRange } from './list-query.ts';

/** Conditions on `column` for `timeRange`, for a list that is written in SQL. */
export function inTimeRange(column: Sql, start: Date | undefined, end: Date | undefined): Sql[] {
  const { gte, lt } = timeRange(start, end) ?? {};
  return [...(gte ? [sql`${column} >= ${gte}`] : []), ...(lt ? [sql`${column} < ${lt}`] : [])];
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
