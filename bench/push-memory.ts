import { readFile } from 'node:fs/promises';
import type { Benchmark } from './support/figure.ts';
import { startPushBench } from './support/push-fan-out.ts';
import { sizeOr } from './support/size.ts';

const devices = sizeOr(1_000_000);
const most = 150;

/** The memory of the whole product while it sends a notification to 1,000,000 devices, above what it has before. */
export const benchmark: Benchmark = async () => {
  // What Node gives the heap in the 512 MB of a service's container (helm/portal/charts/service/defaults.yaml). On a large machine
  // it lets garbage lie for longer, whatever is still in use.
  const bench = await startPushBench({ NODE_OPTIONS: '--max-old-space-size=256' });
  try {
    // What a first one loads is there before.
    await bench.register('apns', 1_000);
    await bench.ended(await bench.notify());
    await bench.register('apns', devices);
    const idle = await residentMegabytes(bench.product.pid);
    const samples: number[] = [];
    const { seconds, success } = await bench.ended(await bench.notify(), async () => {
      samples.push(await residentMegabytes(bench.product.pid));
    });
    if (success !== devices) throw new Error(`Only ${success} devices got it`);
    const half = Math.floor(samples.length / 2);
    const highest = (of: readonly number[]) => Math.max(...of) - idle;
    const [first, second] = [highest(samples.slice(0, half)), highest(samples.slice(half))];
    return [
      {
        what: `Memory during a push notification to ${devices.toLocaleString('en')} devices, above idle`,
        target: `${most} MB`,
        measured: `${Math.round(Math.max(first, second))} MB`,
        value: Math.max(first, second),
        better: 'lower',
        detail: `${Math.round(seconds)} s; highest in the first half ${Math.round(first)} MB, in the second ${Math.round(second)} MB; idle ${Math.round(idle)} MB`,
        met: Math.max(first, second) < most,
        growth: { title: 'A push to devices at APNs, until each has an outcome', unit: 's', value: seconds },
      },
    ];
  } finally {
    await bench.remove();
  }
};

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_000;
}
