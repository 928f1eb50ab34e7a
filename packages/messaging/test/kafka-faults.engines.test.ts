import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { type KafkaEngine, startKafka } from '@portal/testing/engines';
import { Kafka, logLevel } from 'kafkajs';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  appendToOutbox,
  createEvent,
  createInbox,
  createRelay,
  type EventDefinition,
  type Inbox,
  inTransaction,
  type Relay,
  subscription,
} from '../src/index.ts';
import {
  createKafkaEventBus,
  type KafkaEventBus,
  type KafkaEventBusOptions,
} from '../src/kafka/kafka-event-bus.ts';
import { changed } from './changes.ts';
import { startPostgres } from './postgres.ts';

const clock = systemClock();
const silent = createLogger({ level: 'silent' });
const patience = { timeout: 60_000, interval: 50 };
let directory: string;
let kafka: KafkaEngine;
let postgres: ReturnType<typeof startPostgres>;
let definition: EventDefinition<{ n: number }>;
let cleanups: (() => Promise<unknown>)[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-test-kafka-'));
  kafka = await startKafka({ dataDir: directory });
  postgres = startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  await kafka?.remove();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  definition = { ...changed, topic: `portal.${randomUUID()}` };
  cleanups = [];
});
afterEach(async () => {
  await kafka.start();
  for (const cleanup of cleanups.reverse()) await cleanup();
});

function connect(options: Partial<KafkaEventBusOptions> = {}): KafkaEventBus {
  const bus = createKafkaEventBus({ brokers: kafka.brokers, service: 'test', logger: silent, ...options });
  cleanups.push(() => bus.close());
  return bus;
}

function make(subject: string, n: number) {
  return createEvent(definition, { subject, partnerId: 1, data: { n } }, { source: 'test', clock });
}

const numberOf = ({ data }: { readonly data: unknown }) => changed.data.parse(data).n;
const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** The client as another program has it. */
function otherClient() {
  return new Kafka({ brokers: [...kafka.brokers], clientId: 'other', logLevel: logLevel.NOTHING });
}

/** A service that tells of changes, in as many instances as wanted. */
async function startProducer(instances: number) {
  const url = await postgres.createDatabase();
  const pool = new Pool({ connectionString: url, max: 4 });
  const relays: Relay[] = [];
  for (let made = 0; made < instances; made += 1) {
    const retry = { firstMs: 50, longestMs: 500 };
    const relay = createRelay({ connectionString: url, bus: connect(), clock, logger: silent, retry });
    relay.start();
    relays.push(relay);
  }
  cleanups.push(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await pool.end();
  });
  return {
    relays,
    send: (subject: string, n: number) => inTransaction(pool, (tx) => appendToOutbox(tx, [make(subject, n)])),
  };
}

/** A service that keeps a row for each change, in as many instances as wanted, on one database. */
async function startConsumer(instances: number) {
  const url = await postgres.createDatabase();
  const pool = new Pool({ connectionString: url, max: 4 * instances });
  await pool.query('CREATE TABLE effect (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int)');
  const inboxes: Inbox[] = [];
  const service = `consumer-${randomUUID()}`;
  for (let made = 0; made < instances; made += 1) {
    const inbox = createInbox({
      service,
      connectionString: url,
      subscriptions: [
        subscription({
          handler: 'note',
          event: definition,
          handle: async (tx, { subject, data }) => {
            await tx.$executeRawUnsafe('INSERT INTO effect (subject, n) VALUES ($1, $2)', subject, data.n);
          },
        }),
      ],
      runInTransaction: (work) => inTransaction(pool, work),
      clock,
      logger: silent,
      pollMs: 50,
    });
    await inbox.start(connect());
    inboxes.push(inbox);
  }
  cleanups.push(async () => {
    await Promise.all(inboxes.map((inbox) => inbox.stop()));
    await pool.end();
  });
  const effects = async (subject: string): Promise<number[]> => {
    const sql = 'SELECT n FROM effect WHERE subject = $1 ORDER BY id';
    return (await pool.query<{ n: number }>(sql, [subject])).rows.map(({ n }) => n);
  };
  return { effects, pool, service };
}

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

test.each([
  ['stopped', () => kafka.stop()],
  ['killed', () => kafka.kill()],
])(
  'when the broker is %s under writes and comes back, then no event is lost, reordered or takes effect twice',
  async (_, end) => {
    const { effects } = await startConsumer(1);
    const { relays, send } = await startProducer(1);
    let sent = 0;
    let slowestMs = 0;
    let writing = true;
    const writer = (async () => {
      while (writing) {
        const begun = performance.now();
        await Promise.all(keys.map((key) => send(key, sent)));
        slowestMs = Math.max(slowestMs, performance.now() - begun);
        sent += 1;
        await sleep(50);
      }
    })();
    const finish = async () => {
      writing = false;
      await writer;
    };
    cleanups.push(finish);
    await vi.waitFor(async () => expect((await effects('a')).length).toBeGreaterThan(20), patience);

    await end();
    await sleep(8_000);
    expect((await relays[0]?.stats())?.depth).toBeGreaterThan(0);
    await kafka.start();
    const during = sent;
    await vi.waitFor(async () => expect((await effects('a')).length).toBeGreaterThan(during), patience);
    await finish();

    expect(slowestMs).toBeLessThan(1_000);
    await vi.waitFor(async () => expect(await effects('g')).toHaveLength(sent), patience);
    for (const key of keys)
      await vi.waitFor(async () => expect(await effects(key)).toEqual(numbersTo(sent)), patience);
  },
);

test('when a member joins while another holds a batch, then no event is lost or takes effect twice', async () => {
  const topic = definition.topic;
  const group = `group-${randomUUID()}`;
  const seen: [string, number][] = [];
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = connect();
  let held = 0;
  await first.subscribe({
    group,
    topics: [topic],
    onBatch: async (envelopes) => {
      held += envelopes.length;
      holding.resolve();
      await release.promise;
      seen.push(...envelopes.map((envelope) => [envelope.subject, numberOf(envelope)] as [string, number]));
    },
  });
  for (const n of numbersTo(10))
    await first.publish(
      topic,
      keys.map((key) => make(key, n)),
    );
  await holding.promise;

  let taken = 0;
  await connect().subscribe({
    group,
    topics: [topic],
    onBatch: async (envelopes) => {
      taken += envelopes.length;
      seen.push(...envelopes.map((envelope) => [envelope.subject, numberOf(envelope)] as [string, number]));
    },
  });
  // Longer than a session: only heartbeats keep the member that holds the batch.
  await sleep(12_000);
  expect(taken).toBe(0);
  release.resolve();
  for (const n of numbersTo(10))
    await first.publish(
      topic,
      keys.map((key) => make(key, 10 + n)),
    );

  await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(keys.length * 20), patience);
  for (const key of keys) {
    const ofKey = seen.filter(([subject]) => subject === key).map(([, n]) => n);
    expect(ofKey).toEqual(numbersTo(20));
  }
  expect(held).toBeGreaterThan(0);
  expect(taken).toBeGreaterThan(0);
});

test('when both services have two instances and one of each leaves, then each event takes effect once, in order', async () => {
  const { effects, pool, service } = await startConsumer(2);
  const { relays, send } = await startProducer(2);
  for (const n of numbersTo(30)) await Promise.all(keys.map((key) => send(key, n)));
  const late = connect();
  const leaving = await late.subscribe({
    group: service,
    topics: [definition.topic],
    onBatch: async () => {
      throw new Error('this instance has no database');
    },
  });
  for (const n of numbersTo(30)) await Promise.all(keys.map((key) => send(key, 30 + n)));
  await leaving.close();
  await relays[0]?.stop();
  for (const n of numbersTo(30)) await Promise.all(keys.map((key) => send(key, 60 + n)));

  for (const key of keys)
    await vi.waitFor(async () => expect(await effects(key)).toEqual(numbersTo(90)), patience);
  expect((await pool.query(`SELECT 1 FROM messaging.inbox WHERE status <> 'done'`)).rows).toEqual([]);
});

test('when the broker was away, then a listener of broadcasts still has every event since it began', async () => {
  const bus = connect();
  await bus.publish(definition.topic, [make('a', 0)]);
  const seen: number[] = [];
  await bus.broadcast({
    topics: [definition.topic],
    onEvent: (envelope) => {
      seen.push(numberOf(envelope));
    },
  });
  await bus.publish(definition.topic, [make('a', 1)]);
  await vi.waitFor(() => expect(seen).toEqual([1]), patience);

  await kafka.kill();
  await sleep(3_000);
  await kafka.start();
  const other = connect();
  await vi.waitFor(() => other.publish(definition.topic, [make('a', 2)]), patience);

  await vi.waitFor(() => expect(seen).toEqual([1, 2]), patience);
});

test('when Kafka is away, then publishing rejects in time, subscribing waits and says so, and both recover', async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info' }, { write: (line) => void lines.push(line) });
  const bus = connect({ logger });
  await bus.ensureTopics([definition.topic]);
  await kafka.stop();

  const begun = performance.now();
  await expect(bus.publish(definition.topic, [make('a', 1)])).rejects.toThrow();
  expect(performance.now() - begun).toBeLessThan(12_000);
  const seen: number[] = [];
  const late = connect({ logger });
  const subscribing = late.subscribe({
    group: `group-${randomUUID()}`,
    topics: [definition.topic],
    onBatch: async (envelopes) => {
      seen.push(...envelopes.map(numberOf));
    },
  });
  const waiting = `Waiting for Kafka at ${kafka.brokers.join(', ')}`;
  await vi.waitFor(() => expect(lines.join()).toContain(waiting), patience);
  await kafka.start();

  await subscribing;
  await bus.publish(definition.topic, [make('a', 2)]);
  await vi.waitFor(() => expect(seen).toEqual([2]), patience);
});

test('when messages are no events, then they are skipped and logged without their content', async () => {
  const lines: string[] = [];
  const bus = connect({
    logger: createLogger({ level: 'error' }, { write: (line) => void lines.push(line) }),
  });
  const seen: number[] = [];
  await bus.subscribe({
    group: `group-${randomUUID()}`,
    topics: [definition.topic],
    onBatch: async (envelopes) => {
      seen.push(...envelopes.map(numberOf));
    },
  });
  const { envelope } = make('a', 0);
  const producer = otherClient().producer();
  await producer.connect();
  const bad = [
    null,
    'secret',
    '"secret"',
    JSON.stringify({ ...envelope, id: 'secret' }),
    JSON.stringify({ ...envelope, subject: 1 }),
    JSON.stringify({ ...envelope, data: { n: 1, text: 'secret\0' } }),
    JSON.stringify({ ...envelope, data: { n: 1, text: 'secret\ud800' } }),
  ];
  const fine = JSON.stringify({ ...envelope, data: { n: 7, text: '\\u0000' } });
  await producer.send({
    topic: definition.topic,
    messages: [...bad, fine].map((value) => ({ key: 'a', value })),
  });
  await producer.disconnect();

  await vi.waitFor(() => expect(seen).toEqual([7]), patience);
  expect(lines).toHaveLength(bad.length);
  expect(lines.join()).not.toContain('secret');
});

test('when an event is on its way, then other programs read a CloudEvent, and the lag is what a group has not taken', async () => {
  const bus = connect({ topics: { partitions: 3, retentionMs: 86_400_000 } });
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const outgoing = createEvent(
    definition,
    { subject: 'a', partnerId: 1, data: { n: 1 } },
    { source: 'test', clock, traceparent },
  );
  const group = `group-${randomUUID()}`;
  const membership = await bus.subscribe({
    group,
    topics: [definition.topic],
    onBatch: async () => undefined,
  });
  await bus.publish(definition.topic, [outgoing]);
  await vi.waitFor(
    async () => expect(await bus.lag(group, [definition.topic])).toEqual({ [definition.topic]: 0 }),
    patience,
  );
  await membership.close();
  await bus.publish(
    definition.topic,
    keys.map((key) => make(key, 2)),
  );
  expect(await bus.lag(group, [definition.topic])).toEqual({ [definition.topic]: keys.length });

  const admin = otherClient().admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [definition.topic] });
  expect(topics[0]?.partitions).toHaveLength(3);
  await admin.disconnect();
  const consumer = otherClient().consumer({ groupId: randomUUID() });
  await consumer.connect();
  await consumer.subscribe({ topics: [definition.topic], fromBeginning: true });
  const read: unknown[] = [];
  await consumer.run({
    eachMessage: async ({ message }) => {
      read.push({
        key: message.key?.toString(),
        contentType: message.headers?.['content-type']?.toString(),
        traceparent: message.headers?.['traceparent']?.toString(),
        envelope: JSON.parse(String(message.value)),
      });
    },
  });
  await vi.waitFor(
    () =>
      expect(read).toContainEqual({
        key: 'a',
        contentType: 'application/cloudevents+json; charset=UTF-8',
        traceparent,
        envelope: outgoing.envelope,
      }),
    patience,
  );
  await consumer.disconnect();
});

test('when a topic refuses what is too large, then the rest of the batch goes out before it and the refusal is clear', async () => {
  const admin = otherClient().admin();
  await admin.connect();
  await admin.createTopics({
    topics: [
      {
        topic: definition.topic,
        numPartitions: 1,
        configEntries: [{ name: 'max.message.bytes', value: '20000' }],
      },
    ],
  });
  await admin.disconnect();
  const bus = connect();
  const seen: number[] = [];
  await bus.subscribe({
    group: `group-${randomUUID()}`,
    topics: [definition.topic],
    onBatch: async (envelopes) => {
      seen.push(...envelopes.map(numberOf));
    },
  });
  const small = numbersTo(200).map((n) => make('a', n));
  await bus.publish(definition.topic, small);
  const large = make('a', 1_000);
  const tooLarge = { ...large, envelope: { ...large.envelope, data: { n: 1, text: 'x'.repeat(30_000) } } };
  await expect(bus.publish(definition.topic, [make('a', 200), tooLarge])).rejects.toThrow(
    'max.message.bytes',
  );

  await vi.waitFor(() => expect(seen).toEqual(numbersTo(201)), patience);
});

test('when nothing is left of a bus, then publishing rejects', async () => {
  const bus = connect();
  await bus.publish(definition.topic, [make('a', 1)]);
  await bus.close();
  await expect(bus.publish(definition.topic, [make('a', 2)])).rejects.toThrow('closed');
});
