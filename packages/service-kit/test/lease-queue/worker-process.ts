/**
 * A process with a worker, which notes in a table what it has settled. It kills itself without notice when the given point
 * is reached for the third time, or stops when its input ends.
 * Arguments: the database, the point.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { createWorker, leaseQueue } from '../../src/index.ts';
import { startJobs } from '../../src/jobs.ts';
import { storeOn } from './store.ts';

const [url = '', point = 'none'] = process.argv.slice(2);
const store = storeOn(url);
const logger = createLogger({ level: 'silent' });

let reached = 0;
function dieAt(name: string) {
  if (name !== point) return;
  reached += 1;
  if (reached === 3) process.kill(process.pid, 'SIGKILL');
}

const worker = createWorker(
  {
    clock: systemClock(),
    logger,
    store: {
      ...store,
      async write(scope, work) {
        const result = await store.write(scope, work);
        dieAt('after a transaction');
        return result;
      },
    },
  },
  leaseQueue<{ n: number }>('notes', { oneOfEachTenant: true }),
  {
    atOnce: 3,
    leaseMs: 300,
    retry: { firstMs: 1, longestMs: 10 },
    async work(task) {
      dieAt('before the work');
      await sleep(task.payload.n % 7);
      await store.write(task.scope, async ({ db }) => {
        await task.hold(db);
        await db.$executeRawUnsafe('INSERT INTO note (id, step) VALUES ($1, $2)', task.id, 'worked');
        dieAt('before the end');
        await task.finish(db);
        dieAt('before the commit');
      });
      dieAt('after the commit');
      process.stdout.write(`${task.id}\n`);
    },
  },
);
// As if something were written all the time.
const jobs = startJobs([worker.job], { clock: systemClock(), logger, snapshot: async () => randomUUID() });
process.stdin.resume().once('end', () => {
  void jobs.stop().then(async () => store.end());
});
