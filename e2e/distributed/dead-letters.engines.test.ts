import { randomUUID } from 'node:crypto';
import { runEventsCommand } from '@portal/testing/events-command';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DistributedHost, startDistributedHost } from './host.ts';

const patience = { timeout: 60_000, interval: 500 };
const groupId = 990;

let host: DistributedHost;
beforeAll(async () => {
  host = await startDistributedHost({ env: { EVENT_RETRY_LONGEST_SECONDS: '1' } });
});
afterAll(() => host?.remove());

const events = (...args: readonly string[]) => runEventsCommand(args, { DATA_DIR: host.dataDir });

/** Lets the user service tell something of the group over Kafka, true or not. */
async function tell(type: string, data: unknown): Promise<string> {
  const id = randomUUID();
  const envelope = {
    ...{ specversion: '1.0', id, source: 'user', type, subject: String(groupId), partnerid: 1 },
    ...{
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      dataschema: `urn:${type}`,
      data,
    },
  };
  await host.query(
    'user',
    `INSERT INTO messaging.outbox (topic, key, envelope, created_at) VALUES ('portal.user', $1, $2, now())`,
    String(groupId),
    envelope,
  );
  return id;
}

const group = (name: string) => ({ groupId, name, note: '', role: 0 });

async function inboxOf(eventId: string): Promise<{ handler: string; status: string; attempts: number }[]> {
  return host.query(
    'file',
    'SELECT handler, status, attempts FROM messaging.inbox WHERE event_id = $1',
    eventId,
  );
}

/** Past row-level security: the query is the superuser's. */
async function nameKept(): Promise<string | undefined> {
  const [row] = await host.query<{ name: string }>(
    'file',
    'SELECT name FROM groups WHERE group_id = $1',
    groupId,
  );
  return row?.name;
}

async function untilDead(eventId: string): Promise<void> {
  const dead = [{ handler: 'file.keep-groups', status: 'dead', attempts: 10 }];
  await vi.waitFor(async () => expect(await inboxOf(eventId)).toEqual(dead), patience);
}

/** Of every service that keeps groups. */
async function lettersShown(): Promise<{ eventId: string; handler: string }[]> {
  const { code, out } = await events('dead-letters', '--json');
  expect(code).toBe(0);
  const letters: { eventId: string; handler: string }[] = JSON.parse(out);
  return letters.toSorted((a, b) => a.handler.localeCompare(b.handler));
}

test('a poison event is dead after its tries, its key goes on, and operators see and replay it', async () => {
  const poison = await tell('group.created', { groupId, name: 12 });
  const next = await tell('group.updated', group('Second'));
  const last = await tell('group.updated', group('Third'));
  await vi.waitFor(async () => expect(await inboxOf(last)).toHaveLength(1), patience);
  expect(await nameKept()).toBeUndefined();

  await untilDead(poison);
  const done = [{ handler: 'file.keep-groups', status: 'done', attempts: 0 }];
  await vi.waitFor(async () => expect(await inboxOf(last)).toEqual(done), patience);
  expect(await inboxOf(next)).toEqual(done);
  expect(await nameKept()).toBe('Third');

  const dead = ['file.keep-groups', 'push.keep-groups', 'tenant.keep-groups'].map((handler) => ({
    ...{ eventId: poison, handler, event: 'group.created', subject: '990', attempts: 10 },
  }));
  await vi.waitFor(async () => expect(await lettersShown()).toMatchObject(dead), patience);
  const { services, topics } = JSON.parse((await events('lag', '--json')).out);
  const { handlers } = services.find(({ service }: { service: string }) => service === 'file');
  expect(handlers['file.keep-groups']).toEqual({ live: 0, dead: 1, oldestAgeMs: 0 });
  // Exports that somebody asks for meanwhile may be on their way.
  expect(topics.file).toEqual({
    'portal.batch': expect.any(Number),
    'portal.push': 0,
    'portal.tenant': 0,
    'portal.user': 0,
  });

  // What is wrong with it is still wrong: all its tries again, then dead again, once.
  expect(await events('replay', '--handler', 'file.keep-groups')).toMatchObject({
    code: 0,
    out: 'Replayed: 1\n',
  });
  await vi.waitFor(async () => expect(await inboxOf(poison)).toMatchObject([{ status: 'live' }]), patience);
  await untilDead(poison);
  expect(await lettersShown()).toMatchObject(dead);
  expect(await nameKept()).toBe('Third');
});
