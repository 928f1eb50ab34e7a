import { mailEvents, tenantEvents } from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { decoded, type MailServer, startMailServer } from '@portal/testing/mail-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailService } from '../src/service.ts';
import { partner, request, reset, stateOf, token } from './support.ts';

const minute = 60_000;
const patience = { timeout: 10_000, interval: 20 };
let server: MailServer;
let harness: ServiceHarness;
const log: string[] = [];

beforeAll(async () => {
  server = await startMailServer();
  harness = await startServiceHarness(mailService, {
    env: {
      MAIL_URL: server.url,
      MAIL_FROM: 'Portal <portal@example.com>',
      PUBLIC_URL: 'https://portal.test/',
    },
    peers: [
      implement(findPartner, async () => ({ ...partner, partnerId: 2, lang: 'en' as const, json: '' })),
    ],
    log: { write: (line) => void log.push(line) },
  });
  await harness.deliver(tenantEvents.partnerCreated, { subject: 1, partnerId: 1, data: partner });
});
afterAll(async () => {
  await harness?.stop();
  await server?.close();
});
beforeEach(() => {
  server.refusal = undefined;
  server.taken.length = 0;
});

const untilStatus = async (id: string, status: string) =>
  vi.waitFor(
    harness.afterJobs(async () => expect((await stateOf(harness, id)).status).toBe(status)),
    patience,
  );
const untilAttempts = async (id: string, attempts: number) =>
  vi.waitFor(
    harness.afterJobs(async () => expect((await stateOf(harness, id)).attempts).toBe(attempts)),
    patience,
  );
const eventsOf = async (type: string, id: string) =>
  (await harness.events(type)).filter(({ subject }) => subject === id);

describe('When a mail is asked for', () => {
  test("then the server gets it in the tenant's language, as text and HTML, and it is told", async () => {
    const id = await request(harness, reset);
    await untilStatus(id, 'sent');

    expect(server.taken).toHaveLength(1);
    const [mail] = server.taken;
    expect(mail).toMatchObject({ from: 'portal@example.com', to: ['Taro@example.com'] });
    const text = decoded(mail?.raw ?? '');
    const link = `https://portal.test/partner/password/reset?reset_token=${token}`;
    expect(text).toContain(`Message-ID: <${id}@127.0.0.1>`);
    expect(text).toContain('[Demo <Corporation>] パスワードの再設定');
    expect(text).toContain('Taro <Yamada> 様');
    expect(text).toContain(`パスワードを再設定する:`);
    expect(text.split(link)).toHaveLength(3);
    expect(text).toContain('Taro &lt;Yamada&gt; 様');
    expect(text).toContain('<html lang="ja">');

    expect(await eventsOf('mail.sent', id)).toMatchObject([{ partnerid: 1, data: { mailId: id } }]);
    expect(await stateOf(harness, id)).toEqual({ status: 'sent', attempts: 0, sealed: null, dueAt: null });
  });

  test('about a file, then it names the file and leads nowhere', async () => {
    const { language, name, to } = reset;
    const file = { template: 'fileDelivered', fileName: 'Tour https://evil.example' } as const;
    await untilStatus(await request(harness, { language, name, to, ...file }), 'sent');
    const text = decoded(server.taken[0]?.raw ?? '');
    expect(text).toContain('[Demo <Corporation>] 新しいファイルが届きました');
    expect(text).toContain('ファイル: Tour https: / / evil. example');
    expect(text).not.toContain('href=');
  });

  test('then a tenant that was not heard of yet is asked about', async () => {
    const id = await request(harness, { ...reset, template: 'passwordInit' }, { partnerId: 2 });
    await untilStatus(id, 'sent');
    const text = decoded(server.taken[0]?.raw ?? '');
    expect(text).toContain('Choose a password:');
    expect(text).toContain(`/user/password/init?reset_token=${token}`);
  });

  test('then one of no tenant is in the language that was asked for', async () => {
    const content = { ...reset, language: 'en', template: 'passwordReset', area: 'admin' } as const;
    const id = await request(harness, content, { partnerId: null });
    await untilStatus(id, 'sent');
    const text = decoded(server.taken[0]?.raw ?? '');
    expect(text).toContain('[Haishin Portal] Reset your password');
    expect(text).toContain(`/admin/password/reset?reset_token=${token}`);
    expect(await eventsOf('mail.sent', id)).toMatchObject([{ partnerid: null }]);
  });

  test('twice, then it is sent once', async () => {
    const mailId = newId();
    await request(harness, reset, { mailId });
    await untilStatus(mailId, 'sent');
    await request(harness, reset, { mailId });
    await harness.runJobs();
    expect(server.taken).toHaveLength(1);
    expect(await eventsOf('mail.sent', mailId)).toHaveLength(1);
  });
});

describe('When many mails are asked for at once', () => {
  test('then each is sent once, however often the event comes, and behind those that somebody waits for', async () => {
    server.refusal = { code: 451 };
    const requestId = newId();
    const mails = ['first', 'second'].map((name) => {
      const mailId = newId();
      const content = { ...reset, to: `${name}@example.com` };
      const sealed = harness.sealsOf('identity').seal(JSON.stringify(content), mailId, 'mail');
      return { mailId, sealed };
    });
    const event = { subject: requestId, partnerId: 1, data: { requestId, mails }, times: 2 };
    await harness.deliver(mailEvents.mailsRequested, event);
    const single = await request(harness, reset);
    const ids = [...mails.map(({ mailId }) => mailId), single];
    for (const id of ids) await untilAttempts(id, 1);
    const queued = 'SELECT id, priority FROM messaging.task WHERE id = ANY($1) ORDER BY priority DESC, id';
    expect(await harness.sql(queued, ids)).toEqual([
      ...mails.map(({ mailId }) => ({ id: mailId, priority: 1 })),
      { id: single, priority: 0 },
    ]);

    server.refusal = undefined;
    harness.clock.advance(minute);
    for (const id of ids) await untilStatus(id, 'sent');
    expect(
      server.taken
        .map(({ to }) => to)
        .flat()
        .sort(),
    ).toEqual(['Taro@example.com', 'first@example.com', 'second@example.com']);
    for (const id of ids) expect(await eventsOf('mail.sent', id)).toHaveLength(1);
  });
});

describe('When mails cannot be opened', () => {
  test('then an event tells of each, and those behind them are sent', async () => {
    const strangers = Array.from({ length: 10 }, () => newId());
    await harness.sql(
      `INSERT INTO messaging.task (queue, id, partner_id, payload, added_at, due_at)
       SELECT 'send-mails', unnest($1::text[]), 1, '{"sealed": "AAAA"}', $2::timestamptz, $2::timestamptz`,
      strangers,
      harness.clock.now(),
    );
    await untilStatus(await request(harness, reset), 'sent');
    const told = log.filter((line) => line.includes('Task failed and is tried again')).join();
    for (const id of strangers) expect(told).toContain(id);
    await harness.sql('DELETE FROM messaging.task WHERE id = ANY($1)', strangers);
  });
});

describe('When the server refuses', () => {
  test.each([
    ['the recipient', { code: 550 }],
    ['the message', { code: 554, onData: true }],
  ])('%s, then the bounce is recorded and told, sealed', async (_, refusal) => {
    server.refusal = refusal;
    const id = await request(harness, reset);
    await untilStatus(id, 'bounced');

    const bounces = await harness.sql(
      'SELECT partner_id, email, kind, reason, occurred_at FROM bounces WHERE mail_id = $1',
      id,
    );
    expect(bounces).toEqual([
      {
        partner_id: 1,
        email: 'Taro@example.com',
        kind: 'permanent',
        reason: expect.stringContaining(String(refusal.code)),
        occurred_at: harness.clock.now(),
      },
    ]);
    const [event, ...more] = await eventsOf('mail.bounced', id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ partnerid: 1, data: { mailId: id, kind: 'permanent' } });
    expect(JSON.stringify(event)).not.toContain('Taro');
    const { sealed } = event?.data as { sealed: string };
    expect(JSON.parse(harness.sealsOf('mail').open(sealed, id))).toMatchObject({ email: 'Taro@example.com' });
    expect(await stateOf(harness, id)).toMatchObject({ sealed: null, dueAt: null });
  });

  test('for now, then it is tried again with growing waits, under the same message id', async () => {
    server.refusal = { code: 451 };
    const id = await request(harness, reset);
    await untilAttempts(id, 1);
    const tries = server.tries();
    harness.clock.advance(minute / 2 - 1);
    await harness.runJobs();
    const unclaimed = 'SELECT 1 FROM messaging.task WHERE id = $1 AND lease IS NULL';
    expect(await harness.sql(unclaimed, id)).toHaveLength(1);
    expect(server.tries()).toBe(tries);
    harness.clock.advance(minute / 2 + 1);
    await untilAttempts(id, 2);
    server.refusal = undefined;
    harness.clock.advance(2 * minute);
    await untilStatus(id, 'sent');
    expect(server.taken[0]?.raw).toContain(`<${id}@127.0.0.1>`);
    expect(await eventsOf('mail.bounced', id)).toEqual([]);
  });

  test('for a day, then it is given up', async () => {
    server.refusal = { code: 421 };
    const id = await request(harness, reset);
    await untilAttempts(id, 1);
    harness.clock.advance(24 * 60 * minute);
    await untilStatus(id, 'bounced');
    expect(await eventsOf('mail.bounced', id)).toMatchObject([{ data: { kind: 'temporary' } }]);
  });
});

describe('When the service dies between sending and the record', () => {
  test('then the mail is due again', async () => {
    server.refusal = { code: 451 };
    const id = await request(harness, reset);
    await untilAttempts(id, 1);
    server.refusal = undefined;
    // What the killed process would have left: taken, for half a minute.
    await harness.sql(
      'UPDATE messaging.task SET lease = gen_random_uuid(), due_at = $2 WHERE id = $1',
      id,
      new Date(harness.clock.now().getTime() + minute / 2),
    );
    harness.clock.advance(minute / 2);
    await untilStatus(id, 'sent');
  });
});

test('A mail that the version before has kept is sent, once', async () => {
  const id = newId();
  server.refusal = { code: 451 };
  await harness.sql(
    `INSERT INTO mails (id, partner_id, sealed, bulk, due_at, requested_at) VALUES ($1, 1, $2, true, $3, $3)`,
    id,
    harness.sealsOf('identity').seal(JSON.stringify(reset), id, 'mail'),
    harness.clock.now(),
  );
  await untilAttempts(id, 1);
  const left = await harness.sql('SELECT 1 FROM mails WHERE due_at IS NOT NULL OR sealed IS NOT NULL');
  expect(left).toEqual([]);
  server.refusal = undefined;
  harness.clock.advance(minute);
  await untilStatus(id, 'sent');
  expect(await eventsOf('mail.sent', id)).toHaveLength(1);
});

test('When the service is stopped while very many mails wait, then it leaves the rest for later', async () => {
  const env = { MAIL_URL: server.url, MAIL_FROM: 'Portal <portal@example.com>' };
  const other = await startServiceHarness(mailService, { env });
  await other.deliver(tenantEvents.partnerCreated, { subject: 1, partnerId: 1, data: partner });
  const ids = Array.from({ length: 2_000 }, () => newId());
  await other.sql(
    `INSERT INTO messaging.task (queue, id, partner_id, payload, added_at, due_at)
     SELECT 'send-mails', id, 1, jsonb_build_object('sealed', sealed), $3::timestamptz, $3::timestamptz
     FROM unnest($1::text[], $2::text[]) AS made (id, sealed)`,
    ids,
    ids.map((id) => other.sealsOf('identity').seal(JSON.stringify(reset), id, 'mail')),
    other.clock.now(),
  );
  await vi.waitFor(
    other.afterJobs(async () => expect(server.taken.length).toBeGreaterThan(0)),
    patience,
  );
  await other.stop();
  expect(server.taken.length).toBeLessThan(ids.length / 2);
});

test('Every table is under row-level security', async () => {
  const tables = await harness.sql<{ relname: string; secured: boolean }>(
    `SELECT relname, relrowsecurity AND relforcerowsecurity AS secured FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'`,
  );
  expect(tables.length).toBe(6);
  for (const { relname, secured } of tables) expect(secured, relname).toBe(true);
});

test('A mailbox is not there where mails are sent', async () => {
  const reply = await harness.raw({ method: 'GET', url: '/dev/mailbox' });
  expect([reply.status, reply.body.code]).toEqual([404, 'E40401']);
});

test('Neither log nor events hold a token or an address', async () => {
  const told = log.join('') + JSON.stringify(await harness.events());
  expect(log.join('')).toContain('Task failed and is tried again');
  expect(told).not.toContain(token);
  expect(told).not.toMatch(/taro/i);
});
