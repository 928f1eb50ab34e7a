import { setTimeout as sleep } from 'node:timers/promises';
import { type Benchmark, quantile } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { startPushBench } from './support/push-fan-out.ts';

const notifications = 100;
/** For writing them all before the first is due. */
const leadMs = 20_000;
const everyMs = 100;
const limitMs = 5_000;

/** How long after their time scheduled notifications begin, over HTTP, one each 100 ms. */
export const benchmark: Benchmark = async () => {
  const bench = await startPushBench();
  try {
    await bench.register('fcm', 10);
    // Times have whole seconds: several have one.
    const begin = Date.now() + leadMs;
    const ids: number[] = [];
    for (let n = 0; n < notifications; n += 1) ids.push(await bench.notify(new Date(begin + n * everyMs)));
    await sleep(begin + notifications * everyMs - Date.now());
    for (const id of ids) await bench.ended(id);
    const late = await withDatabase(bench.product, 'portal_push', async (client) => {
      const { rows } = await client.query<{ ms: number }>(
        `SELECT extract(epoch FROM started_at - due_at)::float * 1000 AS ms FROM notifications WHERE id = ANY ($1::integer[])`,
        [ids],
      );
      return rows.map(({ ms }) => ms);
    });
    const p99 = quantile(late, 0.99);
    const earliest = Math.min(...late);
    return [
      {
        what: 'Scheduled push notification, from its time to its start; p99',
        target: `${limitMs / 1_000} s, never before`,
        measured: `${Math.round(p99)} ms`,
        value: p99,
        better: 'lower',
        detail: `${late.length} notifications: median ${Math.round(quantile(late, 0.5))} ms, the earliest ${earliest.toFixed(1)} ms after its time`,
        met: p99 < limitMs && earliest >= 0,
      },
    ];
  } finally {
    await bench.remove();
  }
};
