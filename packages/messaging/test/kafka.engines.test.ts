import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@portal/kernel';
import { type KafkaEngine, startKafka } from '@portal/testing/engines';
import { afterAll, beforeAll } from 'vitest';
import { eventBusContract } from '../src/contract-suite.ts';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus.ts';
import { startPostgres } from './postgres.ts';

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
