import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import type { PoolUse } from '@portal/database';
import type { HandlerStats, OutboxStats } from '@portal/messaging';

interface Observed {
  readonly database: { poolUse(): PoolUse };
  /** Rejects while the database is away. */
  stats(): Promise<{ outbox: OutboxStats; handlers: Readonly<Record<string, HandlerStats>> }>;
}

/** Figures of a service that are looked up only when they are sent. @returns what ends that */
export function observeService(meter: Meter, { database, stats }: Observed): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description });
  const outboxDepth = gauge('portal.outbox.depth', '{event}', 'Events not yet published');
  const outboxAge = gauge('portal.outbox.age', 's', 'Age of the oldest event not yet published');
  const inboxLive = gauge('portal.inbox.live', '{event}', 'Events not yet handled');
  const inboxAge = gauge('portal.inbox.age', 's', 'Age of the oldest event not yet handled');
  const inboxDead = gauge('portal.inbox.dead', '{event}', 'Events given up on');
  const connections = gauge('db.client.connection.count', '{connection}', 'Connections by state');
  const connectionsMax = gauge('db.client.connection.max', '{connection}', 'Most connections at once');
  const waiting = gauge(
    'db.client.connection.pending_requests',
    '{request}',
    'Transactions that wait for a connection',
  );

  const endMessaging = observe(
    meter,
    [outboxDepth, outboxAge, inboxLive, inboxAge, inboxDead],
    async (result) => {
      const found = await stats().catch(() => undefined);
      if (!found) return;
      result.observe(outboxDepth, found.outbox.depth);
      result.observe(outboxAge, found.outbox.oldestAgeMs / 1000);
      for (const [handler, { dead, live, oldestAgeMs }] of Object.entries(found.handlers)) {
        result.observe(inboxLive, live, { handler });
        result.observe(inboxAge, oldestAgeMs / 1000, { handler });
        result.observe(inboxDead, dead, { handler });
      }
    },
  );
  const endPool = observe(meter, [connections, connectionsMax, waiting], (result) => {
    const { idle, max, used, waiting: requests } = database.poolUse();
    result.observe(connections, used, { 'db.client.connection.state': 'used' });
    result.observe(connections, idle, { 'db.client.connection.state': 'idle' });
    result.observe(connectionsMax, max);
    result.observe(waiting, requests);
  });
  return () => {
    endMessaging();
    endPool();
  };
}

const lookEveryMs = 10;

/** The histogram holds the whole time between two looks. */
const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - lookEveryMs / 1e3);

/** How late the event loop of this process is, since the last time that it was asked. @returns what ends that */
export function observeEventLoop(meter: Meter): () => void {
  const histogram = monitorEventLoopDelay({ resolution: lookEveryMs });
  histogram.enable();
  const gauge = (name: string) =>
    meter.createObservableGauge(`nodejs.eventloop.delay.${name}`, {
      unit: 's',
      description: 'Delay of the event loop',
    });
  const [mean, p99, max] = [gauge('mean'), gauge('p99'), gauge('max')];
  const end = observe(meter, [mean, p99, max], (result) => {
    // Nothing was measured in so short a time.
    if (histogram.count === 0) return;
    result.observe(mean, delayOf(histogram.mean));
    result.observe(p99, delayOf(histogram.percentile(99)));
    result.observe(max, delayOf(histogram.max));
    histogram.reset();
  });
  return () => {
    end();
    histogram.disable();
  };
}

function observe(
  meter: Meter,
  observables: Observable[],
  look: (result: BatchObservableResult) => void | Promise<void>,
): () => void {
  meter.addBatchObservableCallback(look, observables);
  return () => meter.removeBatchObservableCallback(look, observables);
}
