import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import type { Contract } from './contract.ts';
import type { Journal } from './journal.ts';

export interface Following {
  /** Resolves when it was stopped; rejects when it cannot go on. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Consumes topics of the portal as a member of a consumer group. Every event has its effect once: the offset is committed after
 * the effect, so after a crash in between the event arrives again, and events whose id is in the journal are skipped.
 */
export async function follow(options: {
  brokers: string[];
  /** How Kafka is entered, where it is closed: `ssl` and `sasl` as of kafkajs. */
  security: Pick<KafkaConfig, 'ssl' | 'sasl'>;
  /** Instances of one program share the events of their group. */
  group: string;
  topics: string[];
  /** Where a group begins that is new: with all that the topics still hold, or with what comes from now on. */
  fromBeginning: boolean;
  contract: Contract;
  journal: Journal;
  tell: (line: string) => void;
}): Promise<Following> {
  const { brokers, contract, fromBeginning, group, journal, security, tell, topics } = options;
  const kafka = new Kafka({ clientId: group, brokers, ...security, logLevel: logLevel.WARN });
  const consumer = kafka.consumer({ groupId: group, sessionTimeout: 10_000, allowAutoTopicCreation: false });
  const ended = Promise.withResolvers<void>();
  // The client retries most errors by itself; it only crashes when a retry makes no sense.
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) ended.reject(payload.error);
  });

  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning });
  await consumer.run({
    autoCommit: false,
    async eachMessage({ topic, partition, message }) {
      const reading = contract.read(message.value);
      if (reading.kind === 'event') {
        const { data, id, subject, time, type } = reading.event;
        const isRepeat = journal.has(id);
        if (!isRepeat) await journal.write(reading.event);
        tell(
          `${time} ${topic} ${type} ${subject} ${isRepeat ? '(again: passed over)' : JSON.stringify(data)}`,
        );
      } else if (reading.kind === 'unknown') {
        tell(`${topic} ${reading.type} (not known: passed over)`);
      } else {
        // A retry would fail too. A real consumer stores the message where somebody looks.
        tell(`${topic} ${partition}/${message.offset} (not valid: passed over) ${reading.reason}`);
      }
      const offset = String(BigInt(message.offset) + 1n);
      await consumer.commitOffsets([{ topic, partition, offset }]);
    },
  });

  return {
    ended: ended.promise,
    async stop() {
      // The current message is finished first.
      await consumer.disconnect();
      ended.resolve();
    },
  };
}
