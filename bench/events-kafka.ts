import { join } from 'node:path';
import { migrate, provisionDatabase, startEmbeddedPostgres, withClient } from '@portal/database';
import { createLogger, systemClock } from '@portal/kernel';
import {
  appendToOutbox,
  createEvent,
  createInbox,
  createRelay,
  inTransaction,
  messagingMigrations,
  pgExecutor,
  subscription,
} from '@portal/messaging';
import { createKafkaEventBus, type KafkaEventBus } from '@portal/messaging/kafka';
import { startKafka } from '@portal/testing/engines';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { Pool } from 'pg';
import { z } from 'zod';
import { atRate } from './support/at-rate.ts';
import { commitTimes, keepCommitTimes, latencies, latencyFigure } from './support/commit-times.ts';
import { type Benchmark, type Figure, median, percent } from './support/figure.ts';
import { withTempFolder } from './support/temp-folder.ts';

const bulk = { warmUpRounds: 2, rounds: 7, events: 20_000, perSend: 500, leastShare: 0.75 };
const steady = { perSecond: 200, warmUpSeconds: 3, seconds: 15, limitMs: 50 };
const heavy = { perSecond: 1_000, seconds: 15, longestMs: 2_000 };
const patienceMs = 60_000;

const clock = systemClock();
const logger = createLogger({ level: 'warn' });
const text = 'x'.repeat(200);
const changed = {
  type: 'bench.changed',
  topic: 'portal.bench',
  data: z.object({ n: z.number(), text: z.string() }),
};
const bareTopic = 'portal.bare';

interface Database {
  readonly url: string;
  readonly pool: Pool;
}

interface Bench {
  readonly brokers: readonly string[];
  readonly bus: KafkaEventBus;
  readonly producer: Database;
  readonly consumer: Database;
}

/** From one service's outbox over Kafka to the effect in another's database, on a broker and a PostgreSQL of their own. */
export const benchmark: Benchmark = () =>
  withTempFolder(async (folder) => {
    const kafka = await startKafka({ dataDir: join(folder, 'kafka') });
    const dataDir = join(folder, 'postgres');
    const first = await startEmbeddedPostgres({ dataDir });
    await withClient(first.adminUrl, keepCommitTimes);
    await first.stop();
    const postgres = await startEmbeddedPostgres({ dataDir });
    const bus = createKafkaEventBus({ brokers: kafka.brokers, service: 'bench', logger });
    const producer = await createDatabase(postgres.adminUrl, 'producer');
    const consumer = await createDatabase(postgres.adminUrl, 'consumer');
    try {
      const bench = { brokers: kafka.brokers, bus, producer, consumer };
      return [await relayAgainstBareProducer(bench), ...(await commitToEffect(bench))];
    } finally {
      await bus.close();
      await Promise.all([producer.pool.end(), consumer.pool.end()]);
      await postgres.stop();
      await kafka.remove();
    }
  });

async function createDatabase(adminUrl: string, service: string): Promise<Database> {
  const { ownerUrl } = await provisionDatabase({
    adminUrl,
    service,
    password: 'bench',
    ownerPassword: 'bench',
  });
  await migrate({ url: ownerUrl, directories: [messagingMigrations] });
  const url = `${ownerUrl}?options=-c%20app.scope%3Dsystem`;
  const pool = new Pool({ connectionString: url, max: 10 });
  await pool.query('CREATE TABLE change (n int PRIMARY KEY)');
  return { url, pool };
}

function makeEvent(n: number) {
  const event = { subject: String(n % 1_000), partnerId: 1, data: { n, text } };
  return createEvent(changed, event, { source: 'bench', clock });
}

async function relayAgainstBareProducer({ brokers, bus, producer }: Bench): Promise<Figure> {
  await bus.ensureTopics([changed.topic, bareTopic]);
  const bare = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer({
    idempotent: true,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await bare.connect();
  const rates = { relay: [] as number[], bare: [] as number[] };
  for (let round = 0; round < bulk.warmUpRounds + bulk.rounds; round += 1) {
    const events = Array.from({ length: bulk.events }, (_, n) => makeEvent(n));
    const headers = { 'content-type': 'application/cloudevents+json; charset=UTF-8' };
    const messages = events.map(({ key, envelope }) => ({ key, value: JSON.stringify(envelope), headers }));
    const bareRate = await rateOf(async () => {
      for (let sent = 0; sent < messages.length; sent += bulk.perSend) {
        const part = messages.slice(sent, sent + bulk.perSend);
        await bare.send({ topic: bareTopic, acks: -1, messages: part });
      }
    });
    for (let at = 0; at < events.length; at += 1_000)
      await appendToOutbox(pgExecutor(producer.pool), events.slice(at, at + 1_000));
    const relay = createRelay({ connectionString: producer.url, bus, clock, logger });
    const relayRate = await rateOf(async () => {
      relay.start();
      await relay.drain(patienceMs);
    });
    await relay.stop();
    if (round < bulk.warmUpRounds) continue;
    rates.bare.push(bareRate);
    rates.relay.push(relayRate);
  }
  await bare.disconnect();
  const ratio = median(rates.relay) / median(rates.bare);
  return {
    what: 'Relay from a full outbox to Kafka, against a bare kafkajs producer with the same messages and acks',
    target: percent(bulk.leastShare),
    measured: percent(ratio),
    value: ratio,
    better: 'higher',
    detail:
      `${Math.round(median(rates.relay))} and ${Math.round(median(rates.bare))} messages/s, ${bulk.events} at once, ` +
      `the bare producer ${bulk.perSend} a request; median of ${bulk.rounds} rounds`,
    met: ratio >= bulk.leastShare,
  };
}

async function rateOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (bulk.events / (performance.now() - begun)) * 1_000;
}

/** A producing and a consuming service side by side; PostgreSQL itself keeps the moment of every commit, by one clock. */
async function commitToEffect({ bus, producer, consumer }: Bench): Promise<readonly Figure[]> {
  const steadyChange = { ...changed, topic: 'portal.steady' };
  let made = 0;
  const change = () =>
    inTransaction(producer.pool, async (tx) => {
      const n = made++;
      await tx.$executeRawUnsafe('INSERT INTO change (n) VALUES ($1)', n);
      await appendToOutbox(tx, [{ ...makeEvent(n), topic: steadyChange.topic }]);
      return n;
    });
  const inbox = createInbox({
    service: 'bench-consumer',
    connectionString: consumer.url,
    subscriptions: [
      subscription({
        handler: 'bench.note',
        event: steadyChange,
        handle: async (tx, { data }) => {
          await tx.$executeRawUnsafe('INSERT INTO change (n) VALUES ($1)', data.n);
        },
      }),
    ],
    runInTransaction: (work) => inTransaction(consumer.pool, work),
    clock,
    logger,
  });
  await inbox.start(bus);
  const relay = createRelay({ connectionString: producer.url, bus, clock, logger });
  relay.start();
  try {
    await atRate(change, steady.perSecond, steady.warmUpSeconds);
    const numbers = await atRate(change, steady.perSecond, steady.seconds);
    const timesIn = (pool: Pool) => async (ids: readonly number[]) =>
      commitTimes(pool, { table: 'change', idColumn: 'n', ids });
    const samples = await latencies(
      numbers,
      { left: timesIn(producer.pool), arrived: timesIn(consumer.pool) },
      patienceMs,
    );

    let oldestMs = 0;
    let depth = 0;
    const watch = setInterval(() => {
      relay.stats().then(
        (stats) => {
          oldestMs = Math.max(oldestMs, stats.oldestAgeMs);
          depth = Math.max(depth, stats.depth);
        },
        () => undefined,
      );
    }, 100);
    await atRate(change, heavy.perSecond, heavy.seconds);
    const left = (await relay.stats()).depth;
    clearInterval(watch);
    return [
      latencyFigure('Event over Kafka, from the commit to the committed effect in another service', samples, {
        how: `changes, ${steady.perSecond} a second`,
        limitMs: steady.limitMs,
      }),
      {
        what: `Age of the oldest event in the outbox at ${heavy.perSecond} events a second`,
        target: `${heavy.longestMs} ms`,
        measured: `${Math.round(oldestMs)} ms`,
        value: oldestMs,
        better: 'lower',
        detail: `over ${heavy.seconds} s; at most ${depth} events at a time, ${left} right after the last`,
        met: oldestMs < heavy.longestMs && left < heavy.perSecond,
      },
    ];
  } finally {
    await relay.stop();
    await inbox.stop();
  }
}
