import type { Logger } from '@portal/kernel';
import { type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import { slicesOf } from '../slices.ts';

export interface Publisher {
  /** Sends in order, those of one topic one call after the other. @throws Error when Kafka does not confirm in time */
  send(topic: string, messages: readonly SizedMessage[]): Promise<void>;
  close(): Promise<void>;
}

type SizedMessage = Message & { readonly value: string };

interface Connection {
  readonly producer: Producer;
  readonly connected: Promise<void>;
  /** Sends that have not settled; the one who failed may still be at it when nobody waits for it any more. */
  inHand: number;
}

const confirmsWithinMs = 10_000;
/** All messages of one request to a partition make one batch, which the topic's limit of 1 MiB holds for. */
const maxRequestBytes = 1_000_000;
/** Key, headers and frame. */
const overheadBytes = 300;
const requestSize = {
  most: maxRequestBytes,
  sizeOf: ({ value }: SizedMessage) => Buffer.byteLength(value) + overheadBytes,
};

/** @param ensureTopic runs before each send to the topic, in turn with it */
export function createPublisher(
  kafka: Kafka,
  ensureTopic: (topic: string) => Promise<void>,
  logger: Logger,
): Publisher {
  const tails = new Map<string, Promise<unknown>>();
  let current: Connection | undefined;

  function connect(): Connection {
    const producer = kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    });
    return { producer, connected: producer.connect(), inHand: 0 };
  }

  /**
   * A producer that failed never sends again: it would number other messages as those that may have arrived, and the
   * broker would take them for repeats and drop them. The same holds for one that was fenced.
   */
  async function discard(connection: Connection): Promise<void> {
    if (current === connection) current = undefined;
    if (connection.inHand > 0) return;
    await connection.producer
      .disconnect()
      .catch((error: unknown) => logger.debug({ err: error }, 'Producer did not disconnect'));
  }

  async function attempt(topic: string, messages: readonly SizedMessage[]): Promise<void> {
    current ??= connect();
    const connection = current;
    connection.inHand += 1;
    const sent = connection.connected
      .then(() => connection.producer.send({ topic, messages: [...messages], acks: -1 }))
      .finally(() => {
        connection.inHand -= 1;
        if (current !== connection) return discard(connection);
      });
    try {
      await within(confirmsWithinMs, sent);
    } catch (error) {
      await discard(connection);
      throw error;
    }
  }

  async function sendRequest(topic: string, messages: readonly SizedMessage[]): Promise<void> {
    try {
      await attempt(topic, messages);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (messages.length === 1) {
        // Never dropped: it stays in its outbox until the topic takes it.
        const bytes = messages[0]?.value.length;
        throw new Error(
          `The topic ${topic} refuses an event of ${bytes} characters: raise its max.message.bytes`,
          {
            cause: error,
          },
        );
      }
      const half = Math.ceil(messages.length / 2);
      await sendRequest(topic, messages.slice(0, half));
      await sendRequest(topic, messages.slice(half));
    }
  }

  return {
    send(topic, messages) {
      const sending = (tails.get(topic) ?? Promise.resolve()).then(async () => {
        await ensureTopic(topic);
        for (const request of slicesOf(messages, requestSize)) await sendRequest(topic, request);
      });
      tails.set(
        topic,
        sending.catch(() => undefined),
      );
      return sending;
    },

    async close() {
      await Promise.all(tails.values());
      if (current) await discard(current);
    },
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'MESSAGE_TOO_LARGE';
}

/** @throws Error when `work` has not settled after `ms`; it goes on unheard */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Kafka has not confirmed within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
