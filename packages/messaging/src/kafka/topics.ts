import type { Logger } from '@portal/kernel';
import type { Admin, Kafka } from 'kafkajs';

/** How topics are made that are not there yet. Those that are stay as they are: they are the operator's. */
export interface TopicSettings {
  /** 6 by default. What has one key goes to one partition, so more of them later break the order once. */
  readonly partitions?: number;
  /** 1 by default. */
  readonly replicationFactor?: number;
  /** 7 days by default, which is how long inboxes know what they had. */
  readonly retentionMs?: number;
  /** Copies that a message must have reached before it counts as published; the broker's own default otherwise. */
  readonly minInsyncReplicas?: number;
}

export interface Topics {
  /** Makes those that are missing. @throws Error when Kafka is away or refuses */
  ensure(topics: readonly string[]): Promise<void>;
  /** The offset that each partition's next message will have. */
  ends(topic: string): Promise<ReadonlyMap<number, bigint>>;
  /** How many messages of each topic a group has not acknowledged. */
  lag(group: string, topics: readonly string[]): Promise<Readonly<Record<string, number>>>;
}

const retentionMs = 7 * 24 * 60 * 60 * 1_000;
/** Above what an outbox takes, with room for key, headers and frame. */
const maxMessageBytes = 1_048_588;

export function createTopics(kafka: Kafka, settings: TopicSettings, logger: Logger): Topics {
  const known = new Set<string>();

  async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  return {
    async ensure(topics) {
      if (topics.every((topic) => known.has(topic))) return;
      await withAdmin(async (admin) => {
        const existing = new Set(await admin.listTopics());
        const missing = [...new Set(topics)].filter((topic) => !existing.has(topic));
        if (missing.length > 0) {
          await admin.createTopics({
            waitForLeaders: true,
            topics: missing.map((topic) => ({
              topic,
              numPartitions: settings.partitions ?? 6,
              replicationFactor: settings.replicationFactor ?? 1,
              configEntries: [
                { name: 'retention.ms', value: String(settings.retentionMs ?? retentionMs) },
                { name: 'max.message.bytes', value: String(maxMessageBytes) },
                ...(settings.minInsyncReplicas === undefined
                  ? []
                  : [{ name: 'min.insync.replicas', value: String(settings.minInsyncReplicas) }]),
              ],
            })),
          });
          logger.info({ topics: missing }, 'Made topics');
        }
      });
      for (const topic of topics) known.add(topic);
    },

    ends: (topic) =>
      withAdmin(async (admin) => {
        const partitions = await admin.fetchTopicOffsets(topic);
        return new Map(partitions.map(({ partition, high }) => [partition, BigInt(high)]));
      }),

    lag: (group, topics) =>
      withAdmin(async (admin) => {
        const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] });
        const lags = await Promise.all(
          committed.map(async ({ topic, partitions }) => {
            const acknowledged = new Map(
              partitions.map(({ partition, offset }) => [partition, BigInt(offset)]),
            );
            const bounds = await admin.fetchTopicOffsets(topic);
            const behind = bounds.map(({ partition, low, high }) => {
              // A partition without an acknowledgement, or one that is past the retention, begins at what is left.
              const from = [acknowledged.get(partition) ?? -1n, BigInt(low)].reduce((a, b) =>
                a > b ? a : b,
              );
              return Number(BigInt(high) - from);
            });
            return [topic, behind.reduce((sum, messages) => sum + messages, 0)] as const;
          }),
        );
        return Object.fromEntries(lags);
      }),
  };
}
