import { limits, pathsOf, snakeKey } from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { AppError, createLogger, systemClock } from '@portal/kernel';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { implement } from '../src/http/implement.ts';
import { buildServer } from '../src/http/server.ts';

/** What a body costs, over every route of the product, as far as anybody could send it: nothing may grow faster than it. */

/** Of the thread's own time, beside what `JSON.parse` takes; a twentieth of a second on a machine of our days. */
const mostMs = 150;
const mostBytes = limits.maxJsonBody;

const withBody = allRoutes.flatMap((route) => (route.body ? [{ ...route, body: route.body }] : []));
let app: ReturnType<typeof buildServer>;

beforeAll(async () => {
  app = buildServer({
    implementations: withBody.map((route) => {
      const open = {
        ...route,
        access: [{ kind: 'public' }],
        agent: false,
        logged: false,
        maxBody: mostBytes,
      } as const;
      return implement(open, async () => {
        throw new AppError('E40401');
      });
    }),
    tokens: {
      keys: async () => ({ keys: [] }),
      revocations: {
        has: () => false,
        withRoleOfNow: (caller) => caller,
        loaded: async () => {},
        close: async () => {},
      },
      clock: systemClock(),
    },
    authority: {
      verifyService: () => Promise.reject(new AppError('E40102')),
      isApiKey: () => false,
      tenantOfKey: async () => undefined,
      contractOf: async () => ({ contractRank: 'free', licenseExpiredOn: null }),
      clock: systemClock(),
      unitOf: () => Promise.resolve(1),
    },
    operationLog: { expect() {}, record: async () => {} },
    idempotentReplies: { once: async (_, work) => work(), purge: async () => {} },
    logger: createLogger({ level: 'silent' }),
  });
  await app.ready();
});

async function timeOf(work: () => unknown): Promise<number> {
  const begun = process.threadCpuUsage();
  await work();
  const { system, user } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

function parsed(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    // Refused at once.
  }
}

async function expectCheap(route: (typeof withBody)[number], payload: string): Promise<void> {
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(mostBytes);
  const url = (pathsOf(route)[0] ?? '').replace(/:\w+/g, '1');
  const send = () =>
    app.inject({ method: route.method, url, headers: { 'content-type': 'application/json' }, payload });
  const once = async () => (await timeOf(send)) - (await timeOf(() => parsed(payload)));
  // What else the process does counts as well, such as collecting garbage: the least of some tries is the body's own.
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 4 && least > mostMs; n++) least = Math.min(least, await once());
  expect(least, `${route.id}: ${payload.slice(0, 80)}`).toBeLessThan(mostMs);
}

const login = withBody.find(({ id }) => id === 'adminLogin');
const filled = (unit: string, bytes: number) =>
  unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))));
const listed = (unit: string, bytes: number) => filled(`${unit},`, bytes - 1).slice(0, -1);

function numbered(name: (n: number) => string): string {
  const fields: string[] = [];
  for (let bytes = 0; bytes < mostBytes - 64; bytes += (fields.at(-1) ?? '').length + 1) {
    fields.push(`"${name(fields.length)}":1`);
  }
  return fields.join();
}

describe('When somebody without a token sends', () => {
  const room = mostBytes - 100;
  test.each([
    ['a name of underscores alone', `{"${filled('_', room)}":1}`],
    ['a name of underscores and letters', `{"${filled('_a', room)}":1}`],
    ['a name of capital letters', `{"${filled('A', room)}":1}`],
    ['ever new names', `{${numbered((n) => `_k_${n}`)}}`],
    ['ever new numbers for names', `{${numbered((n) => String(n * 97))}}`],
    [
      'ever new names beside what looks like a prototype',
      `{"constructor":1,${numbered((n) => `k${n}`)}}`.slice(0, -90).concat('":1}'),
    ],
    ['lists within each other', `{"a":${filled('[', room / 2)}${filled(']', room / 2)}}`],
    ['lists that never end', `{"a":${filled('[', room)}`],
    ['objects within each other', `{"a":${filled('{"a":', room)}`],
    ['many small objects', `{"a":[${listed('{}', room)}]}`],
    ['many small lists', `{"a":[${listed('[[]]', room)}]}`],
    ['backslashes', `{"a":"${filled('\\\\', room)}"}`],
    ['a string that never ends', `{"a":"${filled('\\"', room)}`],
    ['what looks like a prototype before spaces', `{"__proto__"${filled(' ', room)}}`],
    ['spaces', filled(' ', room)],
  ])('%s, then it costs little', async (_, payload) => {
    expect(login).toBeDefined();
    if (login) await expectCheap(login, payload);
  });

  test('anything at all, then it costs little', async () => {
    const unit = fc.oneof(
      fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)),
      fc.stringMatching(/^[_a-zA-Z0-9]{0,12}$/).map((text) => JSON.stringify(text)),
      fc.jsonValue({ depthSize: 'small' }).map((value) => JSON.stringify(value)),
      fc.constantFrom('{}', '[]', '""', '1', '1e308', 'null', '[[[]]]', '{"_":{"_":1}}'),
    );
    const body = fc.oneof(
      unit.map((text) => `{"email":[${listed(text, mostBytes - 100)}]}`),
      unit.map((text) => `{"email":"${filled(text.replace(/["\\]/g, '_'), mostBytes - 100)}"}`),
      unit.map((text) => `{"${filled(text.replace(/["\\]/g, '_'), mostBytes - 100)}":1}`),
      fc
        .nat({ max: 30 })
        .map((digits) => `{"email":${filled('9', mostBytes - 100)}.${'0'.repeat(digits + 1)}}`),
    );
    await fc.assert(
      fc.asyncProperty(body, async (payload) => {
        if (login && Buffer.byteLength(payload) <= mostBytes) await expectCheap(login, payload);
      }),
      { numRuns: 15 },
    );
  });
});

/** The names on the wire of what a body may hold, with those within. */
function filledIn(schema: z.ZodType, value: string): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return schema.unwrap() instanceof z.ZodType ? filledIn(schema.unwrap() as z.ZodType, value) : value;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => `"${snakeKey(name)}":${filledIn(field as z.ZodType, value)}`,
  );
  return `{${fields.join()}}`;
}

/** An eighth of what is allowed shows what grows faster than its text, and all routes are through in seconds. */
const sampleBytes = mostBytes / 8;

test.each(withBody.map((route) => [route.id, route] as const))(
  'When %s gets anything long in its fields, then it costs little',
  async (_, route) => {
    const names = filledIn(route.body, '').length;
    const fields = filledIn(route.body, '\0').split('\0').length - 1;
    const room = Math.floor((sampleBytes - names) / Math.max(1, fields)) - 10;
    const values = [
      `"${filled('a', room)}"`,
      `"${filled('1', room)}"`,
      `"${filled('a@a.', room)}"`,
      `"a@a${filled('-', room - 20)}"`,
      `"${filled(' ', room)}"`,
      `"${filled('[', room)}"`,
      `"${filled('2026-01-01T00:00:00Z', room)}"`,
      filled('9', room),
      `[${listed('"x"', room)}]`,
      `[${listed('1', room)}]`,
      `[${listed('{}', room)}]`,
    ];
    for (const value of values) await expectCheap(route, filledIn(route.body, value));
  },
);
