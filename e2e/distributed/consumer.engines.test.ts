import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileEvents, userEvents } from '@portal/contracts';
import { systemClock } from '@portal/kernel';
import { createEvent, type OutgoingEvent } from '@portal/messaging';
import { type KafkaEngine, startKafka, startSecuredKafka } from '@portal/testing/engines';
import { projectNode, root } from '@portal/testing/project';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const topics = ['portal.file', 'portal.user'];
const withinMs = 40_000;

let directory: string;
let engine: KafkaEngine;
let kafka: Kafka;
let producer: Producer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-test-consumer-'));
  engine = await startKafka({ dataDir: directory });
  kafka = new Kafka({ brokers: [...engine.brokers], logLevel: logLevel.ERROR });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: topics.map((topic) => ({ topic, numPartitions: 3 })),
  });
  await admin.disconnect();
  producer = kafka.producer();
  await producer.connect();
});
afterAll(async () => {
  await producer?.disconnect();
  await engine?.remove();
  await rm(directory, { recursive: true, force: true });
});

const context = { source: 'file', clock: systemClock() };
const renamed = (file: number, name: string) =>
  createEvent(
    fileEvents.fileUpdated,
    {
      subject: String(file),
      partnerId: 1,
      data: { fileId: file, name, note: '', deliverReservationAt: null, updateReservationAt: null },
    },
    context,
  );
const groupDeleted = (groupId: number) =>
  createEvent(
    userEvents.groupDeleted,
    { subject: String(groupId), partnerId: 1, data: { groupId } },
    { ...context, source: 'user' },
  );

/** As the portal sends them, and each as often as said. */
async function publish(events: readonly OutgoingEvent[]): Promise<void> {
  for (const { topic, key, envelope } of events)
    await producer.send({ topic, messages: [{ key, value: JSON.stringify(envelope) }] });
}

describe('The example consumer', () => {
  test('when it is killed in the middle and started again, then every event is printed and has its effect once', async () => {
    const files = Array.from({ length: 15 }, (_, index) => renamed(1 + (index % 4), `name ${index}`));
    const groups = Array.from({ length: 5 }, (_, index) => groupDeleted(index + 1));
    const events = [...files, ...groups];
    const [first] = events;
    if (!first) throw new Error('No events');

    const consumer = start('crash');
    await publish(events.slice(0, 12).flatMap((event) => [event, event]));
    await consumer.until((lines) => lines.length >= 7);
    await consumer.kill();
    await publish([...events.slice(12), first]);

    const again = start('crash');
    const all = () => [...consumer.lines, ...again.lines];
    await again.until(() => events.every(({ envelope }) => all().some((line) => tellsOf(line, envelope))));
    await again.until((lines) => lines.filter((line) => line.includes('(again')).length > 0);
    await again.stop();

    const kept = await journal('crash');
    expect(kept.map(({ id }) => id).sort()).toEqual(events.map(({ envelope }) => envelope.id).sort());
    // In order per key.
    for (const key of new Set(files.map((event) => event.key))) {
      const names = (list: readonly { subject: string; type: string; data: unknown }[]) =>
        list
          .filter(({ subject, type }) => subject === key && type === 'file.updated')
          .map(({ data }) => data);
      expect(names(kept)).toEqual(names(files.map(({ envelope }) => envelope)));
    }
    // What was committed does not come again.
    expect(again.lines.filter((line) => line.startsWith('20')).length).toBeLessThan(2 * 12 + 9);
  });

  test('passes over what it does not know and what is not valid, and goes on', async () => {
    const consumer = start('odd');
    const known = renamed(77, 'after the odd ones');
    const key = known.key;
    await producer.send({
      topic: 'portal.file',
      messages: [
        { key, value: 'no JSON' },
        { key, value: JSON.stringify({ ...known.envelope, id: randomUUID(), data: { fileId: 'seven' } }) },
        { key, value: JSON.stringify({ ...known.envelope, id: randomUUID(), type: 'file.folded' }) },
        { key, value: JSON.stringify({ ...known.envelope, extra: true }) },
      ],
    });
    await consumer.until((lines) => lines.some((line) => tellsOf(line, known.envelope)));
    await consumer.stop();
    const lines = consumer.lines.join('\n');
    expect(lines).toContain('(not valid: passed over) it is not an event');
    expect(lines).toContain('(not valid: passed over) file.updated: data');
    expect(lines).toContain('file.folded (not known: passed over)');
    expect((await journal('odd')).filter(({ subject }) => subject === key)).toHaveLength(1);
  });

  test('enters a Kafka that wants TLS and a password', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-consumer-secured-'));
    const secured = await startSecuredKafka({ dataDir });
    try {
      const { brokers, ca, password, username } = secured;
      const sasl = { mechanism: 'scram-sha-512' as const, username, password };
      const client = new Kafka({ brokers: [...brokers], ssl: { ca }, sasl, logLevel: logLevel.ERROR });
      const admin = client.admin();
      await admin.connect();
      await admin.createTopics({ waitForLeaders: true, topics: topics.map((topic) => ({ topic })) });
      await admin.disconnect();
      const consumer = start('secured', brokers, {
        KAFKA_SSL: '1',
        KAFKA_TLS_CA: ca,
        KAFKA_SASL_MECHANISM: sasl.mechanism,
        KAFKA_SASL_USERNAME: username,
        KAFKA_SASL_PASSWORD: password,
      });
      const sender = client.producer();
      await sender.connect();
      const { envelope, key, topic } = renamed(5, 'behind a door');
      await sender.send({ topic, messages: [{ key, value: JSON.stringify(envelope) }] });
      await sender.disconnect();
      await consumer.until((lines) => lines.some((line) => tellsOf(line, envelope)));
      await consumer.stop();
    } finally {
      await secured.remove();
    }
  });
});

function tellsOf(line: string, { subject, type, data }: OutgoingEvent['envelope']): boolean {
  return line.endsWith(`${type} ${subject} ${JSON.stringify(data)}`);
}

async function journal(group: string) {
  const text = await readFile(join(directory, `${group}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; type: string; subject: string; data: unknown });
}

/** Runs the program itself. */
function start(
  group: string,
  brokers: readonly string[] = engine.brokers,
  env: Readonly<Record<string, string>> = {},
) {
  const process_: ChildProcess = spawn(
    projectNode,
    [
      join(root, 'examples', 'consumer', 'main.ts'),
      ...['--contract', join(root, 'docs', 'asyncapi.json')],
      '--from-beginning',
      ...['--brokers', brokers.join(','), '--topics', topics.join(',')],
      ...['--group', group, '--journal', join(directory, `${group}.jsonl`)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  let output = '';
  process_.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = once(process_, 'exit');
  const events = () => output.split('\n').filter((line) => line !== '' && !line.startsWith('Following'));
  return {
    get lines() {
      return events();
    },
    until: (isSo: (lines: string[]) => boolean) =>
      vi.waitFor(
        () => {
          if (process_.exitCode !== null) throw new Error(`It ended by itself: ${output}`);
          if (!isSo(events())) throw new Error(`Not yet: ${output}`);
        },
        { timeout: withinMs, interval: 5 },
      ),
    async kill() {
      process_.kill('SIGKILL');
      await exited;
    },
    async stop() {
      process_.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    },
  };
}
