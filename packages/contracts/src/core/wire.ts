import { z } from 'zod';
import { camelKey, snakeKey } from './case.ts';

/**
 * The way of values to the wire and back, by the schema of a contract: the fields that it knows are renamed, in objects and
 * in objects of lists, and nothing else is looked at. Unknown fields are dropped; whatever the schema leaves open
 * (`unknown`, records, schemas that contain themselves) stays as it is, and so does what is declared `verbatim`.
 *
 * The time is that of the schema, not of what somebody sends: a list that is longer than its schema allows is cut one
 * beyond, where the schema refuses it just the same.
 */
export type Convert = (value: unknown) => unknown;

type Schema = z.core.$ZodTypes;
type Direction = 'from' | 'to';

const converters: Readonly<Record<Direction, WeakMap<z.core.$ZodType, Convert>>> = {
  from: new WeakMap(),
  to: new WeakMap(),
};

/** From the names on the wire to those in the code. */
export const fromWire = (schema: z.core.$ZodType): Convert => converterOf(schema, 'from');

/** From the names in the code to those on the wire. */
export const toWire = (schema: z.core.$ZodType): Convert => converterOf(schema, 'to');

const unchanged: Convert = (value) => value;

function converterOf(schema: z.core.$ZodType, direction: Direction): Convert {
  const known = converters[direction].get(schema);
  if (known) return known;
  const made = compile([schema], direction) ?? unchanged;
  converters[direction].set(schema, made);
  return made;
}

const fieldNames = new WeakSet<z.core.$ZodType>();

/** A text that is the name of a field, as in `order_key`: on the wire it is the name that the field has there. */
export function fieldName<const K extends string>(names: readonly [K, ...K[]]) {
  const schema = z.enum(names);
  fieldNames.add(schema);
  return schema;
}

/** Whether values of a schema are names of fields. */
export const holdsFieldName = (schema: z.core.$ZodType): boolean =>
  kindsOf(schema).some((kind) => fieldNames.has(kind));

const verbatims = new WeakSet<z.core.$ZodType>();

/** The same schema for values whose names stay as they are, at every depth: the customer's, or another protocol's. */
export function verbatim<S extends z.ZodType>(schema: S): S {
  const own = schema.clone();
  verbatims.add(own);
  return own;
}

/** Whether the names in values of a schema stay as they are. */
export const isVerbatim = (schema: z.core.$ZodType): boolean => verbatims.has(schema);

/** Renames the path of a field, to the wire or from it; one of `schemas` contains the field. */
export function renamePath(path: string, schemas: readonly z.core.$ZodType[], direction: Direction): string {
  let kinds: readonly Schema[] | 'stays' = schemas.flatMap(kindsOf);
  const rename = direction === 'to' ? snakeKey : camelKey;
  return path
    .split('.')
    .map((name) => {
      if (kinds === 'stays') return name;
      const renamed = rename(name);
      const inner: z.core.$ZodType[] = kinds.flatMap((kind) => {
        const { def } = kind._zod;
        if (def.type === 'array') return [def.element];
        if (def.type !== 'object' || verbatims.has(kind)) return [];
        const key = direction === 'to' ? name : renamed;
        // Where names are the sender's, one may be that of a property of every object.
        return Object.hasOwn(def.shape, key) ? (def.shape[key] ?? []) : [];
      });
      const isOpen = kinds.some((kind) => verbatims.has(kind) || openKinds.has(kind._zod.def.type));
      kinds = inner.length === 0 && isOpen ? 'stays' : inner.flatMap(kindsOf);
      return kinds === 'stays' ? name : renamed;
    })
    .join('.');
}

/** What converts a value that is of one of `schemas`; undefined where all of them leave it as it is. */
function compile(schemas: readonly z.core.$ZodType[], direction: Direction): Convert | undefined {
  const kinds = schemas.flatMap(kindsOf);
  if (kinds.some((kind) => verbatims.has(kind))) return undefined;
  const name = compileName(kinds, direction);
  if (name) return name;
  const object = compileObject(kinds, direction);
  const list = compileList(kinds, direction);
  if (!object && !list) return undefined;
  return (value) => {
    if (Array.isArray(value)) return list ? list(value) : value;
    return object && typeof value === 'object' && value !== null ? object(value) : value;
  };
}

/** The schemas that decide about a value, without what is wrapped around them. */
function kindsOf(schema: z.core.$ZodType): Schema[] {
  const kind = schema as Schema;
  if (verbatims.has(schema)) return [kind];
  const { def } = kind._zod;
  switch (def.type) {
    case 'catch':
    case 'default':
    case 'nonoptional':
    case 'nullable':
    case 'optional':
    case 'prefault':
    case 'readonly':
      return kindsOf(def.innerType);
    case 'pipe':
      return [def.in, def.out].flatMap(kindsOf);
    case 'intersection':
      return [def.left, def.right].flatMap(kindsOf);
    case 'union':
      return def.options.flatMap(kindsOf);
    default:
      return [kind];
  }
}

function compileObject(
  kinds: readonly Schema[],
  direction: Direction,
): ((value: object) => object) | undefined {
  const objects = kinds.flatMap(({ _zod: { def } }) => (def.type === 'object' ? [def] : []));
  if (objects.length === 0) return undefined;
  const isOpen = kinds.some(({ _zod: { def } }) =>
    def.type === 'object' ? def.catchall !== undefined : openKinds.has(def.type),
  );
  const names = new Set(objects.flatMap(({ shape }) => Object.keys(shape)));
  const fields = [...names].map((name) => {
    const schemas = objects.flatMap(({ shape }) => shape[name] ?? []);
    const wireName = snakeKey(name);
    const [from, to] = direction === 'from' ? [wireName, name] : [name, wireName];
    return { from, to, convert: compile(schemas, direction) ?? unchanged };
  });
  const known = new Set(fields.map(({ from }) => from));
  // On the wire the name of the code is no name of the field: kept as it is, it would become one.
  const foreign = new Map(direction === 'from' ? fields.map(({ from, to }) => [to, from]) : []);

  return (value) => {
    const values: Readonly<Record<string, unknown>> = Object(value);
    const result: Record<string, unknown> = isOpen
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, inner]) =>
            known.has(name) ? [] : [[foreign.get(name) ?? name, inner]],
          ),
        )
      : {};
    for (const { convert, from, to } of fields) {
      if (Object.hasOwn(values, from)) result[to] = convert(values[from]);
    }
    return result;
  };
}

/** What may hold names that are the sender's own. */
const openKinds: ReadonlySet<string> = new Set(['any', 'custom', 'lazy', 'map', 'record', 'unknown']);

/** Another text is none of the names, also where it is one in the code. */
function compileName(kinds: readonly Schema[], direction: Direction): Convert | undefined {
  const names = kinds.flatMap(({ _zod: { def, values } }) =>
    def.type === 'enum' ? [...(values ?? [])].map(String) : [],
  );
  if (!kinds.some((kind) => fieldNames.has(kind))) return undefined;
  const known = new Map(
    names.map((name) => (direction === 'from' ? [snakeKey(name), name] : [name, snakeKey(name)])),
  );
  return (value) => (typeof value === 'string' ? (known.get(value) ?? snakeKey(value)) : value);
}

function compileList(
  kinds: readonly Schema[],
  direction: Direction,
): ((value: readonly unknown[]) => readonly unknown[]) | undefined {
  const lists = kinds.filter(({ _zod: { def } }) => def.type === 'array');
  if (lists.length === 0) return undefined;
  const convert = compile(
    lists.flatMap(({ _zod: { def } }) => (def.type === 'array' ? [def.element] : [])),
    direction,
  );
  const most = Math.max(...lists.map(mostItems));
  return (value) => {
    const items = value.length > most ? value.slice(0, most + 1) : value;
    return convert ? items.map(convert) : items;
  };
}

function mostItems({ _zod: { def } }: Schema): number {
  const maxima = (def.checks ?? []).map((check) => {
    const { def: rule } = (check as z.core.$ZodChecks)._zod;
    if (rule.check === 'max_length') return rule.maximum;
    return rule.check === 'length_equals' ? rule.length : Number.POSITIVE_INFINITY;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...maxima);
}
