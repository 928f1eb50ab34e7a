import type { Condition, Filter, Path } from '../filter/filter.ts';
import { type Dialect, type Pattern, writePattern } from '../filter/pattern.ts';
import type { Sort } from '../sort.ts';
import { formsOf, formsOfPath } from './encoding.ts';
import { isMoment, momentQuery } from './moments.ts';

/** What MongoDB is asked; it is made of checked filters alone, never of a caller's object. */
export type Query = Readonly<Record<string, unknown>>;

const ownNames: Readonly<Record<string, string>> = {
  _id: '_id',
  _version: 'v',
  _created_at: 'c',
  _updated_at: 'u',
};

/** Where the value of a path may be in a stored document; most have one place. */
export function placesOf(path: Path): readonly [string, ...string[]] {
  const [name = '', ...rest] = path;
  if (Object.hasOwn(ownNames, name)) return [[ownNames[name], ...rest].join('.')];
  const [first = '', ...others] = formsOfPath(path).map((form) => `d.${form}`);
  return [first, ...others];
}

const nothing: Query = { _id: { $exists: false } };

export function queryOf(filter: Filter): Query {
  switch (filter.kind) {
    case 'and':
      return filter.parts.length === 0 ? {} : { $and: filter.parts.map(queryOf) };
    case 'or':
      return filter.parts.length === 0 ? nothing : { $or: filter.parts.map(queryOf) };
    case 'not':
      return { $nor: [queryOf(filter.part)] };
    default: {
      const places = placesOf(filter.path);
      if (isMoment(filter.path)) return momentQuery(places[0], filter, regexOf);
      const conditions = places.map((place) => ({ [place]: operatorOf(filter) }));
      return conditions.length === 1 ? { ...conditions[0] } : { $or: conditions };
    }
  }
}

const rangeOperators = { '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const;

function operatorOf(condition: Condition): Query {
  switch (condition.kind) {
    case 'equal': {
      const forms = formsOf(condition.value);
      return forms.length === 1 ? { $eq: forms[0] } : { $in: forms };
    }
    case 'in':
      return { $in: condition.values.flatMap(formsOf) };
    case 'range':
      return { [rangeOperators[condition.operator]]: condition.value };
    case 'exists':
      return { $exists: true };
    case 'matches':
      return { $regex: regexOf(condition.pattern) };
  }
}

/** MongoDB's PCRE2 and FerretDB's RE2 mean the same by these. */
const mongoPatterns: Dialect = {
  start: '\\A',
  end: '\\z',
  word: '\\b',
  noWord: '\\B',
  character(code) {
    const character = String.fromCodePoint(code);
    return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
  },
};

const regexOf = (pattern: Pattern): string => writePattern(pattern, mongoPatterns);

/** By its keys, then by `_id`. Of several places of a key, a collection has one. */
export function orderOf(sort: Sort): Record<string, 1 | -1> {
  const order: Record<string, 1 | -1> = {};
  for (const { descending, path } of sort) {
    for (const place of placesOf(path)) order[place] ??= descending ? -1 : 1;
  }
  order['_id'] ??= 1;
  return order;
}
