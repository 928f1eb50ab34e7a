import type { RouteRequest } from '@portal/contracts';
import type { recordUsage, UsageEntry } from '@portal/contracts/internal';
import { type Clock, type Logger, newId, slices } from '@portal/kernel';

type Batch = RouteRequest<typeof recordUsage>['body'];

/** Counts what tenants do: their calls, and the bytes of their files. */
export interface UsageMeter {
  countCall(partnerId: number): void;
  countTransfer(partnerId: number, direction: 'upload' | 'download', bytes: number): void;
  /** Sends the remaining counts. */
  stop(): Promise<void>;
}

/** As many tenants and quarters of an hour as one call may carry. */
const batchSize = 1000;
const stopWithinMs = 2_000;
const quarterMs = 15 * 60_000;
const quartersOfDay = 96;

/**
 * Counts in memory and hands over in batches, each under an id of its own: one whose arrival is uncertain is sent again
 * as it is, and adds nothing the second time. Until those that wait have arrived, everything else is counted together: however
 * long the service is away, there is one entry for each tenant and quarter of an hour. What a process has not handed over is lost when it is killed: `everyMs` at
 * the most, and what the service could not take meanwhile.
 */
export function createUsageMeter(options: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  /** False where clients exchange bytes with the store itself: their number is not known here. */
  readonly seesBytes: boolean;
  send(batch: Batch): Promise<unknown>;
}): UsageMeter {
  const { clock, everyMs, logger, seesBytes, send } = options;
  let counted = new Map<string, { -readonly [K in keyof UsageEntry]: UsageEntry[K] }>();
  let waiting: Batch[] = [];
  let current = { number: Number.NaN, day: '', quarter: 0 };
  let sending: Promise<void> | undefined;

  /** Written out once for each quarter of an hour: every call of a tenant asks. */
  function quarterOf(time: number): typeof current {
    const number = Math.floor(time / quarterMs);
    if (number !== current.number) {
      const day = new Date(time).toISOString().slice(0, 10);
      current = { number, day, quarter: number % quartersOfDay };
    }
    return current;
  }

  function entryOf(partnerId: number) {
    const { day, number, quarter } = quarterOf(clock.now().getTime());
    const key = `${partnerId} ${number}`;
    const known = counted.get(key);
    if (known) return known;
    const bytes = seesBytes ? 0 : null;
    const entry = { partnerId, day, quarter, apiCalls: 0, uploadedBytes: bytes, downloadedBytes: bytes };
    counted.set(key, entry);
    return entry;
  }

  async function handOver(): Promise<void> {
    await sendWaiting();
    waiting = [...slices([...counted.values()], batchSize)].map((usage) => ({ batchId: newId(), usage }));
    counted = new Map();
    await sendWaiting();
  }

  async function sendWaiting(): Promise<void> {
    while (waiting[0]) {
      await send(waiting[0]);
      waiting = waiting.slice(1);
    }
  }

  /** One at a time: a batch is not sent twice because the first answer is slow. */
  async function flush(): Promise<void> {
    sending ??= handOver()
      .catch((error: unknown) => logger.warn({ err: error }, 'Usage waits to be handed over'))
      .finally(() => {
        sending = undefined;
      });
    return sending;
  }

  const timer = setInterval(() => void flush(), everyMs);
  return {
    countCall(partnerId) {
      entryOf(partnerId).apiCalls += 1;
    },
    countTransfer(partnerId, direction, bytes) {
      const entry = entryOf(partnerId);
      if (direction === 'upload') entry.uploadedBytes = (entry.uploadedBytes ?? 0) + bytes;
      else entry.downloadedBytes = (entry.downloadedBytes ?? 0) + bytes;
    },
    async stop() {
      clearInterval(timer);
      await sending;
      const patience = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([flush(), patience]);
    },
  };
}
