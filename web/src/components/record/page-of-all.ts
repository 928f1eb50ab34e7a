import type { ListQuery, Named, RecordPage } from './record.ts';

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

type Sortable = string | number | null;

/**
 * What a list shows of an answer that has all rows, as a service would page it: those of whose `texts` one contains what is looked
 * for (`q`), in the order of a value; rows without it come last, equal ones by id.
 */
export function pageOfAll<R extends Named, K extends string>(
  rows: readonly R[],
  { filters, order, orderKey, page, perPage }: ListQuery<K>,
  texts: (row: R) => readonly string[],
  values: Readonly<Record<K, (row: R) => Sortable>>,
): RecordPage<R> {
  const wanted = folded((filters['q'] ?? '').trim());
  const found = rows.filter(
    (row) => String(row.id) === wanted || texts(row).some((text) => folded(text).includes(wanted)),
  );
  const valueOf = values[orderKey];
  const way = order === 'asc' ? 1 : -1;
  const sorted = found.toSorted((a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a.id - b.id;
    return way * compared(left, right) || way * (a.id - b.id);
  });
  return {
    rows: sorted.slice((page - 1) * perPage, page * perPage),
    totalPage: Math.ceil(sorted.length / perPage),
    totalCount: sorted.length,
  };
}

const compared = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
