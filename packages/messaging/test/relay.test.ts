import { createLogger, manualClock, systemClock } from '@portal/kernel';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  appendToOutbox,
  createEvent,
  createInProcessEventBus,
  createRelay,
  type EventBus,
  type EventEnvelope,
  pgExecutor,
  type Relay,
  type RelayOptions,
} from '../src/index.ts';
import { change, changed } from './changes.ts';
import { startPostgres } from './postgres.ts';

vi.setConfig({ testTimeout: 30_000 });
const logger = createLogger({ level: 'silent' });
const clock = systemClock();
let postgres: ReturnType<typeof startPostgres>;
let url: string;
let pool: Pool;
let bus: EventBus;
let seen: number[];
let relays: Relay[];

beforeAll(() => {
  postgres = startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

beforeEach(async () => {
  url = await postgres.createDatabase();
  pool = new Pool({ connectionString: url, max: 4 });
  await pool.query('CREATE TABLE change (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int)');
  seen = [];
  relays = [];
  bus = createInProcessEventBus({ logger });
  await bus.subscribe({
    group: 'probe',
    topics: [changed.topic],
    onBatch: async (envelopes) => {
      seen.push(...envelopes.map(({ data }) => changed.data.parse(data).n));
    },
  });
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await bus.close();
  await pool.end();
});

/** A relay has looked at everything and waits: a look that was still to come would take the next event at once. */
async function untilItWaits(): Promise<void> {
  const waits = async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'portal relay'
         AND state = 'idle' AND query LIKE '%WHERE late AND%' AND clock_timestamp() - state_change > interval '300 ms'`,
    );
    expect(rowCount).toBe(1);
  };
  await vi.waitFor(waits, { timeout: 15_000 });
}

function startRelay(
  over: EventBus = bus,
  waits: Pick<RelayOptions, 'batchBytes' | 'batchSize' | 'collectMs' | 'lookMs' | 'takeOverMs'> = {},
): Relay {
  const relay = createRelay({
    connectionString: url,
    bus: over,
    clock,
    logger,
    retry: { firstMs: 5, longestMs: 50 },
    ...waits,
  });
  relays.push(relay);
  relay.start();
  return relay;
}

function makeEvent(subject: string, n: number) {
  return createEvent(changed, { subject, partnerId: 7, data: { n } }, { source: 'producer', clock });
}

const bytesOf = ({ envelope }: { readonly envelope: EventEnvelope }) =>
  Buffer.byteLength(JSON.stringify(envelope));

test('when a transaction is rolled back, then nothing is published; when it commits, then relayed at once', async () => {
  const relay = startRelay(bus, { lookMs: 60_000 });
  await relay.drain(5_000);
  const client = await pool.connect();
  await client.query('BEGIN');
  await appendToOutbox(pgExecutor(client), [makeEvent('a', 1)]);
  await client.query('ROLLBACK');
  await client.query('BEGIN');
  await appendToOutbox(pgExecutor(client), [makeEvent('a', 2), makeEvent('a', 3)]);
  await client.query('COMMIT');
  client.release();

  await vi.waitFor(() => expect(seen).toEqual([2, 3]), { timeout: 10_000 });
});

test('when a transaction commits after a later one is published, then its event still goes out', async () => {
  const relay = startRelay();
  const late = await pool.connect();
  await late.query('BEGIN');
  await appendToOutbox(pgExecutor(late), [makeEvent('late', 1)]);

  await change(pool, clock, 'early', 2);
  await relay.drain(5_000);
  expect(seen).toEqual([2]);
  await late.query('COMMIT');
  late.release();
  await relay.drain(5_000);

  expect(seen).toEqual([2, 1]);
});

/**
 * Three transactions. The one in the middle is the only one that runs on, and has got an id below those that are published meanwhile: it
 * is younger than the one that gave those, so that the moments of the two cannot be told by the newest transaction that is over.
 */
test.each([
  ['two events', { batchSize: 2 }],
  ['the bytes of two events', { batchBytes: Math.ceil(1.5 * bytesOf(makeEvent('10', 10))) }],
])(
  'when a transaction commits during a long backlog, read by %s, then its event leaves before those of the same thing that came after it',
  async (_, limit) => {
    const [first, slow, last] = [await pool.connect(), await pool.connect(), await pool.connect()];
    const backlog = Array.from({ length: 40 }, (_, n) => makeEvent(`${n}`, n));
    await first.query('BEGIN; SELECT pg_current_xact_id()');
    await slow.query('BEGIN');
    await appendToOutbox(pgExecutor(slow), [makeEvent('slow', 1_000)]);
    await appendToOutbox(pgExecutor(first), backlog);
    await first.query('COMMIT');
    let sent = 0;
    const sizes: number[] = [];
    const inSteps: EventBus = {
      ...bus,
      publish: async (topic, messages) => {
        sent += 1;
        sizes.push(messages.length);
        if (sent === 10) {
          await slow.query('COMMIT');
          await appendToOutbox(pgExecutor(last), [makeEvent('slow', 1_001)]);
        }
        await bus.publish(topic, messages);
      },
    };
    const relay = startRelay(inSteps, limit);
    await vi.waitFor(() => expect(seen).toContain(1_001), { timeout: 15_000 });
    await relay.drain(5_000);
    for (const client of [first, slow, last]) client.release();

    expect(Math.max(...sizes)).toBe(2);
    expect(seen.filter((n) => n < 1_000)).toEqual(backlog.map((_, n) => n));
    // In the batch after the two that were in hand.
    expect(seen.indexOf(1_000)).toBeLessThanOrEqual(24);
    expect(seen.filter((n) => n >= 1_000)).toEqual([1_000, 1_001]);
  },
);

test('when events are large, then no more of them are in hand at once than a process can hold, and all leave in order', async () => {
  const text = 'x'.repeat(450_000);
  const large = Array.from({ length: 40 }, (_, n) => {
    const event = makeEvent(`${n}`, n);
    return { ...event, envelope: { ...event.envelope, data: { n, text } } };
  });
  const bytes: number[] = [];
  const weighing: EventBus = {
    ...bus,
    publish: async (topic, messages) => {
      bytes.push(messages.reduce((sum, message) => sum + bytesOf(message), 0));
      await bus.publish(topic, messages);
    },
  };
  await appendToOutbox(pgExecutor(pool), large);
  const relay = startRelay(weighing, { lookMs: 60_000 });
  await vi.waitFor(() => relay.stats(), { timeout: 15_000 });
  await relay.drain(20_000);
  expect(seen).toEqual(large.map((_, n) => n));
  // Several together, though; what compresses well counts as it is read.
  expect(bytes.length).toBeLessThan(10);
  expect(Math.max(...bytes)).toBeLessThan(5_000_000);
});

test('when an event alone is more than is read at once, then it leaves, and so does what stands behind it', async () => {
  await appendToOutbox(
    pgExecutor(pool),
    [1, 2, 3].map((n) => makeEvent('a', n)),
  );
  startRelay(bus, { batchBytes: 1, lookMs: 60_000 });
  await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]), { timeout: 15_000 });
});

test('when something is urgent, then it leaves before what stands before it', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  const bulk = Array.from({ length: 3_000 }, (_, n) => makeEvent(`${n}`, n));
  await appendToOutbox(pgExecutor(client), bulk);
  const urgent = { ...changed, urgent: true };
  await appendToOutbox(pgExecutor(client), [
    createEvent(urgent, { subject: 'urgent', partnerId: 7, data: { n: -1 } }, { source: 'producer', clock }),
  ]);
  await client.query('COMMIT');
  client.release();
  const relay = startRelay();
  await vi.waitFor(() => relay.stats(), { timeout: 15_000 });
  await relay.drain(5_000, 'urgent');
  expect(seen).toContain(-1);
  expect(seen.indexOf(-1)).toBeLessThan(1_000);
  await relay.drain(15_000);
  expect(seen.filter((n) => n >= 0)).toEqual(bulk.map((_, n) => n));
});

test('when nobody waits for events, then they leave together and in order, and nothing waits with them', async () => {
  const published: number[] = [];
  const counting: EventBus = {
    ...bus,
    publish: async (topic, messages) => {
      published.push(messages.length);
      await bus.publish(topic, messages);
    },
  };
  const relay = startRelay(counting, { collectMs: 4_000, lookMs: 60_000 });
  await untilItWaits();
  const late = { ...changed, late: true };
  const add = async (n: number) =>
    appendToOutbox(pgExecutor(pool), [
      createEvent(late, { subject: 'late', partnerId: 7, data: { n } }, { source: 'producer', clock }),
    ]);
  for (const n of [1, 2, 3]) await add(n);
  await change(pool, clock, 'a', 9);
  await vi.waitFor(() => expect(seen).toEqual([9]), { timeout: 10_000 });
  await vi.waitFor(() => expect(seen).toEqual([9, 1, 2, 3]), { timeout: 15_000 });
  expect(published).toEqual([1, 3]);

  const begun = performance.now();
  await add(4);
  await relay.drain(5_000);
  expect(seen.at(-1)).toBe(4);
  expect(performance.now() - begun).toBeLessThan(3_500);
});

test('when two instances run, then one relays, and the other takes over and can drain meanwhile', async () => {
  const first = startRelay(bus, { takeOverMs: 50 });
  await first.drain(5_000);
  const second = startRelay(bus, { takeOverMs: 50 });
  for (let n = 0; n < 20; n += 1) await change(pool, clock, 'a', n);
  await second.drain(5_000);
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n));

  await first.stop();
  await change(pool, clock, 'a', 20);
  await second.drain(5_000);
  expect(seen.at(-1)).toBe(20);
  expect(seen).toHaveLength(21);
});

test('when the connection to the database is cut, then relaying goes on by itself', async () => {
  const relay = startRelay();
  await change(pool, clock, 'a', 1);
  await relay.drain(5_000);
  const admin = new Client(url);
  await admin.connect();
  for (const n of [2, 3]) {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'portal relay' AND datname = current_database()`,
    );
    await change(pool, clock, 'a', n);
    await vi.waitFor(() => expect(seen.at(-1)).toBe(n), { timeout: 5_000 });
  }
  await admin.end();
});

test('when the bus does not answer, then drain gives up in time, stats tell of the jam, and stop ends', async () => {
  const later = manualClock(new Date(Date.now() + 60_000));
  const stuck: EventBus = { ...bus, publish: () => new Promise(() => undefined) };
  const relay = createRelay({ connectionString: url, bus: stuck, clock: later, logger, stopWithinMs: 50 });
  relays.push(relay);
  relay.start();
  await change(pool, clock, 'a', 1);

  await expect(relay.drain(100)).rejects.toThrow('within 100 ms');
  const stats = await relay.stats();
  expect(stats.depth).toBe(1);
  expect(stats.oldestAgeMs).toBeGreaterThan(50_000);
  await relay.stop();
  expect(seen).toEqual([]);
});

test('when one topic cannot be published, then another can', async () => {
  const broken: EventBus = {
    ...bus,
    publish: async (topic, messages) => {
      if (topic === 'portal.broken') throw new Error('no such topic');
      await bus.publish(topic, messages);
    },
  };
  startRelay(broken);
  await appendToOutbox(pgExecutor(pool), [
    { ...makeEvent('a', 1), topic: 'portal.broken' },
    makeEvent('a', 2),
  ]);

  await vi.waitFor(() => expect(seen).toEqual([2]), { timeout: 5_000 });
  await vi.waitFor(
    async () =>
      expect((await pool.query('SELECT topic FROM messaging.outbox')).rows).toEqual([
        { topic: 'portal.broken' },
      ]),
    { timeout: 5_000 },
  );
});

test('when an event does not fit its schema or is too large, then it is refused before it is written', async () => {
  expect(() =>
    createEvent(
      {
        ...changed,
        data: {
          parse: () => {
            throw new Error('does not fit');
          },
        },
      },
      { subject: 'a', partnerId: null, data: { n: 1 } },
      { source: 'producer', clock },
    ),
  ).toThrow('does not fit');
  const large = makeEvent('a', 1);
  const data = { n: 1, text: 'x'.repeat(1_000_000) };
  await expect(
    appendToOutbox(pgExecutor(pool), [{ ...large, envelope: { ...large.envelope, data } }]),
  ).rejects.toThrow('bytes');
});

test.each([
  ['NUL', '\0'],
  ['half of a surrogate pair', '\ud83d'],
])(
  'when an event has %s, which no inbox can keep, then it is refused before it is written',
  async (_, text) => {
    const event = makeEvent('a', 1);
    const carrying = (value: string) => ({
      ...event,
      envelope: { ...event.envelope, data: { [value]: [value] } },
    });
    await expect(appendToOutbox(pgExecutor(pool), [carrying(text)])).rejects.toThrow('cannot keep');
    // What only looks like it is kept as it is.
    await appendToOutbox(pgExecutor(pool), [carrying(String.raw`\u0000 😀`)]);
    expect((await pool.query('SELECT envelope FROM messaging.outbox')).rows).toEqual([
      { envelope: expect.objectContaining({ data: { [String.raw`\u0000 😀`]: [String.raw`\u0000 😀`] } }) },
    ]);
  },
);
