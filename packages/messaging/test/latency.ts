/** Measures commit to effect in another service, throughput, and the cost of idling. Not part of the tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { Pool } from 'pg';
import { createInbox, createInProcessEventBus, createRelay, subscription } from '../src/index.ts';
import { change, changed, inTransaction } from './changes.ts';
import { startPostgres } from './postgres.ts';

const postgres = await startPostgres();
const [producerUrl, consumerUrl] = [await postgres.createDatabase(), await postgres.createDatabase()];
const producer = new Pool({ connectionString: producerUrl, max: 5 });
const consumer = new Pool({ connectionString: consumerUrl, max: 5 });
await producer.query('CREATE TABLE change (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int)');
await consumer.query('CREATE TABLE effect (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int)');
const logger = createLogger({ level: 'warn' });
const clock = systemClock();
const committed = new Map<number, number>();
const latencies: number[] = [];
const bus = createInProcessEventBus({ logger });
const inbox = createInbox({
  service: 'consumer',
  connectionString: consumerUrl,
  clock,
  logger,
  subscriptions: [
    subscription({
      handler: 'note',
      event: changed,
      handle: async (tx, { subject, data }) => {
        await tx.$executeRawUnsafe('INSERT INTO effect (subject, n) VALUES ($1, $2)', subject, data.n);
      },
    }),
  ],
  runInTransaction: async (work, event) => {
    const result = await inTransaction(consumer, work);
    const { n } = changed.data.parse(event.data);
    latencies.push(performance.now() - (committed.get(n) ?? performance.now()));
    return result;
  },
});
await inbox.start(bus);
const relay = createRelay({ connectionString: producerUrl, bus, clock, logger });
relay.start();
let n = 0;
async function load(perSecond: number, seconds: number, keys: number) {
  latencies.length = 0;
  const began = performance.now();
  const total = perSecond * seconds;
  const writes: Promise<void>[] = [];
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
    for (; sent < due; sent += 1) {
      const number = n++;
      writes.push(
        change(producer, clock, `key-${number % keys}`, number).then(() => {
          committed.set(number, performance.now());
        }),
      );
    }
    await sleep(2);
  }
  await Promise.all(writes);
  while (latencies.length < total) await sleep(5);
  const took = performance.now() - began;
  latencies.sort((a, b) => a - b);
  const p = (q: number) => latencies[Math.min(total - 1, Math.floor(total * q))]?.toFixed(1);
  console.log(
    `${perSecond}/s on ${keys} keys: p50 ${p(0.5)} p95 ${p(0.95)} p99 ${p(0.99)} max ${p(1)} ms; ${((total / took) * 1000).toFixed(0)}/s`,
  );
}
await load(100, 2, 50);
await load(200, 10, 200);
await load(200, 10, 5);
await load(400, 5, 200);
await load(5000, 1, 500);
const cpu = process.cpuUsage();
await sleep(10_000);
const used = process.cpuUsage(cpu);
console.log(`idle: ${((used.user + used.system) / 1e5).toFixed(2)} % of a core in this process`);
await relay.stop();
await inbox.stop();
await bus.close();
await producer.end();
await consumer.end();
await postgres.stop();
