import { batchEvents } from '@portal/contracts';
import { type Clock, type Logger, slices } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import {
  createWorker,
  type EventHandler,
  type HeldTask,
  type Job,
  leaseQueue,
  on,
  type Store,
} from '@portal/service-kit';
import type { ObjectStorage } from '@portal/storage';
import type { CsvExport } from './csv-export.ts';
import { type CsvProgress, writeCsv } from './write-csv.ts';

const second = 1_000;
const tellEveryMs = 2 * second;
/** A few times within `exportSilence`. */
const tellWaitingEveryMs = 30 * second;
/** Exports that one event tells of. */
const mostTold = 1_000;
const wantedCsvs = leaseQueue<batchEvents.CsvRequest>('write-exports', { oneOfEachTenant: true });

/** The subscriptions of a service that owns rows of `kinds`. They only store tasks; a worker does the work. */
export function keepExportTasks<Db extends SqlExecutor>(kinds: readonly string[]): EventHandler<Db>[] {
  return [
    on(
      batchEvents.csvRequested,
      'keep-exports',
      async ({ db }, { data: payload, partnerid: partnerId, time }) => {
        const { batchId: id, kind } = payload;
        if (kinds.includes(kind)) await wantedCsvs.add(db, [{ id, partnerId, payload }], new Date(time));
      },
      { wakes: wantedCsvs.name },
    ),
    on(batchEvents.csvFailed, 'keep-exports', async ({ db }, { data }) => {
      await wantedCsvs.remove(db, [data.batchId]);
    }),
  ];
}

/** Write the exports that `keepExportTasks` has kept, a few at a time, and tell how it goes: of those that wait, too. */
export function exportJobs<Db extends SqlExecutor>(
  deps: {
    readonly clock: Clock;
    readonly databaseUrl: string;
    readonly logger: Logger;
    readonly storage: ObjectStorage;
    readonly store: Store<Db>;
  },
  exports: readonly CsvExport[],
): readonly Job[] {
  const { clock, databaseUrl, logger, storage, store } = deps;

  async function write(task: HeldTask<batchEvents.CsvRequest>): Promise<void> {
    const { partnerId, payload, scope, signal } = task;
    const { batchId, kind, objectKey } = payload;
    const csv = exports.find((known) => known.kind === kind);
    if (!csv) throw new Error(`No export of ${kind}`);
    const progress: CsvProgress = { rowCount: 0, totalRows: 0, stage: 'processing' };
    let telling: Promise<void> | undefined;
    const tell = () => {
      // It is not wanted any more where the task is lost, which ends the writing too.
      telling ??= store
        .write(scope, async ({ db, outbox }) => {
          await task.hold(db);
          const data = { batchId, ...progress };
          outbox.append(batchEvents.csvProgressed, { subject: batchId, partnerId, data });
        })
        .catch((error: unknown) => logger.debug({ err: error, batchId }, 'Progress could not be told'))
        .finally(() => {
          telling = undefined;
        });
    };
    const timer = setInterval(tell, tellEveryMs);
    try {
      tell();
      await writeCsv({ databaseUrl, storage, progress, signal }, csv, { ...payload, partnerId });
    } finally {
      clearInterval(timer);
      await telling;
    }
    await store.write(scope, async ({ db, outbox }) => {
      await task.finish(db);
      const data = { batchId, rowCount: progress.rowCount, objectKey };
      outbox.append(batchEvents.csvCompleted, { subject: batchId, partnerId, data });
    });
  }

  const { job: writing } = createWorker(deps, wantedCsvs, {
    atOnce: 2,
    retry: { firstMs: second, longestMs: 5 * second, tries: 5 },
    work: write,
    async giveUp({ outbox }, { partnerId, payload: { batchId } }) {
      const data = { batchId, reason: 'error' as const };
      outbox.append(batchEvents.csvFailed, { subject: batchId, partnerId, data });
    },
  });
  return [
    writing,
    {
      name: 'tell-waiting-exports',
      everyMs: tellWaitingEveryMs,
      // Where one waits, another is being written, and tells so.
      quietMs: 2 * tellWaitingEveryMs,
      run: async ({ scope }) =>
        store.write(scope, async ({ db, outbox }) => {
          const waiting = await wantedCsvs.waiting(db, clock.now());
          for (const [kind, tasks] of Map.groupBy(waiting, ({ payload }) => payload.kind)) {
            for (const some of slices(tasks, mostTold)) {
              const data = { kind, batchIds: some.map(({ payload }) => payload.batchId) };
              outbox.append(batchEvents.csvWaiting, { subject: kind, partnerId: null, data });
            }
          }
        }),
    },
  ];
}
