import { pathsOf, type RouteContract, snakeKey } from '@portal/contracts';
import { type JsonSchema, wireSchema } from '@portal/contracts/documents';
import fc, { type GeneratorValue } from 'fast-check';
import { type Actor, actors, isAdmin, type World } from './world.ts';

/** One request of the fuzz test: what is sent, by whom, and what it was made from. */
export interface Attempt {
  readonly route: RouteContract;
  readonly actor: Actor;
  /** What stands in `Authorization`: the actor's own token, nothing, or a text. */
  readonly authorization: 'own' | undefined | { readonly text: string };
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Its address and method are those of the route, so that the answer is the route's. */
  readonly direct: boolean;
  /** The tenant that the address names. */
  readonly partnerId: number | undefined;
}

const times = (text: string, count: number) => text.repeat(count);

const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '\uDC00x',
  '\u202Eabc',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  '"; DROP TABLE x',
  '%00',
  '%',
  '_',
  '../../etc/passwd',
  '\r\nX-Odd: 1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'ｱ',
  '9'.repeat(400),
  times('x', 70_000),
  times('_', 70_000),
  times('a_', 35_000),
  times('😀', 3_000),
  times('a@', 120),
  times('[', 60_000),
  times('-', 5_000),
  `${times('a', 64)}@${times('b.', 90)}c`,
];

/** Never a small whole number, which may be the id of somebody that the test needs. */
const oddNumbers = [
  0,
  -1,
  1.5,
  -0.1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
];

const noSmallNumbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'number' && Math.abs(inner) < 1_000 ? inner + 0.5 : inner,
  );

const oddValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown[]>(...oddTexts) },
  { weight: 3, arbitrary: fc.constantFrom<unknown[]>(...oddNumbers) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown[]>(null, true, false, [], {}, [[]], [null], [1e12], ['x'], { a: 1 }, [
      {},
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown[]>(
      Array(20_000).fill(null),
      Array(2_000).fill({}),
      Array(1_001).fill(1e9),
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue().map(noSmallNumbers) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
);

/** Bodies that no JSON value gives, around the name of a field. */
const oddBodies: readonly ((valid: string, field: string) => string | Buffer)[] = [
  () => '',
  () => ' ',
  () => 'null',
  () => '[]',
  () => '"x"',
  () => '\uFEFF{}',
  () => '{"__proto__":{"role":127}}',
  () => '{"constructor":{"prototype":{"role":127}}}',
  (valid) => valid.slice(0, valid.length / 2),
  (valid) => valid + valid,
  (valid, field) => valid.replace('{', `{"${field}":1,"${field}":2,`),
  (valid) => valid.replace('{', `{"${times('_', 500_000)}":1,`),
  (valid) => valid.replace('{', `{"${times('a_b', 200_000)}":1,`),
  (valid) => valid.replace('{', `{"${times('A', 500_000)}":1,`),
  (valid) =>
    valid.replace(
      '{',
      `{${Array.from({ length: 30_000 }, (_, index) => `"unknown_key_${index}":1`).join()},`,
    ),
  (_, field) => `{"${field}":${times('[', 100_000)}${times(']', 100_000)}}`,
  (_, field) => `{"${field}":${times('{"a":', 50_000)}1${times('}', 50_000)}}`,
  (_, field) => `{"${field}":${times('[', 60)}${times(']', 60)}}`,
  (_, field) => `{"${field}":${times('9', 300_000)}}`,
  (_, field) => `{"${field}":1e400}`,
  (_, field) => `{"${field}":"${times('\\u0000', 100_000)}"}`,
  (_, field) => `{"${field}":"\\ud800"}`,
  (_, field) => `{"${field}":[${times('0,', 400_000)}0]}`,
  (_, field) => `{"${field}":"${times('x', 1_100_000)}"}`,
  (valid) => times(' ', 900_000) + valid,
  (_, field) =>
    Buffer.concat([Buffer.from(`{"${field}":"`), Buffer.from([0xff, 0xc0, 0xaf]), Buffer.from('"}')]),
  () => Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
];

const oddContentTypes = [
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;;;=',
  'application/vnd.api+json',
  '/',
  'x',
  `application/${times('x', 4_000)}`,
];

const oddHeaders: readonly (readonly [name: string, ...values: string[]])[] = [
  [
    'accept-language',
    '*',
    'en;q=',
    'en;q=0',
    ';;,,',
    'EN-gb,ja;q=0.9',
    times('en,', 2_000),
    times('x', 6_000),
  ],
  ['x-agent', '', 'x', '/', 'a/b/c', times('a', 4_000), `${times('a', 3_000)}/`, 'a/\u00e9'],
  ['idempotency-key', '', ' ', 'again', times('k', 255), times('k', 8_000), '\u00ff', "';--"],
  ['range', 'bytes=0-', 'bytes=9-1', 'bytes=-1,-2', times('0-0,', 1_500), 'x'],
  ['if-none-match', '*', '"x"'],
  ['x-forwarded-for', '', '127.0.0.1', times('1.1.1.1,', 900), 'x', "' OR 1=1"],
  ['x-request-id', '', 'mine', times('r', 6_000)],
  ['x-api-key', '', 'x', times('k', 6_000)],
  ['traceparent', 'x', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['tracestate', times('a=b,', 1_500)],
  ['cookie', times('a=b; ', 1_500), '__proto__=1'],
  ['origin', 'null', 'http://elsewhere.example'],
  ['accept', 'text/html', 'x', times('text/html,', 900)],
  ['accept-encoding', 'gzip;q=x', times('gzip,', 1_500)],
  ['content-encoding', 'gzip', 'x'],
  ['expect', '100-continue', 'x'],
  ['te', 'trailers'],
  ['x-http-method-override', 'DELETE'],
  ['host', '', 'elsewhere.example', 'x:y', '[::1'],
  ['x-odd', times('o', 14_000), times('o', 20_000)],
];

const oddAuthorizations = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.AAAA',
  'Basic YWRtaW46YWRtaW4=',
  'bearer bearer bearer',
  `Bearer ${times('.', 6_000)}`,
  `Bearer ${times('x', 6_000)}`,
  times(' ', 5_000),
];

const oddSegments = [
  'x',
  '0',
  '-1',
  '1.5',
  '01',
  '1e3',
  '99999999999',
  times('9', 400),
  '%00',
  '..',
  '%2e%2e',
  '__proto__',
  '1%20OR%201=1',
  '%EF%BD%B1',
  '%zz',
  '%',
  '%c0%af',
  '1%2F2',
  '1;a=b',
  times('x', 600),
  times('%41', 2_000),
  '',
];

const oddEndings = [
  '/',
  '//',
  '/.',
  '/..',
  '/%zz',
  '%zz',
  '%',
  '/%00',
  '?',
  ';x',
  '/x',
  `/${times('x', 7_000)}`,
];

const oddQueries = [
  '%zz',
  '%',
  'a=%zz',
  '=',
  '&&&',
  'a[b]=1',
  '__proto__=1',
  '__proto__[a]=1',
  'constructor=1',
  'toString=1',
  `${times('_', 7_000)}=1`,
  `${times('a_', 3_500)}=1`,
  `${times('A', 7_000)}=1`,
  times('a=1&', 1_800),
  times('%00', 1_000),
  `page=${times('9', 4_000)}`,
];

const oddMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Makes a request for a route: a valid one as far as its schemas tell, and in most cases wrong in one to three ways. */
export function makeAttempt(g: GeneratorValue, routes: readonly RouteContract[], world: World): Attempt {
  const chance = (percent: number) => g(fc.integer, { min: 0, max: 99 }) < percent;
  const one = <T>(values: readonly T[]): T => g(() => fc.constantFrom(...values)) as T;

  const route = one(routes);
  // Most often a permitted caller, so that the service itself checks the input.
  const fitting = actors.filter((name) => world.mayCall(name, route));
  const actor = chance(75) && fitting.length > 0 ? one(fitting) : one(actors);
  const wrongs = new Set(
    chance(25) ? [] : g(fc.array, fc.constantFrom(...wrongKinds), { minLength: 1, maxLength: 3 }),
  );
  if (wrongs.has('body') && !route.body && chance(80)) wrongs.delete('body');

  const partnerId = world.partnerOf(actor, one([true, true, true, false]));
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const oddName = wrongs.has('path') && chance(70) ? one(names.length > 0 ? names : ['']) : undefined;
  const segments = (path: string) =>
    path.replace(/:(\w+)/g, (_, name: string) =>
      name === oddName ? one(oddSegments) : encodeURIComponent(world.idFor(route, name, partnerId, one)),
    );
  let path = segments(one(pathsOf(route)));
  if (wrongs.has('path') && oddName === undefined) path += one(oddEndings);

  const query: string[] = [];
  for (const [name, schema] of Object.entries(route.query.shape)) {
    if (!chance(25) && !schema.safeParse(undefined).error) continue;
    const value = textOf(validValue(wireSchema(schema, 'input'), snakeKey(name)));
    query.push(`${snakeKey(name)}=${encodeURIComponent(value)}`);
  }
  if (wrongs.has('query')) {
    const known = Object.keys(route.query.shape).map(snakeKey);
    const name = known.length > 0 && chance(80) ? one(known) : one(['page', 'x', 'ids']);
    const way = g(fc.integer, { min: 0, max: 3 });
    if (way === 0) query.push(one(oddQueries));
    else if (way === 1) query.push(`${name}=1`, `${name}=2`);
    else if (way === 2) query.push(`${name}[]=1`, `${name}[x]=1`);
    else
      query.push(`${name}=${encodeURIComponent(textOf(g(() => oddValue)).toWellFormed()).slice(0, 9_000)}`);
  }
  if (query.length > 0) path += `?${query.join('&')}`;

  const headers: Record<string, string> = { 'x-agent': 'fuzz/1.0', 'accept-language': 'en' };
  let body: string | Buffer | undefined;
  if (route.body) {
    const value = validValue(wireSchema(route.body, 'input'), '');
    const valid = JSON.stringify(wrongs.has('field') ? withOddField(value) : value);
    const field = one([...Object.keys(typeof value === 'object' && value !== null ? value : {}), 'name']);
    body = wrongs.has('body') ? one(oddBodies)(valid, field) : valid;
  } else if (wrongs.has('body')) body = one(oddBodies)('{}', 'name');
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (wrongs.has('contentType')) headers['content-type'] = one(oddContentTypes);
  if (wrongs.has('header')) {
    const [name, ...values] = one(oddHeaders);
    headers[name] = one(values);
  }
  const odd = wrongs.has('authorization')
    ? one([undefined, ...oddAuthorizations.map((text) => ({ text }))])
    : 'own';
  const method = wrongs.has('method') ? one(oddMethods) : route.method;
  return {
    route,
    actor,
    authorization: actor === 'nobody' && odd === 'own' ? undefined : odd,
    method,
    path,
    headers,
    body,
    direct: method === route.method && !wrongs.has('path'),
    partnerId: names.includes('pid') && oddName !== 'pid' && !isAdmin(actor) ? partnerId : undefined,
  };

  /** A value that fits the schema, and where the test knows better, one that means something to the product. */
  function validValue(schema: JsonSchema, name: string): unknown {
    const known = world.valueFor(route, name, partnerId, one);
    if (known !== undefined) return schema.type === 'array' ? [known] : known;
    const choices = schema.anyOf as JsonSchema[] | undefined;
    if (choices) return validValue(one(choices), name);
    if (Array.isArray(schema.enum)) return one(schema.enum);
    if ('const' in schema) return schema.const;
    switch (Array.isArray(schema.type) ? one(schema.type) : schema.type) {
      case 'object': {
        const required = (schema.required ?? []) as string[];
        const entries = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
        const present = entries.filter(([key]) => required.includes(key) || chance(60));
        return Object.fromEntries(present.map(([key, inner]) => [key, validValue(inner, key)]));
      }
      case 'array':
        return Array.from({ length: g(fc.integer, { min: Number(schema.minItems ?? 0), max: 3 }) }, () =>
          validValue(schema.items as JsonSchema, ''),
        );
      case 'integer':
      case 'number':
        return Math.min(
          g(fc.integer, { min: 1_000, max: 1_000_000 }),
          Number(schema.maximum ?? Number.MAX_SAFE_INTEGER),
        );
      case 'boolean':
        return chance(50);
      case 'null':
        return null;
      default:
        // Letters alone: no password by chance.
        return (
          one(['name', 'ツアー', 'x', 'Tour guide', 'e\u0301', 'ﬁ']) +
          g(fc.string, { unit: fc.constantFrom(...'abcxyz_-'), maxLength: 8 })
        );
    }
  }

  /** The value with one field, at any depth, made wrong or left out, or with an unknown field beside it. */
  function withOddField(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return g(() => oddValue);
    const keys = Object.keys(value);
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    const key = keys.length > 0 ? one(keys) : 'name';
    const way = g(fc.integer, { min: 0, max: 9 });
    if (way === 0) delete copy[key];
    else if (way === 1) copy[`${key}_`] = copy[key];
    else if (way === 2)
      copy[one(['unknown', 'role', 'partner_id', 'id', '_', 'a__b', '__proto__x'])] = g(() => oddValue);
    else if (way < 5) copy[key] = withOddField(copy[key]);
    else copy[key] = g(() => oddValue);
    return copy;
  }
}

const wrongKinds = [
  'field',
  'field',
  'field',
  'body',
  'query',
  'query',
  'path',
  'header',
  'contentType',
  'authorization',
  'method',
] as const;

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
