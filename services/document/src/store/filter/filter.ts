import { documentLimits } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { type Pattern, parsePattern } from './pattern.ts';

/** A filter, read once and checked, so that adapters need not. Every document fulfils `and` of nothing. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | Condition;

/** What one path must fulfil. */
export type Condition =
  | { readonly kind: 'equal'; readonly path: Path; readonly value: Json }
  | {
      readonly kind: 'range';
      readonly path: Path;
      readonly operator: '>' | '>=' | '<' | '<=';
      readonly value: string | number | boolean;
    }
  | { readonly kind: 'in'; readonly path: Path; readonly values: readonly Json[] }
  | { readonly kind: 'exists'; readonly path: Path }
  | { readonly kind: 'matches'; readonly path: Path; readonly pattern: Pattern };

/** The components of a dotted path. */
export type Path = readonly string[];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What a filter may cost: how deeply it is nested, and how many conditions and values it has. */
const deepest = 20;
const mostConditions = 200;
const mostValues = 1_000;

/** Reads the text of a filter. Throws `E40002` on `filter` for what is none. */
export function parseFilter(text: string): Filter {
  if (text.length > documentLimits.filterMaxLength) throw invalid();
  return new FilterReader().read(jsonOf(text));
}

export const invalid = (): Error => fieldError('E40002', 'filter', 'invalidValue');

/** What was asked took too long; without a filter there is none to narrow. */
export const tookTooLong = (isFiltered: boolean): Error =>
  isFiltered ? fieldError('E40002', 'filter', 'filterTimeout') : fieldError('E40002', 'sort', 'sortTimeout');

class FilterReader {
  #conditions = 0;
  #values = 0;

  read(value: unknown): Filter {
    return this.#query(value, 1);
  }

  #query(value: unknown, level: number): Filter {
    if (!isObject(value) || level > deepest) throw invalid();
    return all(Object.entries(value).map(([key, operand]) => this.#entry(key, operand, level)));
  }

  #entry(key: string, operand: unknown, level: number): Filter {
    switch (key) {
      case '$and':
        return { kind: 'and', parts: this.#queries(operand, level) };
      case '$or':
        return { kind: 'or', parts: this.#queries(operand, level) };
      case '$nor':
        return not({ kind: 'or', parts: this.#queries(operand, level) });
      default:
        return this.#field(pathOf(key), operand, level);
    }
  }

  #queries(value: unknown, level: number): Filter[] {
    if (!Array.isArray(value) || value.length === 0) throw invalid();
    return value.map((query) => this.#query(query, level + 1));
  }

  #field(path: Path, operand: unknown, level: number): Filter {
    return hasOperators(operand) ? this.#operators(path, operand, level) : this.#equal(path, operand);
  }

  #operators(path: Path, operators: object, level: number): Filter {
    if (level > deepest) throw invalid();
    return all(
      Object.entries(operators).map(([name, operand]) => this.#operator(path, name, operand, level)),
    );
  }

  #operator(path: Path, name: string, operand: unknown, level: number): Filter {
    switch (name) {
      case '$eq':
        return this.#equal(path, operand);
      case '$ne':
        return not(this.#equal(path, operand));
      case '$gt':
        return this.#range(path, '>', operand);
      case '$gte':
        return this.#range(path, '>=', operand);
      case '$lt':
        return this.#range(path, '<', operand);
      case '$lte':
        return this.#range(path, '<=', operand);
      case '$in':
        return this.#in(path, operand);
      case '$nin':
        return not(this.#in(path, operand));
      case '$exists':
        return this.#exists(path, operand);
      case '$regex':
        this.#count();
        return { kind: 'matches', path, pattern: patternOf(operand) };
      case '$not':
        if (!hasOperators(operand)) throw invalid();
        return not(this.#operators(path, operand, level + 1));
      default:
        throw invalid();
    }
  }

  #equal(path: Path, operand: unknown): Filter {
    this.#count();
    return { kind: 'equal', path, value: this.#value(path, operand) };
  }

  /** Only values of the same type are compared. Objects and arrays have no order that anybody would ask for. */
  #range(path: Path, operator: '>' | '>=' | '<' | '<=', operand: unknown): Filter {
    this.#count();
    const value = this.#value(path, operand);
    if (value === null) {
      // Null is neither more nor less than null, but as much.
      return operator === '>=' || operator === '<=' ? { kind: 'equal', path, value } : none;
    }
    if (typeof value === 'object') throw invalid();
    return { kind: 'range', path, operator, value };
  }

  #in(path: Path, operand: unknown): Filter {
    this.#count();
    if (!Array.isArray(operand)) throw invalid();
    return { kind: 'in', path, values: operand.map((value) => this.#value(path, value)) };
  }

  #exists(path: Path, operand: unknown): Filter {
    this.#count();
    if (typeof operand !== 'boolean') throw invalid();
    const exists: Filter = { kind: 'exists', path };
    return operand ? exists : not(exists);
  }

  #value(path: Path, operand: unknown): Json {
    this.#values++;
    if (this.#values > mostValues) throw invalid();
    // An array in an array lacks what an object there would have: not every adapter can tell that from null.
    if (operand === null && path.some((_, at) => isInnerPlace(path, at))) {
      throw fieldError('E40002', 'filter', 'filterNullInPlaces');
    }
    return valueOf(operand);
  }

  #count(): void {
    this.#conditions++;
    if (this.#conditions > mostConditions) throw invalid();
  }
}

const not = (part: Filter): Filter => ({ kind: 'not', part });
/** No document fulfils it. */
const none: Filter = { kind: 'or', parts: [] };
const all = (parts: readonly Filter[]): Filter =>
  parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid();
  }
}

/** An operand whose keys are operators, rather than a value: never some and some. */
function hasOperators(operand: unknown): operand is object {
  if (!isObject(operand)) return false;
  const keys = Object.keys(operand);
  const operators = keys.filter((key) => key.startsWith('$'));
  if (operators.length > 0 && operators.length < keys.length) throw invalid();
  return operators.length > 0;
}

function patternOf(operand: unknown): Pattern {
  const pattern = typeof operand === 'string' ? parsePattern(operand) : undefined;
  if (pattern === undefined) throw invalid();
  return pattern;
}

/** Components that are numbers stand for a key or a place in an array; each of them doubles what must be looked at. */
const mostComponents = 32;
const mostPlaces = 3;

/** A dotted path. Throws `E40002` on `field` for what is none. */
export function pathOf(text: string, field = 'filter'): Path {
  const path = text.split('.');
  const isPath =
    text.length <= documentLimits.fieldMaxLength &&
    path.length <= mostComponents &&
    path.every((component) => !component.startsWith('$') && isKey(component)) &&
    path.filter(isPlace).length <= mostPlaces;
  if (!isPath) throw fieldError('E40002', field, 'invalidValue');
  return path;
}

/** Whether a component may also be a place in an array. */
export const isPlace = (component: string): boolean => /^(?:0|[1-9]\d{0,6})$/.test(component);

/** Whether a component may also be a place in an array that stands in an array. */
export const isInnerPlace = (path: Path, at: number): boolean =>
  at > 1 && isPlace(path[at] ?? '') && isPlace(path[at - 1] ?? '');

/** What documents hold, and nothing else: see the fine print. */
function valueOf(operand: unknown, level = 1): Json {
  if (level > deepest) throw invalid();
  if (operand === null || typeof operand === 'boolean') return operand;
  if (typeof operand === 'number' && Number.isFinite(operand)) return operand;
  if (typeof operand === 'string' && isStorable(operand)) return operand;
  if (Array.isArray(operand)) return operand.map((value) => valueOf(value, level + 1));
  if (!isObject(operand)) throw invalid();
  const entries = Object.entries(operand).map(([key, value]): [string, Json] => {
    if (key.startsWith('$') || !isKey(key)) throw invalid();
    return [key, valueOf(value, level + 1)];
  });
  return Object.fromEntries(entries);
}

const isKey = (key: string): boolean => key !== '__proto__' && isStorable(key);
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
