import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock } from '@portal/kernel';
import { type KafkaEngine, startKafka } from '@portal/testing/engines';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventBusContract } from '../src/contract-suite.ts';
import { createEvent, type EventEnvelope } from '../src/index.ts';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus.ts';
import { changed } from './changes.ts';
import { startPostgres } from './postgres.ts';

const patience = { timeout: 30_000, interval: 50 };

let directory: string;
let kafka: KafkaEngine;
let postgres: ReturnType<typeof startPostgres>;

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

eventBusContract('Kafka', async () => ({
  connect: async () =>
    createKafkaEventBus({
      brokers: kafka.brokers,
      service: 'contract',
      logger: createLogger({ level: 'silent' }),
      retry: { firstMs: 5, longestMs: 40 },
    }),
  createDatabase: () => postgres.createDatabase(),
  close: async () => undefined,
}));

test('when several listen in a process, then one consumer reads for all, and each has every event since it began', async () => {
  const logger = createLogger({ level: 'silent' });
  const service = `listening-${randomUUID()}`;
  const bus = createKafkaEventBus({ brokers: kafka.brokers, service, logger });
  const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const members = async () => {
    const { groups } = await admin.listGroups();
    const ids = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(`${service}.broadcast.`));
    const described = ids.length > 0 ? (await admin.describeGroups(ids)).groups : [];
    return described.reduce((sum, group) => sum + group.members.length, 0);
  };
  const [one, two] = [`portal.${randomUUID()}`, `portal.${randomUUID()}`];
  const publish = (topic: string, n: number) => {
    const event = { subject: 'key', partnerId: 1, data: { n } };
    return bus.publish(topic, [
      createEvent({ ...changed, topic }, event, { source: 'test', clock: systemClock() }),
    ]);
  };
  const listen = async (topic: string) => {
    const seen: number[] = [];
    const onEvent = ({ data }: EventEnvelope) => void seen.push(changed.data.parse(data).n);
    return { seen, listening: await bus.broadcast({ topics: [topic], onEvent }) };
  };
  try {
    await publish(one, 1);
    const first = await listen(one);
    await publish(one, 2);
    await vi.waitFor(() => expect(first.seen).toEqual([2]), patience);
    const other = await listen(two);
    await publish(two, 1);
    await publish(one, 3);
    await vi.waitFor(() => expect([first.seen, other.seen]).toEqual([[2, 3], [1]]), patience);
    const late = await listen(one);
    await publish(one, 4);
    await vi.waitFor(() => expect([first.seen, late.seen]).toEqual([[2, 3, 4], [4]]), patience);
    await vi.waitFor(async () => expect(await members()).toBe(1), patience);

    await other.listening.close();
    await publish(two, 2);
    await publish(one, 5);
    await vi.waitFor(() => expect([first.seen.at(-1), late.seen.at(-1)]).toEqual([5, 5]), patience);
    expect(other.seen).toEqual([1]);
    await first.listening.close();
    await late.listening.close();
    await vi.waitFor(async () => expect(await members()).toBe(0), patience);

    // Nobody listens in between, so what is published then is nobody's.
    await publish(one, 6);
    const again = await listen(one);
    await publish(one, 7);
    await vi.waitFor(() => expect(again.seen).toEqual([7]), patience);
  } finally {
    await bus.close();
    await admin.disconnect();
  }
});
