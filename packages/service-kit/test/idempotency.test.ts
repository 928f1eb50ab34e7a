import { fileURLToPath } from 'node:url';
import { limits, nothing, route } from '@portal/contracts';
import { AppError, createLogger } from '@portal/kernel';
import { messagingMigrations } from '@portal/messaging';
import { testDatabase } from '@portal/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Answer } from '../src/http/answer.ts';
import { createIdempotentReplies } from '../src/http/idempotency.ts';
import { implement } from '../src/http/implement.ts';
import { startKit, type TestKit } from './kit.ts';

/** Repeated POSTs over HTTP, with their answers in a real database. */

const shared = { service: 'user', method: 'POST', summary: '', status: 201 } as const;
const body = z.object({ name: z.string() });
const response = z.object({ id: z.number() });
const signUp = route({
  ...shared,
  id: 'signUp',
  path: '/v2/sign-up',
  access: { kind: 'public' },
  body,
  response,
});
const signIn = route({
  ...shared,
  id: 'signIn',
  path: '/v2/sign-in',
  access: { kind: 'public' },
  answersSecret: true,
  body,
  response,
});
const create = route({
  ...shared,
  id: 'create',
  path: '/v1/things/:pid',
  params: z.object({ pid: z.coerce.number() }),
  access: [{ kind: 'partner', roles: 0 }, { kind: 'admin', roles: 0 }, { kind: 'tenantKey' }],
  body,
  response,
});

const ask = route({
  ...shared,
  id: 'ask',
  path: '/v1/ask',
  access: { kind: 'public' },
  body,
  versioned: true,
  response,
  otherReplies: { 202: z.object({ approvalId: z.number() }), 204: nothing },
});

let kit: TestKit;
let pool: pg.Pool;
let made = 0;
let storesNothing = false;
/** Runs while a call with the name `slow` does its work. */
let meanwhile: () => Promise<unknown> = async () => undefined;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const kitMigrations = fileURLToPath(new URL('../migrations', import.meta.url));
  const database = await testDatabase({ service: 'kit', directories: [messagingMigrations, kitMigrations] });
  ends.push(() => database.drop());
  // The policies bind the owner too.
  pool = new pg.Pool({ connectionString: database.ownerUrl, options: '-c app.scope=system' });
  ends.push(() => pool.end());
  const idempotentReplies = createIdempotentReplies({
    clock: { now: () => kit.clock.now() },
    logger: createLogger({ level: 'fatal' }),
    sql: {
      async $executeRawUnsafe(text, ...values) {
        if (storesNothing && text.includes('UPDATE messaging')) throw new Error('The database is away');
        return (await pool.query(text, values)).rowCount ?? 0;
      },
      $queryRawUnsafe: async (text, ...values) => (await pool.query(text, values)).rows as never,
    },
  });
  const make = async ({ body: { name } }: { body: { name: string } }) => {
    made += 1;
    const id = made;
    if (name === 'slow') await meanwhile();
    if (name === 'refused') throw new AppError('E40029');
    return { id };
  };
  const asked = implement(ask, async ({ body: { name } }) => {
    made += 1;
    if (name === 'later') {
      const location = `https://portal.example.com/v1/approvals/${made}`;
      return new Answer(202, { approvalId: made }, { version: `v${made}`, location });
    }
    return new Answer(204, undefined);
  });
  const others = [implement(signUp, make), implement(signIn, make), implement(create, make)];
  kit = await startKit([asked, ...others], { idempotentReplies });
  ends.push(() => kit.stop());
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
beforeEach(() => {
  made = 0;
});

const post = async (path: string, headers: Record<string, string>, name = 'Taro') => {
  const reply = await kit.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name }),
  });
  const answer = (await reply.json()) as { id?: number; code?: string };
  return [reply.status, answer.id ?? answer.code];
};
const from = (address: string, key: string) => ({ 'x-forwarded-for': address, 'idempotency-key': key });

describe('When a call without a caller has an Idempotency-Key', () => {
  test('then a repeat from the same address gets the first answer', async () => {
    expect(await post('/v2/sign-up', from('192.0.2.1', 'a'))).toEqual([201, 1]);
    expect(await post('/v2/sign-up', from('192.0.2.1', 'a'))).toEqual([201, 1]);
    expect(made).toBe(1);
  });

  test('then the same key from another address, or another one from here, is another call', async () => {
    expect(await post('/v2/sign-up', from('192.0.2.2', 'b'))).toEqual([201, 1]);
    expect(await post('/v2/sign-up', from('192.0.2.3', 'b'))).toEqual([201, 2]);
    expect(await post('/v2/sign-up', from('192.0.2.2', 'c'))).toEqual([201, 3]);
  });

  test('then another body is refused, and a refused call leaves its key free', async () => {
    expect(await post('/v2/sign-up', from('192.0.2.4', 'd'))).toEqual([201, 1]);
    expect(await post('/v2/sign-up', from('192.0.2.4', 'd'), 'Jiro')).toEqual([400, 'E40001']);
    expect(await post('/v2/sign-up', from('192.0.2.4', 'e'), 'refused')).toEqual([400, 'E40029']);
    expect(await post('/v2/sign-up', from('192.0.2.4', 'e'))).toEqual([201, 3]);
  });

  test('then an answer that holds a secret is made anew, and not stored', async () => {
    const stored = async () => (await pool.query('SELECT 1 FROM messaging.idempotent_reply')).rowCount;
    const before = await stored();
    expect(await post('/v2/sign-in', from('192.0.2.5', 'f'))).toEqual([201, 1]);
    expect(await post('/v2/sign-in', from('192.0.2.5', 'f'))).toEqual([201, 2]);
    expect(await stored()).toBe(before);
  });
});

test('When an answer could not be stored, then it is given, and a repeat does nothing again', async () => {
  storesNothing = true;
  expect(await post('/v2/sign-up', from('192.0.2.9', 'l'))).toEqual([201, 1]);
  storesNothing = false;
  expect(await post('/v2/sign-up', from('192.0.2.9', 'l'))).toEqual([400, 'E40001']);
  expect(made).toBe(1);
});

test.each([
  ['succeeds', [201, 1], undefined],
  ['is refused', [400, 'E40029'], new AppError('E40029')],
])(
  'When a slow call %s after a repeat has taken its key over, then the answer of the repeat stays',
  async (how, first, refusal) => {
    const call = async () => post('/v2/sign-up', from('192.0.2.10', how), 'slow');
    let repeated: unknown;
    meanwhile = async () => {
      meanwhile = async () => undefined;
      kit.clock.advance(limits.requestTimeout + 1);
      repeated = await call();
      if (refusal) throw refusal;
    };
    expect(await call()).toEqual(first);
    expect(repeated).toEqual([201, 2]);
    expect(await call()).toEqual([201, 2]);
  },
);

test('When the first answer had another status, a version, a place or no body, then so has the repeat', async () => {
  const repeat = async (key: string, name: string) => {
    const reply = await kit.fetch('/v1/ask', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from('192.0.2.8', key) },
      body: JSON.stringify({ name }),
    });
    const { headers } = reply;
    return [reply.status, headers.get('etag'), headers.get('location'), await reply.text()];
  };
  for (const _ of ['first', 'again']) {
    const location = 'https://portal.example.com/v1/approvals/1';
    expect(await repeat('j', 'later')).toEqual([202, '"v1"', location, '{"approval_id":1}']);
  }
  for (const _ of ['first', 'again']) expect(await repeat('k', 'nothing')).toEqual([204, null, null, '']);
  expect(made).toBe(2);
});

test('When callers have the same key and address, then each has answers of their own', async () => {
  const own = from('192.0.2.6', 'g');
  const bearer = (token: string) => ({ ...own, authorization: `Bearer ${token}` });
  const callers = [
    bearer(await kit.portal()),
    bearer(await kit.admin()),
    { ...own, 'x-api-key': 'the-key-of-partner-1' },
  ];
  for (const [index, headers] of callers.entries()) {
    expect(await post('/v1/things/1', headers)).toEqual([201, index + 1]);
    expect(await post('/v1/things/1', headers)).toEqual([201, index + 1]);
  }
});

test('What is stored of a body is not known from the body alone', async () => {
  await post('/v2/sign-up', from('192.0.2.7', 'h'), 'Hanako');
  await post('/v2/sign-up', from('192.0.2.7', 'i'), 'Hanako');
  const { rows } = await pool.query<{ body_hash: string }>(
    'SELECT body_hash FROM messaging.idempotent_reply',
  );
  const hashes = rows.map(({ body_hash }) => body_hash);
  expect(hashes.length).toBeGreaterThanOrEqual(2);
  expect(new Set(hashes).size).toBe(hashes.length);
});
