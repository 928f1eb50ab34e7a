import type { JsonObject } from '../document-store.ts';
import { type Filter, isPlace, type Json, type Path } from '../filter/filter.ts';

/**
 * The rows that an index of the PostgreSQL adapter has for a document, and the ranges of them in which a filter finds all that it
 * can match. A filter looks at each document that it finds so again; entries may tell of more, never of less.
 */

export interface KnownIndex {
  readonly id: number;
  readonly field: string;
  readonly path: Path;
  readonly isReady: boolean;
}

/** From and to, both included. */
export type KeyRange = readonly [from: Buffer, to: Buffer];

/** Documents are in one of these ranges of these indexes. */
export type Lookup = readonly { readonly index: KnownIndex; readonly ranges: readonly KeyRange[] }[];

/** Longer keys are cut: an entry of an index of PostgreSQL has its limit. */
const longestKey = 512;

const types = { several: 0x01, null: 0x0a, negative: 0x14, number: 0x15, string: 0x1e, boolean: 0x3c };
/** A document with an array there: its values may fulfil two conditions one each. */
const several = Buffer.of(types.several);

/** The keys of a document; none for objects and for arrays in arrays, which no lookup asks for. */
export function keysOf(content: JsonObject, path: Path): readonly Buffer[] {
  const found = new Map<string, Buffer>();
  const add = (key: Buffer) => found.set(key.toString('latin1'), key);
  const visit = (value: unknown, depth: number, isElement: boolean): void => {
    if (Array.isArray(value)) {
      if (isElement) return;
      add(several);
      const place = path[depth];
      for (const element of value) {
        if (depth === path.length) visit(element, depth, true);
        else if (typeof element === 'object' && element !== null) visit(element, depth, true);
      }
      if (place !== undefined && isPlace(place)) {
        if (Number(place) < value.length) visit(value[Number(place)], depth + 1, false);
        // What a place means where there is none, only a look at the document tells.
        else add(keyOf(null));
      }
    } else if (depth === path.length) {
      if (isScalar(value)) add(keyOf(value));
    } else if (typeof value === 'object' && value !== null) {
      const key = path[depth] ?? '';
      if (Object.hasOwn(value, key)) visit(Reflect.get(value, key), depth + 1, false);
      else add(keyOf(null));
    } else add(keyOf(null));
  };
  visit(content, 0, false);
  return [...found.values()];
}

type Scalar = null | boolean | number | string;

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;

/** As `documents.key_of` has it, but cut. */
function keyOf(value: Scalar): Buffer {
  if (value === null) return Buffer.of(types.null);
  switch (typeof value) {
    case 'boolean':
      return Buffer.of(types.boolean, value ? 1 : 0);
    case 'number': {
      const key = Buffer.alloc(9);
      key.writeDoubleBE(value + 0, 1);
      key[0] = types.number;
      if (value < 0) for (const place of key.keys()) key[place] = 0xff & ~(key[place] ?? 0);
      if (value < 0) key[0] = types.negative;
      return key;
    }
    default:
      return Buffer.concat([
        Buffer.of(types.string),
        Buffer.from(value.slice(0, longestKey)),
        Buffer.of(0),
      ]).subarray(0, longestKey);
  }
}

/** The lookups each of which finds all that the filter can match; none where no index helps. */
export function lookupsOf(filter: Filter, indexes: readonly KnownIndex[]): readonly Lookup[] {
  switch (filter.kind) {
    case 'and':
      return [
        ...combined(filter.parts, indexes),
        ...filter.parts.flatMap((part) => lookupsOf(part, indexes)),
      ];
    case 'or': {
      // Each branch needs one, and the first of each will do.
      const branches = filter.parts.map((part) => lookupsOf(part, indexes)[0]);
      const found = branches.filter((lookup) => lookup !== undefined);
      return found.length === branches.length && found.length > 0 ? [found.flat()] : [];
    }
    case 'equal':
    case 'in':
    case 'range': {
      const ranges = rangesOf(filter);
      const index = indexes.find(({ isReady, path }) => isReady && isSame(path, filter.path));
      return index && ranges ? [[{ index, ranges }]] : [];
    }
    default:
      return [];
  }
}

/** Several conditions on one field: what fulfils all of them by one value, and all with an array. */
function combined(parts: readonly Filter[], indexes: readonly KnownIndex[]): readonly Lookup[] {
  return indexes.flatMap((index): Lookup[] => {
    const ranges = parts.flatMap((part) =>
      part.kind === 'range' && index.isReady && isSame(part.path, index.path) ? (rangesOf(part) ?? []) : [],
    );
    const [first, ...others] = ranges;
    if (!first || others.length === 0) return [];
    const common = others.reduce(
      ([from, to], [otherFrom, otherTo]): KeyRange => [
        Buffer.compare(from, otherFrom) < 0 ? otherFrom : from,
        Buffer.compare(to, otherTo) < 0 ? to : otherTo,
      ],
      first,
    );
    return [[{ index, ranges: [common, [several, several]] }]];
  });
}

function rangesOf(
  condition: Extract<Filter, { kind: 'equal' | 'in' | 'range' }>,
): readonly KeyRange[] | undefined {
  switch (condition.kind) {
    case 'equal':
      return exactly([condition.value]);
    case 'in':
      return exactly(condition.values);
    case 'range': {
      const key = keyOf(condition.value);
      const [first, last] = typeRange(condition.value);
      return condition.operator === '>' || condition.operator === '>=' ? [[key, last]] : [[first, key]];
    }
  }
}

function exactly(values: readonly Json[]): readonly KeyRange[] | undefined {
  if (!values.every((value): value is Scalar => isScalar(value))) return undefined;
  return values.map((value): KeyRange => {
    const key = keyOf(value);
    return [key, key];
  });
}

/** All keys of the type of a value: only those are compared with it. */
function typeRange(value: string | number | boolean): KeyRange {
  switch (typeof value) {
    case 'string':
      return [Buffer.of(types.string), Buffer.of(types.string + 1)];
    case 'number':
      return [Buffer.of(types.negative), Buffer.of(types.number + 1)];
    default:
      return [Buffer.of(types.boolean), Buffer.of(types.boolean + 1)];
  }
}

const isSame = (one: Path, other: Path): boolean => one.join('.') === other.join('.');
