import type { RouteRequest } from '@portal/contracts';
import type { recordSessionUses } from '@portal/contracts/internal';
import type { Clock, Logger } from '@portal/kernel';

type Batch = RouteRequest<typeof recordSessionUses>['body'];

/** Notes when sessions are used, to the minute. */
export interface SessionUses {
  note(sessionId: string): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const minute = 60_000;
/** As many sessions as one call may carry. */
const batchSize = 1000;
const stopWithinMs = 2_000;

/**
 * Hands over which sessions were used in which minute: each once a minute, however many calls it makes. What cannot be handed
 * over is tried again, and forgotten when the process ends: the list of somebody's sessions then shows an earlier time.
 */
export function createSessionUses(options: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  send(batch: Batch): Promise<unknown>;
}): SessionUses {
  const { clock, everyMs, logger, send } = options;
  /** In the present minute, those that are handed over among them. */
  let used = new Set<string>();
  let usedIn = Number.NaN;
  let fresh: string[] = [];
  let waiting: Batch[] = [];
  let sending: Promise<void> | undefined;

  function pack(): void {
    for (let start = 0; start < fresh.length; start += batchSize) {
      const sessionIds = fresh.slice(start, start + batchSize);
      waiting.push({ at: new Date(usedIn * minute).toISOString(), sessionIds });
    }
    fresh = [];
  }

  async function handOver(): Promise<void> {
    pack();
    while (waiting[0]) {
      await send(waiting[0]);
      waiting = waiting.slice(1);
    }
  }

  async function flush(): Promise<void> {
    sending ??= handOver()
      .catch((error: unknown) => {
        // A later use says more than an earlier one.
        waiting = waiting.slice(-mostWaiting);
        logger.warn({ err: error }, 'Uses of sessions wait to be handed over');
      })
      .finally(() => {
        sending = undefined;
      });
    return sending;
  }

  const timer = setInterval(() => void flush(), everyMs);
  return {
    note(sessionId) {
      const now = Math.floor(clock.now().getTime() / minute);
      if (now !== usedIn) {
        pack();
        usedIn = now;
        used = new Set();
      }
      if (used.has(sessionId)) return;
      used.add(sessionId);
      fresh.push(sessionId);
    },
    async stop() {
      clearInterval(timer);
      await sending;
      const patience = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([flush(), patience]);
    },
  };
}

/** Batches that wait for a service that does not answer. */
const mostWaiting = 100;
