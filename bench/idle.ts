import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDistributed } from './support/distributed.ts';
import { type Benchmark, percent } from './support/figure.ts';
import { processorSeconds } from './support/processes.ts';

/** In its first minute a process still compiles what runs for the first time. */
const settleMs = 60_000;
const watchMs = 30_000;
const limits = { share: 0.03, megabytes: 1_100 };

/** What all services use together, one process each, while there are no requests. The engines are not counted. */
export const benchmark: Benchmark = async () =>
  withDistributed(async ({ services }) => {
    const pids = [...services.values()].flatMap(({ pid }) => pid ?? []);
    await sleep(settleMs);
    const before = await sumOf(pids, processorSeconds);
    await sleep(watchMs);
    const share = ((await sumOf(pids, processorSeconds)) - before) / (watchMs / 1_000);
    const megabytes = (await sumOf(pids, ownBytes)) / 1_000_000;
    const what = `The ${pids.length} services as processes with nothing to do`;
    return [
      {
        what: `${what}: time of one core`,
        target: percent(limits.share),
        measured: `${(share * 100).toFixed(1)} %`,
        value: share,
        better: 'lower',
        detail: `over ${watchMs / 1_000} s`,
        met: share < limits.share,
      },
      {
        what: `${what}: memory`,
        target: `${limits.megabytes} MB`,
        measured: `${Math.round(megabytes)} MB`,
        value: megabytes,
        better: 'lower',
        detail: 'resident; what processes share is counted once',
        met: megabytes < limits.megabytes,
      },
    ];
  });

async function sumOf(pids: readonly number[], of: (pid: number) => Promise<number>): Promise<number> {
  const values = await Promise.all(pids.map(of));
  return values.reduce((sum, value) => sum + value, 0);
}

/** Resident memory of a process in bytes, including its share of memory mapped by several processes, such as the Node binary. */
async function ownBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? Number.NaN) * 1024;
}
