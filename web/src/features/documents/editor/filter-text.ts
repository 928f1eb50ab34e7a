import JSON5 from 'json5';
import { isObject, type Json, type JsonObject } from './json.ts';

/** What a filter may ask. */
export const comparisons = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$regex',
  '$not',
] as const;
export const combinations = ['$and', '$or', '$nor'] as const;

const operators: ReadonlySet<string> = new Set([...comparisons, ...combinations]);

export interface FilterProblem {
  readonly fault: 'syntax' | 'notObject' | 'number' | 'operator';
  readonly from: number;
  readonly to: number;
  /** The operator that there is not. */
  readonly name?: string;
}

export type ReadFilter =
  | { readonly filter: JsonObject | undefined; readonly problem?: undefined }
  | { readonly problem: FilterProblem };

/**
 * Reads a filter as people write it: JSON, or with keys without quotes, single quotes and a comma too many, as MongoDB's shell
 * takes it. Nothing written filters nothing.
 */
export function readFilter(text: string): ReadFilter {
  if (text.trim() === '') return { filter: undefined };
  let value: unknown;
  try {
    value = JSON5.parse(text);
  } catch (error) {
    return { problem: { fault: 'syntax', ...placeOf(error, text) } };
  }
  const whole = { from: 0, to: text.length };
  if (!isObject(value)) return { problem: { fault: 'notObject', ...whole } };
  if (!isFinite(value)) return { problem: { fault: 'number', ...whole } };
  const name = unknownOperator(value);
  if (name !== undefined) {
    const from = Math.max(0, text.indexOf(name));
    return { problem: { fault: 'operator', name, from, to: from + name.length } };
  }
  return { filter: Object.keys(value).length === 0 ? undefined : value };
}

/** `{"a":1}` as the address and the calls have it; undefined without a filter. */
export const filterQuery = (filter: JsonObject | undefined): string | undefined =>
  filter && JSON.stringify(filter);

/** JSON5 knows NaN and Infinity, JSON does not. */
function isFinite(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values<Json>(value as JsonObject).every(isFinite);
}

function unknownOperator(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, below] of Object.entries<Json>(value as JsonObject)) {
    if (!Array.isArray(value) && key.startsWith('$') && !operators.has(key)) return key;
    const found = unknownOperator(below);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where JSON5 stopped reading: it counts lines and columns from 1. */
function placeOf(error: unknown, text: string): { from: number; to: number } {
  const { columnNumber, lineNumber } = Object(error) as { columnNumber?: number; lineNumber?: number };
  if (columnNumber === undefined || lineNumber === undefined) return { from: 0, to: text.length };
  const before = text.split('\n').slice(0, lineNumber - 1);
  const start = before.reduce((sum, line) => sum + line.length + 1, 0);
  const from = Math.min(start + Math.max(0, columnNumber - 1), text.length);
  return { from, to: Math.min(from + 1, text.length) };
}
