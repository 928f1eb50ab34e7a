import { randomUUID } from 'node:crypto';
import type { Logger } from '@portal/kernel';
import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { EventEnvelope } from '../event.ts';
import type { BroadcastSubscription, BusSubscription } from '../event-bus.ts';
import { keepConsuming } from './consuming.ts';

/** A consumer that takes the place of another joins anew, so one that is new waits for who else begins to listen. */
const joinAfterMs = 200;

const laneOf = (topic: string, partition: number) => `${topic}/${partition}`;

/**
 * The listeners of a process share one consumer: each more would wake the process and Kafka every few seconds. It reads the topics of
 * all, each from where its first listener began.
 * Where to read is held here and not by Kafka, so nothing is missed while a consumer joins, or takes the place of another. A group
 * that never commits is forgotten by Kafka when its only member is gone.
 */
export function createBroadcasts(options: {
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly service: string;
  /** The offset of the next message of each partition of a topic. */
  readonly endsOf: (topic: string) => Promise<ReadonlyMap<number, bigint>>;
  readonly envelopeOf: (message: KafkaMessage, topic: string, partition: number) => EventEnvelope | undefined;
}): { listen(subscription: BroadcastSubscription): Promise<BusSubscription> } {
  const { endsOf, envelopeOf, kafka, logger, service } = options;
  const listeners = new Set<BroadcastSubscription>();
  /** By topic and partition, the offset that is read next. */
  const positions = new Map<string, bigint>();
  const telling = new Set<Promise<void>>();
  let consumer: (BusSubscription & { readonly topics: ReadonlySet<string> }) | undefined;
  let joining: NodeJS.Timeout | undefined;
  let replaced = Promise.resolve();

  /** Reads what is listened to now, or nothing. */
  function replace(): Promise<void> {
    clearTimeout(joining);
    joining = undefined;
    replaced = replaced.then(async () => {
      await consumer?.close();
      const topics = new Set([...listeners].flatMap((listener) => listener.topics));
      for (const lane of positions.keys())
        if (!topics.has(lane.slice(0, lane.lastIndexOf('/')))) positions.delete(lane);
      consumer = topics.size > 0 ? consume(topics) : undefined;
    });
    return replaced;
  }

  function consume(topics: ReadonlySet<string>) {
    const consuming = keepConsuming({
      kafka,
      logger,
      topics: [...topics],
      groupId: () => `${service}.broadcast.${randomUUID()}`,
      async eachBatch(payload) {
        const told = tell(payload);
        telling.add(told);
        await told.finally(() => telling.delete(told));
      },
      onAssigned(joined, partitions) {
        for (const [topic, partition] of partitions) {
          const position = positions.get(laneOf(topic, partition));
          if (position !== undefined) joined.seek({ topic, partition, offset: position.toString() });
        }
      },
    });
    return { topics, close: () => consuming.close() };
  }

  async function tell({ batch, resolveOffset }: EachBatchPayload): Promise<void> {
    const { partition, topic } = batch;
    for (const message of batch.messages) {
      const envelope = envelopeOf(message, topic, partition);
      const told = [...listeners].filter(({ topics }) => topics.includes(topic));
      if (envelope) await Promise.all(told.map((listener) => tellOne(listener, envelope)));
      positions.set(laneOf(topic, partition), BigInt(message.offset) + 1n);
    }
    resolveOffset(batch.lastOffset());
  }

  async function tellOne({ onEvent }: BroadcastSubscription, envelope: EventEnvelope): Promise<void> {
    try {
      await onEvent(envelope);
    } catch (error) {
      const { id: eventId, type } = envelope;
      logger.error({ err: error, eventId, type }, 'Broadcast listener failed');
    }
  }

  return {
    async listen(subscription) {
      const begins = new Map<string, bigint>();
      for (const topic of subscription.topics) {
        for (const [partition, end] of await endsOf(topic)) begins.set(laneOf(topic, partition), end);
      }
      // Where another listens already, nothing that is published from now on has been read.
      for (const [lane, end] of begins) if (!positions.has(lane)) positions.set(lane, end);
      const listener = { ...subscription };
      listeners.add(listener);
      if (subscription.topics.some((topic) => !consumer?.topics.has(topic))) {
        clearTimeout(joining);
        joining = setTimeout(() => void replace(), joinAfterMs);
      }
      return {
        async close() {
          listeners.delete(listener);
          if (listeners.size === 0) await replace();
          await Promise.all(telling);
        },
      };
    },
  };
}
