import type { Condition, Filter, Json, Path } from '../filter/filter.ts';
import { type Dialect, writePattern } from '../filter/pattern.ts';
import { accessorsOf, comparedAt, endsInPlace, isMissingAt } from './json-path.ts';

/** The parameters of a statement. What callers chose comes into a statement as one of them, never as text. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Where the value stands in the statement. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The condition of a filter on the row `d` of `documents.documents`. It is never NULL, so that it can be denied. */
export function conditionOf(filter: Filter, parameters: Parameters): string {
  switch (filter.kind) {
    case 'and':
      return joined(filter.parts, ' AND ', 'TRUE', parameters);
    case 'or':
      return joined(filter.parts, ' OR ', 'FALSE', parameters);
    case 'not':
      return `NOT ${conditionOf(filter.part, parameters)}`;
    default:
      return leaf(filter, parameters);
  }
}

function joined(parts: readonly Filter[], by: string, empty: string, parameters: Parameters): string {
  if (parts.length === 0) return empty;
  return `(${parts.map((part) => conditionOf(part, parameters)).join(by)})`;
}

function leaf(condition: Condition, parameters: Parameters): string {
  const { path } = condition;
  if (path.length === 1 && path[0] === '_id') return ofId(condition, parameters);
  switch (condition.kind) {
    case 'equal':
      return equals(path, [condition.value], parameters);
    case 'in':
      return equals(path, condition.values, parameters);
    case 'range': {
      const literal = literalOf(condition.value);
      return holds(comparedAt(path), (way) => `${way} ${condition.operator} ${literal}`, path, parameters);
    }
    case 'exists':
      return holds(accessorsOf(path), (way) => `exists(${way})`, path, parameters);
    case 'matches': {
      // `s`: what is not in a class may be a line break, as in RE2.
      const pattern = JSON.stringify(writePattern(condition.pattern, postgresPatterns));
      return holds(comparedAt(path), (way) => `${way} like_regex ${pattern} flag "s"`, path, parameters);
    }
  }
}

/** By the column, whose index then serves. */
function ofId(condition: Condition, parameters: Parameters): string {
  switch (condition.kind) {
    case 'equal':
      return `(d.id = ANY (${parameters.add(texts([condition.value]))}::text[]))`;
    case 'in':
      return `(d.id = ANY (${parameters.add(texts(condition.values))}::text[]))`;
    case 'range':
      return typeof condition.value === 'string'
        ? `(d.id ${condition.operator} ${parameters.add(condition.value)})`
        : 'FALSE';
    case 'exists':
      return 'TRUE';
    case 'matches':
      return `(d.id ~ ${parameters.add(`(?s)${writePattern(condition.pattern, postgresPatterns)}`)})`;
  }
}

const texts = (values: readonly Json[]): string[] => values.filter((value) => typeof value === 'string');

/** Whether one of the values is at the path. */
function equals(path: Path, values: readonly Json[], parameters: Parameters): string {
  const simple = values.filter((value) => typeof value !== 'object' || value === null);
  const nested = values.filter((value) => typeof value === 'object' && value !== null);
  const conditions = nested.map((value) => equalsNested(path, value, parameters));
  if (simple.length > 0) {
    const literals = simple.map(literalOf);
    const jsonPath = [
      ...comparedAt(path).flatMap((way) => literals.map((literal) => `(${way} == ${literal})`)),
      ...(simple.includes(null) ? [isMissingAt(path)] : []),
    ].join(' || ');
    conditions.push(matchesPath(path, jsonPath, parameters));
  }
  return conditions.length === 0 ? 'FALSE' : `(${conditions.join(' OR ')})`;
}

/** A whole object or array, which jsonpath cannot compare. Objects are equal where their keys have the same order, too. */
function equalsNested(path: Path, value: Json, parameters: Parameters): string {
  const text = JSON.stringify(value);
  const wanted = `${parameters.add(text)}::jsonb`;
  const found = accessorsOf(path).map(
    (way) => `EXISTS (
      SELECT FROM jsonb_path_query(${rootOf(path)}, ${parameters.add(way)}::jsonpath) AS found
      WHERE found = ${wanted}${
        endsInPlace(way)
          ? ''
          : ` OR EXISTS (
        SELECT FROM jsonb_array_elements(CASE jsonb_typeof(found) WHEN 'array' THEN found ELSE '[]' END) AS element
        WHERE element = ${wanted}
      )`
      })`,
  );
  const anyway = `(${found.join(' OR ')})`;
  if (!hasOrder(value) || isOwn(path)) return anyway;
  const inOrder = `documents.has_text_at(d.source::json, ${parameters.add(path)}::text[], ${parameters.add(text)})`;
  return `CASE WHEN ${anyway} THEN ${inOrder} ELSE FALSE END`;
}

function hasOrder(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const inner: readonly Json[] = Object.values(value);
  return (!Array.isArray(value) && inner.length > 1) || inner.some(hasOrder);
}

const literalOf = (value: Json): string => JSON.stringify(value);

function holds(
  ways: readonly string[],
  say: (way: string) => string,
  path: Path,
  parameters: Parameters,
): string {
  const jsonPath = ways.map((way) => `(${say(way)})`);
  return matchesPath(path, jsonPath.join(' || '), parameters);
}

function matchesPath(path: Path, jsonPath: string, parameters: Parameters): string {
  return `((${rootOf(path)} @@ ${parameters.add(jsonPath)}::jsonpath) IS TRUE)`;
}

/** A moment as documents have it: as a string, to the second. */
const moment = (column: string): string =>
  `to_char(d.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** What the store adds to a document, as it is answered. */
const ownFields: Readonly<Record<string, string>> = {
  _id: 'd.id',
  _version: 'd.version',
  _created_at: moment('created_at'),
  _updated_at: moment('updated_at'),
};

export const isOwn = (path: Path): boolean => Object.hasOwn(ownFields, path[0] ?? '');

function rootOf(path: Path): string {
  const [name = ''] = path;
  return isOwn(path) ? `jsonb_build_object('${name}', ${ownFields[name]})` : 'd.body';
}

const wordCharacter = '[0-9A-Z_a-z]';
const postgresPatterns: Dialect = {
  start: '\\A',
  end: '\\Z',
  word: `(?:(?<!${wordCharacter})(?=${wordCharacter})|(?<=${wordCharacter})(?!${wordCharacter}))`,
  noWord: `(?:(?<!${wordCharacter})(?!${wordCharacter})|(?<=${wordCharacter})(?=${wordCharacter}))`,
  character(code) {
    const character = String.fromCodePoint(code);
    return /^[0-9A-Za-z]$/.test(character) ? character : `\\U${code.toString(16).padStart(8, '0')}`;
  },
};
