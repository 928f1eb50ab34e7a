import type { Scope } from '@portal/database';
import type { Clock, Logger } from '@portal/kernel';
import { type Backoff, backoffDelay, type SqlExecutor } from '@portal/messaging';
import type { Job } from '../jobs.ts';
import { ofPartner, systemScope } from '../scopes.ts';
import type { Store, Transaction } from '../store.ts';
import type { LeaseQueue } from './lease-queue.ts';
import {
  type ClaimedTask,
  claimOfOthers,
  claimTask,
  claimTasks,
  finishTask,
  holdTask,
  nextDue,
  releaseTask,
  renewLease,
  type SqlWriter,
} from './tasks.ts';

/** Another worker has claimed the task, or it was removed: the worker stops without recording an outcome. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost';
}

/** A task that this worker has claimed. */
export interface HeldTask<Payload> extends Omit<ClaimedTask<Payload>, 'lease'> {
  /** The rows of the task's tenant. */
  readonly scope: Scope;
  /** Aborted when the service stops, and when another worker has the task. */
  readonly signal: AbortSignal;
  /** Renews the lease and locks the task until the end of the transaction. Throws `TaskLost`. */
  hold(db: SqlWriter): Promise<void>;
  /**
   * Removes the task from the queue in the transaction that records its outcome. Of several workers that believe they have
   * the task, one succeeds; the others get `TaskLost`.
   */
  finish(db: SqlWriter): Promise<void>;
}

export interface Worker {
  readonly job: Job;
  /**
   * Claims one task immediately if no other worker has it, even if `atOnce` are running. Resolves when this instance does not
   * work on it any more; false if it did not work on it at all.
   */
  runNow(id: string | number): Promise<boolean>;
}

interface Work<Db, Payload> {
  /** How many tasks this instance works on at a time. */
  readonly atOnce: number;
  /**
   * How many more at most, one of each tenant of which it works on nothing: so that a tenant whose work takes long, waiting for somebody
   * else perhaps, does not hold up others.
   */
  readonly spare?: number;
  /** How long the task of a worker that died stays claimed; a live worker renews its lease. */
  readonly leaseMs?: number;
  /** Claims tasks at the time at which they are due, instead of within seconds. For queues of few tasks. */
  readonly isPunctual?: boolean;
  /** The wait after a failure, and when to give up: after `tries` in a row, or `forMs` after the task was added. */
  readonly retry: Backoff & { readonly tries?: number; readonly forMs?: number };
  /**
   * Does the work. If it throws, the task is retried. If it returns without `finish`, the task goes behind all others and
   * continues at its next turn, which is not before `notBefore` if the work answers one. Two instances may run it at the same
   * time if one could not renew its lease.
   */
  work(task: HeldTask<Payload>): Promise<void | { readonly notBefore: Date }>;
  /** Records the final failure, in the transaction that removes the task from the queue. */
  giveUp?(tx: Transaction<Db>, task: ClaimedTask<Payload>, error: unknown): Promise<void>;
  /** What to log of an error, if the error itself may contain personal data. */
  describe?(error: unknown): object;
}

const lookEveryMs = 3_000;
/** While nothing is written; of what is due before, the last look tells. */
const quietMs = 30_000;
const defaultLeaseMs = 30_000;

/** Works on the tasks of a queue, several at a time. Each instance of a service has such a worker. */
export function createWorker<Db extends SqlExecutor, Payload>(
  deps: { readonly clock: Clock; readonly logger: Logger; readonly store: Store<Db> },
  queue: LeaseQueue<Payload>,
  { atOnce, isPunctual = false, leaseMs = defaultLeaseMs, retry, spare = 0, ...what }: Work<Db, Payload>,
): Worker {
  const { clock, store } = deps;
  const logger = deps.logger.child({ queue: queue.name });
  const allTenants = systemScope(`the worker of ${queue.name} serves all tenants`);
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const tenantOf = new Map<string, number | null>();
  let claiming = Promise.resolve();
  let isFillRequested = false;
  let alarm: NodeJS.Timeout | undefined;
  /** When the next task is due, as far as the last look knows. */
  let nextAt: Date | undefined;
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Claims one after the other: after its own claim, a caller knows what this instance works on. */
  function startClaimed(claim: () => Promise<ClaimedTask<Payload>[]>): Promise<void> {
    const started = claiming.then(async () => {
      if (stopping.signal.aborted) return;
      for (const task of await claim()) {
        // If this instance still works on it, it could not renew the lease in time.
        const work: Promise<void> = Promise.all([run(task), running.get(task.id)])
          .then(() => undefined)
          .finally(() => {
            if (running.get(task.id) === work) {
              running.delete(task.id);
              tenantOf.delete(task.id);
            }
            refill();
          });
        running.set(task.id, work);
        tenantOf.set(task.id, task.partnerId);
      }
    });
    claiming = started.catch(() => undefined);
    return started;
  }

  async function fill(): Promise<void> {
    return startClaimed(async () => {
      isFillRequested = false;
      nextAt = undefined;
      const most = atOnce - running.size;
      if (most + spare <= 0) return [];
      const now = clock.now();
      return store.write(allTenants, async ({ db }) => {
        const claimed = most > 0 ? await claimTasks(db, queue, { most, now, until: after(leaseMs) }) : [];
        if (claimed.length >= most) {
          const without = new Set([...tenantOf.values(), ...claimed.map(({ partnerId }) => partnerId)]);
          while (claimed.length < most + spare) {
            const [task] = await claimOfOthers(db, queue, { without, now, until: after(leaseMs) });
            if (!task) break;
            claimed.push(task);
            without.add(task.partnerId);
          }
        }
        if (claimed.length === 0 || (isPunctual && claimed.length < most + spare)) {
          nextAt = (await nextDue(db, queue, { now, until: after(quietMs) })) ?? undefined;
          if (isPunctual) setAlarm(now);
        }
        return claimed;
      });
    });
  }

  /** Looks again when the next task is due. */
  function setAlarm(now: Date): void {
    clearTimeout(alarm);
    if (nextAt) alarm = setTimeout(refill, nextAt.getTime() - now.getTime());
  }

  function refill(): void {
    if (isFillRequested) return;
    isFillRequested = true;
    fill().catch((error: unknown) => logger.warn({ err: error }, 'Tasks could not be claimed'));
  }

  async function run(task: ClaimedTask<Payload>): Promise<void> {
    const lost = new AbortController();
    let isFinished = false;
    const orLost = (isHeld: boolean) => {
      if (isHeld) return;
      lost.abort();
      throw new TaskLost();
    };
    const renewing = setInterval(() => {
      store
        .write(allTenants, ({ db }) => renewLease(db, task, after(leaseMs)))
        .then(orLost)
        .catch((error: unknown) => {
          if (!(error instanceof TaskLost)) logger.warn({ err: error, task: task.id }, 'Lease not renewed');
        });
    }, leaseMs / 3);
    const { lease, ...facts } = task;
    try {
      stopping.signal.throwIfAborted();
      if (retry.tries !== undefined && task.attempts > retry.tries) throw new Error('Its workers died');
      const answer = await what.work({
        ...facts,
        scope: scopeOf(task),
        signal: AbortSignal.any([stopping.signal, lost.signal]),
        hold: async (db) => orLost(await holdTask(db, task, after(leaseMs))),
        async finish(db) {
          orLost(await finishTask(db, task));
          isFinished = true;
        },
      });
      const now = clock.now();
      const dueAt = answer && answer.notBefore > now ? answer.notBefore : now;
      if (!isFinished) await release(task, { attempts: 0, dueAt });
    } catch (error) {
      if (lost.signal.aborted) return;
      await settleFailure(task, error).catch((failure: unknown) =>
        logger.warn({ err: failure, task: task.id }, 'Task waits until its lease expires'),
      );
    } finally {
      clearInterval(renewing);
    }
  }

  async function settleFailure(task: ClaimedTask<Payload>, error: unknown): Promise<void> {
    const { attempts, id, partnerId } = task;
    if (stopping.signal.aborted) return release(task, { attempts: attempts - 1, dueAt: clock.now() });
    const about = { task: id, partnerId, attempts, ...(what.describe?.(error) ?? { err: error }) };
    const dueAt = nextTry(task);
    if (dueAt) {
      logger.warn(about, 'Task failed and is tried again');
      return release(task, { attempts, dueAt });
    }
    logger.error(about, 'Task failed for good');
    await store.write(scopeOf(task), async (tx) => {
      if (await finishTask(tx.db, task)) await what.giveUp?.(tx, task, error);
    });
  }

  function nextTry({ addedAt, attempts }: ClaimedTask<Payload>): Date | null {
    const { forMs = Infinity, tries = Infinity } = retry;
    const next = after(backoffDelay(retry, attempts));
    return attempts < tries && next.getTime() < addedAt.getTime() + forMs ? next : null;
  }

  function scopeOf({ partnerId }: ClaimedTask<Payload>): Scope {
    return partnerId === null ? allTenants : ofPartner(partnerId);
  }

  async function release(task: ClaimedTask<Payload>, how: Parameters<typeof releaseTask>[2]): Promise<void> {
    await store.write(allTenants, ({ db }) => releaseTask(db, task, how));
  }

  return {
    job: {
      name: queue.name,
      everyMs: lookEveryMs,
      quietMs,
      async run() {
        await fill();
        return nextAt;
      },
      async stop() {
        stopping.abort();
        clearTimeout(alarm);
        await claiming;
        await Promise.all(running.values());
      },
    },

    async runNow(id) {
      const itsId = String(id);
      if (!running.has(itsId)) {
        const now = clock.now();
        await startClaimed(() =>
          store.write(allTenants, ({ db }) =>
            claimTask(db, queue, { id: itsId, now, until: after(leaseMs) }),
          ),
        );
      }
      const work = running.get(itsId);
      await work;
      return work !== undefined;
    },
  };
}
