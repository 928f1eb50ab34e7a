import { bareRate } from './support/bare-push.ts';
import { type Benchmark, type Figure, percent } from './support/figure.ts';
import { type PushBench, startPushBench } from './support/push-fan-out.ts';

const devices = 100_000;
const bareRequests = 30_000;
/** Four lanes of an instance with 150 each. */
const inFlight = 600;
const leastPerSecond = 3_000;
const leastShare = 0.5;

/**
 * A notification to 100,000 devices, from its start to the last noted outcome, by the whole product with a server of the provider
 * beside it; against a client that makes as many requests at a time and does nothing else.
 */
export const benchmark: Benchmark = async () => {
  const bench = await startPushBench();
  try {
    return [await fanOut(bench, 'apns', leastPerSecond), await fanOut(bench, 'fcm', 0)];
  } finally {
    await bench.remove();
  }
};

async function fanOut(bench: PushBench, service: 'apns' | 'fcm', least: number): Promise<Figure> {
  await bench.register(service, devices);
  const bare = { count: bareRequests, inFlight };
  // Before and after: the machine has other work as well.
  const before = await bareRate(bench.providers, service, bare);
  const { seconds, success } = await bench.ended(await bench.notify());
  const after = await bareRate(bench.providers, service, bare);
  if (success !== devices) throw new Error(`Only ${success} devices got it`);
  const perSecond = devices / seconds;
  const raw = (before + after) / 2;
  return {
    what: `Push notification to 100,000 devices by ${service.toUpperCase()}`,
    target:
      least > 0
        ? `${leastPerSecond} devices/s and ${percent(leastShare)} of bare HTTP/2`
        : `${percent(leastShare)} of bare HTTP/2`,
    measured: `${Math.round(perSecond)} devices/s, ${percent(perSecond / raw)}`,
    value: perSecond / raw,
    better: 'higher',
    detail: `${seconds.toFixed(1)} s; a bare client with ${inFlight} requests in flight: ${Math.round(before)} requests/s before, ${Math.round(after)} after`,
    met: perSecond >= least && perSecond / raw >= leastShare,
  };
}
