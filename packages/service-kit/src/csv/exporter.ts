import { batchEvents } from '@portal/contracts';
import type { Clock, Logger } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { ObjectStorage } from '@portal/storage';
import type { Job } from '../jobs.ts';
import { everything, type Store } from '../store.ts';
import { type EventHandler, on } from '../subscriptions.ts';
import type { CsvExport } from './csv-export.ts';
import { type CsvTask, dropTask, keepTask, postponeTask, takeTask } from './task-repository.ts';
import { type CsvProgress, writeCsv } from './write-csv.ts';

const second = 1_000;
/** A worker that says nothing for so long is dead, and another begins anew. */
const leaseMs = 30 * second;
const tellEveryMs = 2 * second;
/** For what a dead worker has left, and for what is to be tried again. */
const lookEveryMs = 5 * second;
const jobName = 'write-exports';
const atOnce = 2;
const maxAttempts = 5;

/** What the events of exports do in a service that owns rows of `kinds`: the work itself is none of the inbox's. */
export function keepExportTasks<Db extends SqlExecutor>(
  kinds: readonly batchEvents.CsvKind[],
): EventHandler<Db>[] {
  return [
    on(
      batchEvents.csvRequested,
      'keep-exports',
      async ({ db }, { data, partnerid, time }) => {
        if (kinds.includes(data.kind)) await keepTask(db, { ...data, partnerId: partnerid }, new Date(time));
      },
      { wakes: jobName },
    ),
    on(batchEvents.csvFailed, 'keep-exports', async ({ db }, { data }) => {
      await dropTask(db, data.batchId);
    }),
  ];
}

export interface Exporter {
  /** Begins what is due; the work goes on when the run is over. */
  readonly job: Job;
  /** Gives what is in hand back, for whoever comes next. */
  close(): Promise<void>;
}

/** Writes the exports that `keepExportTasks` has kept, a few at a time, and tells how it goes. */
export function createExporter<Db extends SqlExecutor>(
  deps: {
    readonly clock: Clock;
    readonly databaseUrl: string;
    readonly logger: Logger;
    readonly storage: ObjectStorage;
    readonly store: Store<Db>;
  },
  exports: readonly CsvExport[],
): Exporter {
  const { clock, databaseUrl, logger, storage, store } = deps;
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();
  const later = (ms: number) => new Date(clock.now().getTime() + ms);

  async function run({ attempts, request }: CsvTask): Promise<void> {
    const { batchId, kind, partnerId } = request;
    const progress: CsvProgress = { rowCount: 0, totalRows: 0, stage: 'processing' };
    const unwanted = new AbortController();
    let telling: Promise<void> | undefined;
    const tell = () => {
      telling ??= tellProgress(request, progress)
        .then((isWanted) => {
          if (!isWanted) unwanted.abort();
        })
        .catch((error: unknown) => logger.warn({ err: error, batchId }, 'Progress could not be told'))
        .finally(() => {
          telling = undefined;
        });
    };
    const timer = setInterval(tell, tellEveryMs);
    try {
      tell();
      const csv = exports.find((known) => known.kind === kind);
      if (!csv) throw new Error(`No export of ${kind}`);
      const signal = AbortSignal.any([closing.signal, unwanted.signal]);
      await writeCsv({ databaseUrl, storage, progress, signal }, csv, request);
      clearInterval(timer);
      await telling;
      await store.write(everything, async ({ db, outbox }) => {
        if (!(await dropTask(db, batchId))) return;
        const { rowCount } = progress;
        const data = { batchId, rowCount, objectKey: request.objectKey };
        outbox.append(batchEvents.csvCompleted, { subject: batchId, partnerId, data });
      });
    } catch (error) {
      clearInterval(timer);
      await telling;
      if (unwanted.signal.aborted) return;
      await settleFailure({ attempts, request }, error);
    }
  }

  /** Keeps the task for this worker. @returns whether it is still wanted */
  async function tellProgress({ batchId, partnerId }: CsvTask['request'], progress: CsvProgress) {
    return store.write(everything, async ({ db, outbox }) => {
      const isWanted = await postponeTask(db, batchId, later(leaseMs));
      if (isWanted)
        outbox.append(batchEvents.csvProgressed, {
          subject: batchId,
          partnerId,
          data: { batchId, ...progress },
        });
      return isWanted;
    });
  }

  async function settleFailure({ attempts, request }: CsvTask, error: unknown): Promise<void> {
    const { batchId, kind, partnerId } = request;
    const about = { err: error, batchId, kind, attempts };
    await store.write(everything, async ({ db, outbox }) => {
      if (closing.signal.aborted) {
        await postponeTask(db, batchId, clock.now());
      } else if (attempts < maxAttempts) {
        logger.warn(about, 'Export failed and is tried again');
        await postponeTask(db, batchId, later(attempts * second));
      } else if (await dropTask(db, batchId)) {
        logger.error(about, 'Export failed');
        const data = { batchId, reason: 'error' as const };
        outbox.append(batchEvents.csvFailed, { subject: batchId, partnerId, data });
      }
    });
  }

  return {
    job: {
      name: jobName,
      everyMs: lookEveryMs,
      async run() {
        while (inHand.size < atOnce && !closing.signal.aborted) {
          const now = clock.now();
          const task = await store.write(everything, ({ db }) =>
            takeTask(db, { now, until: later(leaseMs) }),
          );
          if (!task) return;
          const work: Promise<void> = run(task)
            .catch((error: unknown) =>
              logger.error({ err: error, batchId: task.request.batchId }, 'Export could not be settled'),
            )
            .finally(() => inHand.delete(work));
          inHand.add(work);
        }
      },
    },

    async close() {
      closing.abort();
      await Promise.all(inHand);
    },
  };
}
