import { scimRoutes } from '@portal/contracts';
import { equalOperators, type FilterStep, orderOperators, textOperators } from '@portal/contracts/internal';
import { fieldError } from '@portal/kernel';
import { type Filter, parse } from 'scim2-parse-filter';
import { attributeName } from './attributes.ts';
import type { ResourceKind } from './resources.ts';

const { scimLimits, scimSchemas } = scimRoutes;

/**
 * Reads a filter (RFC 7644, 3.4.2.2) of users or groups. Throws `E40002` on filter for one that is none, asks for what the schema
 * does not have, or is too long or too deep.
 */
export function readFilter(text: string, kind: ResourceKind): FilterStep[] {
  return stepsOf(parseFilter(text), kind);
}

/** A filter whose texts are read: what is compared with what. */
type Read = Exclude<Filter, never>;

/**
 * The parser knows neither escapes but that of a quotation mark nor, where a text does not end, an end: it gets texts of a digit in
 * their place, and their values are put back afterwards.
 */
export function parseFilter(text: string): Read {
  if (text.length > scimLimits.filterMaxLength) throw invalidFilter();
  const values: string[] = [];
  // One without its end is found too, and is no value: else it would be looked for again from each of its escaped quotation marks.
  const plain = text.replaceAll(/"(?:[^"\\]|\\.)*"?/gs, (quoted) => {
    values.push(valueOf(quoted));
    return `"${values.length - 1}"`;
  });
  if (!isShallow(plain)) throw invalidFilter();
  let parsed: Filter;
  try {
    parsed = parse(plain);
  } catch {
    throw invalidFilter();
  }
  return withValues(parsed, values);
}

export function invalidFilter(): Error {
  return fieldError('E40002', 'filter', 'invalidValue');
}

function valueOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw invalidFilter();
  }
}

function isShallow(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    if (depth > scimLimits.maxFilterDepth) return false;
  }
  return (text.match(/\bnot\b/gi)?.length ?? 0) <= scimLimits.maxFilterTerms;
}

function withValues(filter: Filter, values: readonly string[]): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((one) => withValues(one, values)) };
    case 'not':
      return { ...filter, filter: withValues(filter.filter, values) };
    case '[]':
      return { ...filter, valFilter: withValues(filter.valFilter, values) };
    case 'pr':
      return filter;
    default: {
      const { compValue } = filter;
      return typeof compValue === 'string'
        ? { ...filter, compValue: values[Number(compValue)] ?? '' }
        : filter;
    }
  }
}

function stepsOf(filter: Filter, kind: ResourceKind, prefix = ''): FilterStep[] {
  const steps = compile(filter, kind, prefix);
  const terms = steps.filter(({ test }) => test !== 'and' && test !== 'or' && test !== 'not');
  if (terms.length > scimLimits.maxFilterTerms) throw invalidFilter();
  return steps;
}

function compile(filter: Filter, kind: ResourceKind, prefix: string): FilterStep[] {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const join = { test: filter.op } as const;
      return filter.filters.flatMap((one, i) => [...compile(one, kind, prefix), ...(i === 0 ? [] : [join])]);
    }
    case 'not':
      return [...compile(filter.filter, kind, prefix), { test: 'not' }];
    case '[]': {
      const attribute = attributeName(filter.attrPath);
      if (prefix === '' && kind === 'group' && attribute === 'members') return memberSteps(filter.valFilter);
      if (prefix !== '' || !['name', 'meta'].includes(attribute)) throw invalidFilter();
      return compile(filter.valFilter, kind, `${attribute}.`);
    }
    case 'pr':
      return [presence(prefix + attributeName(filter.attrPath), kind)];
    default:
      return comparison(prefix + attributeName(filter.attrPath), filter, kind);
  }
}

/** Of one member: who it is. That it is a user holds for each. */
function memberSteps(filter: Filter): FilterStep[] {
  switch (filter.op) {
    case 'or':
      return filter.filters.flatMap((one, i) => [
        ...memberSteps(one),
        ...(i === 0 ? [] : [{ test: 'or' } as const]),
      ]);
    case 'and': {
      const parts = filter.filters.map(memberSteps);
      const naming = parts.filter((steps) => steps.some(({ test }) => test === 'member'));
      // Nobody is two.
      if (naming.length > 1) throw invalidFilter();
      return parts.flatMap((steps, i) => [...steps, ...(i === 0 ? [] : [{ test: 'and' } as const])]);
    }
    case 'eq': {
      const attribute = attributeName(filter.attrPath);
      if (attribute === 'value') return [member(filter.compValue)];
      if (attribute === 'type') return [{ test: 'always', value: isSame(filter.compValue, 'User') }];
      throw invalidFilter();
    }
    default:
      throw invalidFilter();
  }
}

function member(value: unknown): FilterStep {
  const userId = idIn(value);
  return userId === undefined ? { test: 'always', value: false } : { test: 'member', userId };
}

/** The id that a value names; undefined where it names none. */
export function idIn(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647
    ? Number(text)
    : undefined;
}

const isSame = (value: unknown, text: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === text.toLowerCase();

/** Attributes of texts, and what they are to the user service. */
const textFields: Readonly<Record<ResourceKind, Readonly<Record<string, TextField>>>> = {
  user: {
    id: 'id',
    externalid: 'externalId',
    username: 'login',
    displayname: 'name',
    'name.formatted': 'name',
  },
  group: { id: 'id', externalid: 'externalId', displayname: 'name' },
};
type TextField = Extract<FilterStep, { test: 'text' }>['field'];

const timeFields = new Map([
  ['meta.created', 'createdAt'],
  ['meta.lastmodified', 'updatedAt'],
] as const);

const always = (value: boolean): FilterStep => ({ test: 'always', value });

function presence(attribute: string, kind: ResourceKind): FilterStep {
  if (attribute === 'externalid') return { test: 'present', field: 'externalId' };
  if (kind === 'group' && (attribute === 'members' || attribute === 'members.value')) {
    return { test: 'present', field: 'members' };
  }
  const isThere =
    Object.hasOwn(textFields[kind], attribute) ||
    timeFields.has(attribute as 'meta.created') ||
    ['meta', 'meta.resourcetype', 'meta.location', 'meta.version', 'schemas'].includes(attribute) ||
    (kind === 'user' && (attribute === 'name' || attribute === 'active'));
  if (!isThere) throw invalidFilter();
  return always(true);
}

type Compared = Extract<Filter, { compValue: unknown }>;

function comparison(attribute: string, { compValue: value, op }: Compared, kind: ResourceKind): FilterStep[] {
  if (value === null) {
    if (op !== 'eq' && op !== 'ne') throw invalidFilter();
    const there = presence(attribute, kind);
    return op === 'ne' ? [there] : [there, { test: 'not' }];
  }
  const field = Object.hasOwn(textFields[kind], attribute) ? textFields[kind][attribute] : undefined;
  if (field !== undefined)
    return [text(field, op, field === 'id' && typeof value === 'number' ? String(value) : value)];
  const timeField = timeFields.get(attribute as 'meta.created');
  if (timeField !== undefined) return [time(timeField, op, value)];
  switch (attribute) {
    case 'active':
      if (kind === 'user') return [active(op, value)];
      throw invalidFilter();
    case 'members':
    case 'members.value': {
      if (kind !== 'group' || (op !== 'eq' && op !== 'ne')) throw invalidFilter();
      const one = member(value);
      return op === 'eq' ? [one] : [one, { test: 'not' }];
    }
    case 'meta.resourcetype':
      return [constant(kind === 'user' ? 'User' : 'Group', op, value)];
    case 'schemas':
      return [constant(scimSchemas[kind], op, value)];
    default:
      throw invalidFilter();
  }
}

function text(field: TextField, op: string, value: unknown): FilterStep {
  const operator = textOperators.find((one) => one === op);
  if (operator === undefined || typeof value !== 'string') throw invalidFilter();
  return { test: 'text', field, operator, value };
}

function time(field: 'createdAt' | 'updatedAt', op: string, value: unknown): FilterStep {
  const operator = orderOperators.find((one) => one === op);
  const isTime =
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.test(value);
  if (operator === undefined || !isTime) throw invalidFilter();
  const at = new Date(/(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1) throw invalidFilter();
  return { test: 'time', field, operator, value: at.toISOString() };
}

function active(op: string, value: unknown): FilterStep {
  const operator = equalOperators.find((one) => one === op);
  const wanted = booleanIn(value);
  if (operator === undefined || wanted === undefined) throw invalidFilter();
  return { test: 'active', value: operator === 'eq' ? wanted : !wanted };
}

/** Providers send truth as a text as well, in any case. */
export function booleanIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (isSame(value, 'true')) return true;
  return isSame(value, 'false') ? false : undefined;
}

/** What is the same for every resource of a kind. */
function constant(actual: string, op: string, value: unknown): FilterStep {
  if (typeof value !== 'string') throw invalidFilter();
  const [is, asked] = [actual.toLowerCase(), value.toLowerCase()];
  switch (op) {
    case 'eq':
      return always(is === asked);
    case 'ne':
      return always(is !== asked);
    case 'co':
      return always(is.includes(asked));
    case 'sw':
      return always(is.startsWith(asked));
    case 'ew':
      return always(is.endsWith(asked));
    default:
      throw invalidFilter();
  }
}
