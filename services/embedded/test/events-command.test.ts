import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEventsCommand } from '@portal/testing/events-command';
import { type Product, startProduct } from '@portal/testing/product';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

const patience = { timeout: 30_000, interval: 200 };

let product: Product;
let users: pg.Client;
let files: pg.Client;
beforeAll(async () => {
  product = await startProduct({ EVENT_RETRY_LONGEST_SECONDS: '1', LOG_LEVEL: 'silent' });
  [users, files] = await Promise.all([connectAsService(product, 'user'), connectAsService(product, 'file')]);
});
afterAll(async () => {
  await Promise.all([users?.end(), files?.end()]);
  await product?.remove();
});

const events = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runEventsCommand(args, { DATA_DIR: product.dataDir, ...env });

/** Lets the user service tell something of a group, true or not. */
async function tell(type: string, groupId: number, data: unknown, partnerId: number | null): Promise<string> {
  const id = randomUUID();
  const envelope = {
    ...{ specversion: '1.0', id, source: 'user', type, subject: String(groupId), partnerid: partnerId },
    ...{
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      dataschema: `urn:${type}`,
      data,
    },
  };
  await users.query(
    `INSERT INTO messaging.outbox (topic, key, envelope, created_at) VALUES ('portal.user', $1, $2, now())`,
    [String(groupId), envelope],
  );
  return id;
}

async function nameOf(groupId: number): Promise<string | undefined> {
  const { rows } = await files.query<{ name: string }>('SELECT name FROM groups WHERE group_id = $1', [
    groupId,
  ]);
  return rows[0]?.name;
}

const group = (groupId: number, name: string) => ({ groupId, name, note: '', role: 0 });

test('a poison event is a dead letter after its tries, is listed, replayed, and takes effect once what was wrong is right', async () => {
  const secret = 'what-nobody-should-read';
  const poison = await tell('group.created', 990, { groupId: 990, name: { secret } }, 1);
  await tell('group.updated', 990, group(990, 'Later'), 1);

  await vi.waitFor(async () => {
    const { out } = await events(['dead-letters', '--json', '--service', 'file']);
    for (const service of ['tenant', 'push']) {
      const elsewhere = await events(['dead-letters', '--json', '--service', service]);
      expect(JSON.parse(elsewhere.out)).toMatchObject([
        { eventId: poison, handler: `${service}.keep-groups` },
      ]);
    }
    expect(JSON.parse(out)).toMatchObject([
      { eventId: poison, handler: 'file.keep-groups', event: 'group.created', attempts: 10, partner: 1 },
    ]);
  }, patience);
  await vi.waitFor(async () => expect(await nameOf(990)).toBe('Later'), patience);

  const shown = await events(['dead-letters', '--handler', 'file.keep-groups']);
  expect(shown.out).toContain(poison);
  expect(shown.out).toContain('after 10 tries');
  expect(shown.out).not.toContain(secret);
  expect((await events(['dead-letters', '--handler', 'user.keep-partners'])).out).toBe('No dead letters\n');
  const before = await events(['lag']);
  expect(before).toMatchObject({ code: 0, errors: '' });
  expect(before.out).toMatch(/^file +0 +-$/m);
  expect(before.out).toMatch(/^file\.keep-groups +0 +1 +-$/m);
  expect(before.out).toMatch(/^user\.keep-partners +0 +0 +-$/m);

  await files.query(
    `UPDATE messaging.inbox SET envelope = jsonb_set(envelope, '{data}', $2) WHERE event_id = $1`,
    [poison, group(990, 'Put right')],
  );
  // Two other services follow groups too; there it is a dead letter again after its tries.
  expect(await events(['replay', poison])).toEqual({ code: 0, out: 'Replayed: 3\n', errors: '' });
  await vi.waitFor(async () => expect(await nameOf(990)).toBe('Put right'), patience);
  expect(JSON.parse((await events(['dead-letters', '--json', '--service', 'file'])).out)).toEqual([]);

  const again = await events(['replay', '--handler', 'file.keep-groups']);
  expect(again).toMatchObject({ code: 1, out: 'Replayed: 0\n' });
  expect(again.errors).toContain('no dead letter of file.keep-groups');
}, 90_000);

test('lag is printed as JSON for programs', async () => {
  const { out } = await events(['lag', '--json', '--service', 'file']);
  const idle = { live: 0, dead: 0, oldestAgeMs: 0 };
  expect(JSON.parse(out)).toMatchObject({
    services: [
      {
        service: 'file',
        outbox: { depth: 0, oldestAgeMs: 0 },
        handlers: { 'file.keep-partners': idle, 'file.keep-groups': idle, 'file.keep-memberships': idle },
      },
    ],
  });
});

test('what cannot be done is said, with an exit code of its own', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'portal-no-data-'));
  const away = 'postgresql://postgres:secret@127.0.0.1:1/postgres';
  const cases: [string[], Record<string, string>, number, string][] = [
    [['lag'], { DATA_DIR: empty }, 1, `No portal runs on the data folder ${empty}`],
    [['lag'], { DATABASE_URL: away }, 1, 'PostgreSQL at 127.0.0.1:1 cannot be asked: connect ECONNREFUSED'],
    [['lag', '--service', 'gateway'], {}, 1, 'The service gateway has no database: one of identity, tenant'],
    [['lag'], { KAFKA_BROKERS: '127.0.0.1:1' }, 0, ''],
    [[], {}, 2, 'Which command?'],
    [['reply'], {}, 2, 'Unknown command: reply'],
    [['replay'], {}, 2, 'replay takes an event id or --handler'],
    [['replay', '12'], {}, 2, 'Not the id of an event: 12'],
    [['lag', '--hander', 'x'], {}, 2, "Unknown option '--hander'"],
  ];
  for (const [args, env, code, message] of cases) {
    const outcome = await events(args, env);
    expect(outcome).toEqual({ ...outcome, code, errors: expect.stringContaining(message) });
    expect(outcome.errors).not.toContain('secret');
  }
  await rm(empty, { recursive: true });
});
