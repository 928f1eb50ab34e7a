import type { ErrorCode, Selection } from '@portal/contracts';
import { AppError, fieldError, slices } from '@portal/kernel';
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';

/** Whatever asks the database in a transaction. */
interface Asking {
  $queryRaw<T>(query: Sql): Promise<T>;
}

/** A list in which something is selected. */
interface SelectableList<Filter> {
  /** The table, with the name that the conditions have for it. */
  readonly from: Sql;
  readonly id: Sql;
  /** Condition for the records that pass a filter; for all with `{}`. */
  where(filter: Filter): Sql;
  readonly all: Filter;
  /** The code for an id that the list does not have. */
  readonly unknown: ErrorCode;
}

/**
 * The ids of what is selected, ascending, each once: a million take 8 MB. Throws the list's code for an id that it does not have,
 * `E40034` on expectedCount where the filter shows another number by now.
 */
export async function selectedIds<Filter>(
  db: Asking,
  { expectedCount, filter, ids }: Selection<Filter>,
  list: SelectableList<Filter>,
): Promise<number[]> {
  const wanted = ids && [...new Set(ids)];
  const where = list.where(filter ?? list.all);
  const [found] = await db.$queryRaw<{ ids: string | null }[]>(
    // As one text: a million rows would each become an object.
    sql`SELECT string_agg(${list.id}::text, ',' ORDER BY ${list.id}) AS ids FROM ${list.from}
      WHERE ${where} ${wanted ? sql`AND ${list.id} = ANY(${wanted}::integer[])` : sql``}`,
  );
  const selected = found?.ids ? found.ids.split(',').map(Number) : [];
  if (wanted && selected.length < wanted.length) throw new AppError(list.unknown);
  if (!wanted && selected.length !== expectedCount) {
    throw fieldError('E40034', 'expectedCount', 'countChanged');
  }
  return selected;
}

/** Records that are changed by one statement: memory and locks in between stay small however many are selected. */
const sliceSize = 1_000;

/** What is selected in slices, in its order. */
export function slicesOf(ids: readonly number[]): Generator<number[]> {
  return slices(ids, sliceSize);
}
