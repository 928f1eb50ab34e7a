import type { RouteRequest } from '@portal/contracts';
import { mostSent, type noteSent } from '@portal/contracts/internal';
import type { Clock, Logger } from '@portal/kernel';
import { type Transfer, tenantOf } from '@portal/storage';

type Sent = RouteRequest<typeof noteSent>['body']['sent'][number];

/** Tells the file service which devices were sent a version to its last byte. */
export interface SentNotes {
  note(transfer: Transfer): void;
  /** Tells what is left. */
  stop(): Promise<void>;
}

/** What waits for a service that does not answer. More is not noted: players tell of their downloads themselves, too. */
const mostWaiting = 100_000;
const stopWithinMs = 2_000;

/**
 * Downloads go on without waiting for it. What is noted within `everyMs` is told in one call; what cannot be told is told again, which
 * changes nothing where it had been heard.
 */
export function createSentNotes(options: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  send(sent: readonly Sent[]): Promise<unknown>;
}): SentNotes {
  const { clock, everyMs, logger, send } = options;
  let waiting: Sent[] = [];
  let telling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function tellAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, mostSent);
      await send(some);
      waiting = waiting.slice(some.length);
    }
  }

  async function flush(): Promise<void> {
    telling ??= tellAll()
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'Downloads wait to be told of');
      })
      .finally(() => {
        telling = undefined;
        if (waiting.length > 0) flushSoon();
      });
    return telling;
  }

  function flushSoon(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, everyMs);
  }

  return {
    note({ direction, key, reachedEnd, use }) {
      if (direction !== 'download' || !reachedEnd || use.purpose !== 'delivery' || !use.receiver) return;
      if (waiting.length >= mostWaiting) return;
      const partnerId = use.partnerId ?? tenantOf(key);
      if (partnerId === undefined) return;
      const { accountId, fileId, receiver } = use;
      waiting.push({ partnerId, accountId, fileId, ...receiver, at: clock.now().toISOString() });
      flushSoon();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await telling;
      const patience = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([flush(), patience]);
    },
  };
}
