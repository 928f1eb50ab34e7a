import { setTimeout as sleep } from 'node:timers/promises';

/** Why one of a batch was refused; undefined where it was not. */
export type Refusal = Error | undefined;

interface Waiting<T> {
  readonly item: T;
  readonly settle: (refusal: unknown) => void;
}

const mostAtOnce = 500;
/** So many at once are a crowd. */
const crowd = 8;
const crowdWaitsMs = 2;

/**
 * Writes what comes for a tenant while something of it is being written together with what else came: one transaction after the
 * other, each of as many as wait. The next one may begin when `write` has called `onSent`: it waits for the one before in the database
 * then. Answers a function that resolves when its item is written, and rejects with its refusal.
 */
export function createTenantBatches<T>(
  write: (partnerId: number, items: readonly T[], onSent: () => void) => Promise<readonly Refusal[]>,
): (partnerId: number, item: T) => Promise<void> {
  const queues = new Map<number, Waiting<T>[]>();
  const running = new Set<number>();

  async function writeAll(
    partnerId: number,
    batch: readonly Waiting<T>[],
    onSent: () => void,
  ): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const refusals = await write(partnerId, items, onSent);
      for (const [index, { settle }] of batch.entries()) settle(refusals[index]);
    } catch (error) {
      for (const { settle } of batch) settle(error);
    }
  }

  async function drain(partnerId: number): Promise<void> {
    let before = 0;
    for (;;) {
      // Those who were answered together tell more together: a transaction for the first of them would hold up all others.
      if (before >= crowd && (queues.get(partnerId)?.length ?? 0) < before / 2) await sleep(crowdWaitsMs);
      const batch = queues.get(partnerId)?.splice(0, mostAtOnce) ?? [];
      before = batch.length;
      if (batch.length === 0) {
        queues.delete(partnerId);
        running.delete(partnerId);
        return;
      }
      await new Promise<void>((resolve) => void writeAll(partnerId, batch, resolve).then(resolve));
    }
  }

  return async (partnerId, item) =>
    new Promise<void>((resolve, reject) => {
      const settle = (refusal: unknown) => (refusal === undefined ? resolve() : reject(refusal as Error));
      const queue = queues.get(partnerId) ?? [];
      queues.set(partnerId, queue);
      queue.push({ item, settle });
      if (running.has(partnerId)) return;
      running.add(partnerId);
      void drain(partnerId);
    });
}
