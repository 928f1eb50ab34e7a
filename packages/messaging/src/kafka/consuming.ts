import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';
import type { Consumer, EachBatchHandler, Kafka } from 'kafkajs';
import { type Backoff, backoffDelay } from '../backoff.ts';
import type { BusSubscription } from '../event-bus.ts';

export interface Consuming {
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly topics: readonly string[];
  /** The group of a consumer; asked again for each that takes the place of one that broke. */
  readonly groupId: () => string;
  readonly eachBatch: EachBatchHandler;
  /** Called when partitions may go to another member. */
  readonly onHandover?: () => Promise<void>;
  /** Called when the group has given this member its partitions, before it reads any. */
  readonly onAssigned?: (consumer: Consumer, partitions: readonly (readonly [string, number])[]) => void;
}

export const heartbeatMs = 2_000;
/** A member that crashed keeps its partitions for so long. */
const sessionMs = 10_000;
/** A member that processes a batch may delay a rebalance for so long. */
const rebalanceMs = 60_000;
/** How long a read waits for something to come. A member lives for as long as it reads, so it is well below `sessionMs`. */
const waitMs = 4_000;
const partitionsAtOnce = 4;
const retry: Backoff = { firstMs: 200, longestMs: 5_000 };

/** Consumes until closed. A consumer that breaks, whatever the reason, is replaced by a new one. */
export function keepConsuming(options: Consuming): BusSubscription {
  const { logger, topics } = options;
  const closing = new AbortController();

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      const joined = () => {
        failures = 0;
      };
      await consumeOnce(options, closing.signal, joined).catch(async (error: unknown) => {
        failures += 1;
        logger.warn({ err: error, topics, failures }, 'Consumer broke and is replaced');
        const ms = backoffDelay(retry, failures);
        await sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined);
      });
    }
  }

  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Runs one consumer until it is closed or fails. @throws the error of the failure */
async function consumeOnce(options: Consuming, closing: AbortSignal, onJoined: () => void): Promise<void> {
  const { eachBatch, groupId, kafka, logger, onAssigned, onHandover, topics } = options;
  const consumer = kafka.consumer({
    groupId: groupId(),
    sessionTimeout: sessionMs,
    rebalanceTimeout: rebalanceMs,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: waitMs,
    allowAutoTopicCreation: false,
    // Its own restarts leave out errors that it takes for final.
    retry: { initialRetryTime: 200, maxRetryTime: 1_000, retries: 5, restartOnFailure: async () => false },
  });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberAssignment } }) => {
    onJoined();
    const partitions = Object.entries(memberAssignment).flatMap(([topic, ofTopic]) =>
      ofTopic.map((partition) => [topic, partition] as const),
    );
    onAssigned?.(consumer, partitions);
  });
  consumer.on(consumer.events.REBALANCING, () => void onHandover?.());
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const stop = () => end();
  consumer.on(consumer.events.CRASH, ({ payload }) => fail(payload.error));
  closing.addEventListener('abort', stop, { once: true });

  const started = (async () => {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      // It would do so after each batch of a partition, and read nothing until Kafka has written it down.
      autoCommit: false,
      eachBatch,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
    });
  })();
  try {
    // Joining may take as long as another member's batch, which is no reason to close late.
    await Promise.race([started, ended]);
    await ended;
  } finally {
    closing.removeEventListener('abort', stop);
    await onHandover?.();
    const wentWrong = (error: unknown) => logger.debug({ err: error }, 'Consumer did not disconnect');
    await consumer.stop().catch(wentWrong);
    await started.catch(() => undefined);
    // Its connections end when Kafka has answered the last read, for which nobody needs to wait.
    consumer.disconnect().catch(wentWrong);
  }
}
