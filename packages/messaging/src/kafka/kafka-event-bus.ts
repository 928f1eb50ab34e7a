import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';
import { type EachBatchPayload, Kafka, type KafkaMessage, logLevel, type SASLOptions } from 'kafkajs';
import { type Backoff, backoffDelay } from '../backoff.ts';
import type { EventEnvelope } from '../event.ts';
import type { BusSubscription, EventBus, GroupSubscription } from '../event-bus.ts';
import { createBroadcasts } from './broadcasts.ts';
import { heartbeatMs, keepConsuming } from './consuming.ts';
import { kafkaLog } from './kafka-log.ts';
import { createPublisher } from './publisher.ts';
import { createTopics, type TopicSettings } from './topics.ts';
import { parseEnvelope, toKafkaMessage } from './wire-format.ts';

/** How Kafka is reached. */
export interface KafkaConnection {
  /** As in `127.0.0.1:9092`. */
  readonly brokers: readonly string[];
  /** By TLS; `ca` are the certificates to trust in place of the known ones, in PEM. */
  readonly tls?: { readonly ca?: string };
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

export interface KafkaEventBusOptions extends KafkaConnection {
  /** Names the process to Kafka. */
  readonly service: string;
  readonly logger: Logger;
  readonly topics?: TopicSettings;
  /** Between the tries of a group that fails, and while Kafka is away at the start; 100 ms to 5 s by default. */
  readonly retry?: Backoff;
}

export interface KafkaEventBus extends EventBus {
  /** Makes the topics that are missing, once Kafka is there; waits for it however long it takes. */
  ensureTopics(topics: readonly string[]): Promise<void>;
  /**
   * How many messages of each topic a group has not taken yet.
   * @throws Error while Kafka is away, or does not know a topic
   */
  lag(group: string, topics: readonly string[]): Promise<Readonly<Record<string, number>>>;
}

/** How long Kafka does not know yet what a group has taken: as much is read again after a crash. */
const commitMs = 500;

/**
 * The bus of services that are processes of their own. Nothing is connected before it is needed. Topics that are missing
 * are made when they are first used; subscribing waits for Kafka, publishing rejects while it is away.
 */
export function createKafkaEventBus(options: KafkaEventBusOptions): KafkaEventBus {
  const { brokers, logger, retry = { firstMs: 100, longestMs: 5_000 }, sasl, service, tls } = options;
  const kafka = new Kafka({
    brokers: [...brokers],
    ...(tls && { ssl: tls.ca === undefined ? true : { ca: tls.ca } }),
    ...(sasl && { sasl: saslOf(sasl) }),
    clientId: service,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 },
    logCreator: kafkaLog(logger),
    logLevel: logLevel.INFO,
  });
  const topics = createTopics(kafka, options.topics ?? {}, logger);
  const publisher = createPublisher(kafka, (topic) => topics.ensure([topic]), logger);
  const subscriptions = new Set<BusSubscription>();
  const closed = new AbortController();

  function assertOpen() {
    if (closed.signal.aborted) throw new Error('The event bus is closed');
  }

  async function untilReached<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; ) {
      assertOpen();
      try {
        return await work();
      } catch (error) {
        failures += 1;
        logger.warn({ err: error }, `Waiting for Kafka at ${brokers.join(', ')}`);
      }
      const ms = backoffDelay(retry, failures);
      await sleep(ms, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  }

  /** Closed with the bus, unless it was before. */
  function owned(subscription: BusSubscription): BusSubscription {
    subscriptions.add(subscription);
    return {
      async close() {
        await subscription.close();
        subscriptions.delete(subscription);
      },
    };
  }

  /** Undefined, and logged without its content, if the message is not one of our events; a retry would not help. */
  function envelopeOf(message: KafkaMessage, topic: string, partition: number): EventEnvelope | undefined {
    try {
      return parseEnvelope(message.value);
    } catch (error) {
      logger.error({ err: error, topic, partition, offset: message.offset }, 'Message skipped');
      return undefined;
    }
  }

  function handToGroup({ group, onBatch }: GroupSubscription) {
    const failures = new Map<string, number>();
    let commit: (() => Promise<void>) | undefined;
    let committing: NodeJS.Timeout | undefined;

    /** Tells Kafka what the group has taken. Where that fails it is read again, and the group knows it. */
    async function commitTaken(): Promise<void> {
      clearTimeout(committing);
      committing = undefined;
      await commit?.().catch((error: unknown) => logger.debug({ err: error, group }, 'Not committed'));
    }

    async function eachBatch(payload: EachBatchPayload): Promise<void> {
      const { batch, heartbeat, isRunning, pause, resolveOffset, uncommittedOffsets } = payload;
      if (!isRunning()) return;
      const { messages, partition, topic } = batch;
      const lane = `${topic}/${partition}`;
      const envelopes = messages.flatMap((message) => envelopeOf(message, topic, partition) ?? []);
      // What a heartbeat learns of a rebalance is dealt with once the batch is settled.
      let handsOver = false;
      const beating = setInterval(() => {
        heartbeat().catch(() => {
          handsOver = true;
        });
      }, heartbeatMs / 2);
      try {
        if (envelopes.length > 0) await onBatch(envelopes);
        resolveOffset(batch.lastOffset());
        failures.delete(lane);
        commit = async () => payload.commitOffsetsIfNecessary(uncommittedOffsets());
        if (handsOver) await commitTaken();
        else committing ??= setTimeout(() => void commitTaken(), commitMs).unref();
      } catch (error) {
        const failed = (failures.get(lane) ?? 0) + 1;
        failures.set(lane, failed);
        logger.warn({ err: error, group, topic, partition, failures: failed }, 'Group did not take events');
        // Not resolved, it is read again from here; the other partitions go on meanwhile.
        setTimeout(pause(), backoffDelay(retry, failed)).unref();
      } finally {
        clearInterval(beating);
      }
    }

    return { eachBatch, onHandover: commitTaken };
  }

  const broadcasts = createBroadcasts({
    kafka,
    logger,
    service,
    endsOf: (topic) => untilReached(() => topics.ends(topic)),
    envelopeOf,
  });

  return {
    async publish(topic, messages) {
      assertOpen();
      if (messages.length === 0) return;
      await publisher.send(topic, messages.map(toKafkaMessage));
    },

    async subscribe(subscription) {
      await untilReached(() => topics.ensure(subscription.topics));
      assertOpen();
      // A group begins at what is kept of a topic, so nothing published from now on passes it by.
      return owned(
        keepConsuming({
          kafka,
          logger,
          topics: subscription.topics,
          groupId: () => subscription.group,
          ...handToGroup(subscription),
        }),
      );
    },

    async broadcast(subscription) {
      await untilReached(() => topics.ensure(subscription.topics));
      const listening = owned(await broadcasts.listen(subscription));
      if (closed.signal.aborted) await listening.close();
      assertOpen();
      return listening;
    },

    ensureTopics: (names) => untilReached(() => topics.ensure(names)),
    lag: (group, names) => topics.lag(group, names),

    async close() {
      closed.abort();
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      await publisher.close();
    },
  };
}

/** kafkajs names each mechanism in a type of its own. */
function saslOf({ mechanism, ...account }: NonNullable<KafkaConnection['sasl']>): SASLOptions {
  switch (mechanism) {
    case 'plain':
      return { mechanism, ...account };
    case 'scram-sha-256':
      return { mechanism, ...account };
    case 'scram-sha-512':
      return { mechanism, ...account };
  }
}
