/**
 * A process with a producing and a consuming service on the in-process bus. It kills itself without notice when the
 * given point is reached for the third time, or else ends by itself when everything has taken effect.
 * Arguments: the producer's database, the consumer's database, the point, how the consumer takes events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { Pool } from 'pg';
import {
  createInbox,
  createInProcessEventBus,
  createRelay,
  type EventBus,
  inTransaction,
  subscription,
  subscriptionToMany,
} from '../src/index.ts';
import { change, changed } from './changes.ts';

const [producerUrl = '', consumerUrl = '', point = 'none', way = 'stored'] = process.argv.slice(2);
const logger = createLogger({ level: 'silent' });
const clock = systemClock();
const producer = new Pool({ connectionString: producerUrl, max: 2 });
const consumer = new Pool({ connectionString: consumerUrl, max: 4 });

let reached = 0;
function dieAt(name: string) {
  if (name !== point) return;
  reached += 1;
  if (reached === 3) process.kill(process.pid, 'SIGKILL');
}

const inner = createInProcessEventBus({ logger });
const bus: EventBus = {
  ...inner,
  publish: async (topic, messages) => {
    await inner.publish(topic, messages);
    dieAt('between publish and mark');
  },
  subscribe: (group) =>
    inner.subscribe({
      ...group,
      onBatch: async (envelopes) => {
        dieAt('between publish and inbox');
        await group.onBatch(envelopes);
        dieAt('between inbox and acknowledgement');
      },
    }),
};

const handler = 'consumer.note';
const stored = subscription({
  handler,
  event: changed,
  handle: async (tx, { subject, data }) => {
    await tx.$executeRawUnsafe('INSERT INTO effect (subject, n) VALUES ($1, $2)', subject, data.n);
    dieAt('between effect and mark');
  },
});
const handledAtOnce = subscriptionToMany({
  handler,
  event: changed,
  knowsRepeats: true,
  handle: async (tx, events) => {
    for (const { data, id, subject } of events) {
      await tx.$executeRawUnsafe(
        'INSERT INTO effect (subject, n, event_id) VALUES ($1, $2, $3::uuid) ON CONFLICT DO NOTHING',
        ...[subject, data.n, id],
      );
    }
    dieAt('between effect and mark');
  },
});

const inbox = createInbox({
  service: 'consumer',
  connectionString: consumerUrl,
  subscriptions: [way === 'stored' ? stored : handledAtOnce],
  runInTransaction: async (work) => {
    const result = await inTransaction(consumer, work);
    dieAt('after mark');
    return result;
  },
  clock,
  logger,
});
await inbox.start(bus);
const relay = createRelay({ connectionString: producerUrl, bus, clock, logger, batchSize: 3 });
relay.start();

if (point !== 'none') {
  for (let n = 0; n < 60; n += 1) {
    await change(producer, clock, `key-${n % 4}`, n);
    dieAt('between change and publish');
    process.stdout.write(`${n}\n`);
  }
}
await relay.drain(20_000);
while ((await inbox.stats())[handler]?.live !== 0) await sleep(20);
await relay.stop();
await inbox.stop();
await bus.close();
await Promise.all([producer.end(), consumer.end()]);
