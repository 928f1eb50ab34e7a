import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, systemClock } from '@portal/kernel';
import { type SecuredKafkaEngine, startSecuredKafka } from '@portal/testing/engines';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEvent } from '../src/event.ts';
import { createKafkaEventBus, type KafkaConnection } from '../src/kafka/kafka-event-bus.ts';

/** A Kafka that accepts only TLS connections with a user name and a password. */

let kafka: SecuredKafkaEngine;
beforeAll(async () => {
  kafka = await startSecuredKafka({ dataDir: await mkdtemp(join(tmpdir(), 'portal-test-kafka-secured-')) });
});
afterAll(() => kafka?.remove());

const topic = 'portal.test';
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

function busTo(connection: Partial<KafkaConnection>) {
  const { brokers, ca, password, username } = kafka;
  return createKafkaEventBus({
    brokers,
    tls: { ca },
    sasl: { mechanism: 'scram-sha-256', username, password },
    ...connection,
    service: 'test',
    logger: createLogger({ level: 'silent' }),
    retry: { firstMs: 5, longestMs: 40 },
  });
}

const done = { type: 'test.done', topic, data: { parse: (value: unknown) => value } };
const eventOf = (subject: string) =>
  createEvent(done, { subject, partnerId: null, data: {} }, { source: 'test', clock: systemClock() });

describe('When Kafka wants TLS and a password', () => {
  test.each(mechanisms)('then events pass by %s, and what is behind can be told', async (mechanism) => {
    const { password, username } = kafka;
    const bus = busTo({ sasl: { mechanism, username, password } });
    const heard: string[] = [];
    try {
      await bus.ensureTopics([topic]);
      await bus.subscribe({
        group: `group-${mechanism}`,
        topics: [topic],
        onBatch: async (envelopes) => void heard.push(...envelopes.map(({ subject }) => subject)),
      });
      await bus.publish(topic, [eventOf(mechanism)]);
      await vi.waitFor(() => expect(heard).toContain(mechanism), 30_000);
      await vi.waitFor(
        async () => expect(await bus.lag(`group-${mechanism}`, [topic])).toEqual({ [topic]: 0 }),
        30_000,
      );
    } finally {
      await bus.close();
    }
  });

  test.each<[string, () => Partial<KafkaConnection>]>([
    [
      'the wrong password',
      () => ({ sasl: { mechanism: 'plain', username: kafka.username, password: 'wrong' } }),
    ],
    ['no password', () => ({ sasl: undefined as never })],
    ['a certificate that is not trusted', () => ({ tls: {} })],
    ['no TLS', () => ({ tls: undefined as never })],
  ])('then %s does not pass', async (_, connection) => {
    const bus = busTo(connection());
    try {
      await expect(bus.lag('group', [topic])).rejects.toThrow();
    } finally {
      await bus.close();
    }
  });
});
