import { isPlace, type Path } from '../filter/filter.ts';
import type { Sort } from '../sort.ts';
import { isOwn, type Parameters } from './filter-sql.ts';

/** A row's place in a sort: a key for each of its paths, in bytes that are ordered as MongoDB orders values, then the `_id`. */
export interface SortSql {
  /** The keys of the row `d`. */
  readonly keys: readonly string[];
  /** By the columns `key0`, `key1`, … and `id`. */
  readonly order: string;
}

export function sortOf(sort: Sort, parameters: Parameters): SortSql {
  const byId = sort.findIndex(({ path }) => path.length === 1 && path[0] === '_id');
  // What stands behind the `_id` decides nothing.
  const before = byId === -1 ? sort : sort.slice(0, byId);
  const isDescendingById = sort[byId]?.descending ?? false;
  return {
    keys: before.map(({ descending, path }) => keyOf(path, descending, parameters)),
    order: [
      ...before.map(({ descending }, place) => `key${place}${descending ? ' DESC' : ''}`),
      `id${isDescendingById ? ' DESC' : ''}`,
    ].join(', '),
  };
}

/** A condition on the columns `key0`, … and `id` for what stands behind a place in the sort. */
export function behind(
  sort: Sort,
  place: { readonly keys: readonly Buffer[]; readonly id: string },
  parameters: Parameters,
): string {
  const columns = place.keys.map((key, at) => ({
    name: `key${at}`,
    value: `${parameters.add(key)}::bytea`,
    descending: sort[at]?.descending ?? false,
  }));
  columns.push({
    name: 'id',
    value: parameters.add(place.id),
    descending: sort[place.keys.length]?.descending ?? false,
  });
  return columns
    .map(({ descending, name, value }, at) => {
      const equal = columns.slice(0, at).map((column) => `${column.name} = ${column.value}`);
      return `(${[...equal, `${name} ${descending ? '<' : '>'} ${value}`].join(' AND ')})`;
    })
    .join(' OR ');
}

/** A moment is sorted by its milliseconds, which are not answered. */
const moment = (column: string): string =>
  `convert_to(to_char(d.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8')`;

const ownKeys: Readonly<Record<string, string>> = {
  _id: `convert_to(d.id, 'UTF8')`,
  _version: 'int4send(d.version)',
  _created_at: moment('created_at'),
  _updated_at: moment('updated_at'),
};

/** Values that are neither object nor array take no function that looks into the document. */
function keyOf(path: Path, descending: boolean, parameters: Parameters): string {
  const [name = ''] = path;
  if (isOwn(path)) {
    return (path.length === 1 && ownKeys[name]) || `'\\x0a'::bytea`;
  }
  const steps = `${parameters.add(path)}::text[]`;
  const slow = `documents.sort_key(d.source::json, ${steps}, ${descending})`;
  // `#>` takes for a place in an array what MongoDB takes for a key alone.
  if (path.some((component) => /^\s*[+-]?\d/.test(component) && !isPlace(component))) return slow;
  const value = `(d.body #> ${steps})`;
  return `CASE jsonb_typeof${value}
    WHEN 'string' THEN '\\x1e'::bytea || convert_to(d.body #>> ${steps}, 'UTF8') || '\\x00'::bytea
    WHEN 'number' THEN documents.number_key((d.body #>> ${steps})::float8)
    WHEN 'boolean' THEN CASE d.body #>> ${steps} WHEN 'true' THEN '\\x3c01'::bytea ELSE '\\x3c00'::bytea END
    ELSE ${slow}
  END`;
}
