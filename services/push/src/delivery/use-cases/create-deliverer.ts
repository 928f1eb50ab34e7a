import { createWorker, type Job } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { beginQueue } from '../data/begin-queue.ts';
import { laneQueue } from '../data/lane-queue.ts';
import { beginDelivery } from './begin-delivery.ts';
import { sendPage } from './send-page.ts';

/** What this instance does of the delivery of notifications. */
export interface Deliverer {
  readonly jobs: readonly Job[];
  /** Begins at once with a notification that is due, in the background. */
  beginNow(notificationId: number): void;
}

/** Lanes that an instance works on at a time. */
const lanesAtOnce = 4;
/** More, one of each other tenant: a provider that hangs holds the lanes of its tenant for long. */
const spareLanes = 12;
const retry = { firstMs: 500, longestMs: 15_000 };
/** How long what a killed instance was at waits for another one. */
const leaseMs = 10_000;

export function createDeliverer(
  deps: Pick<Dependencies, 'cipher' | 'clock' | 'direct' | 'logger' | 'peers' | 'providers' | 'store'>,
): Deliverer {
  const { logger } = deps;
  const lanes = createWorker(deps, laneQueue, {
    atOnce: lanesAtOnce,
    spare: spareLanes,
    isPunctual: true,
    leaseMs,
    retry,
    work: async (task) => sendPage(deps, task),
  });
  const begin = createWorker(deps, beginQueue, {
    atOnce: 2,
    isPunctual: true,
    leaseMs,
    retry,
    work: async (task) =>
      beginDelivery(deps, task, (partnerId) => {
        inBackground(lanes.runNow(`${partnerId}-0`));
      }),
  });
  const inBackground = (run: Promise<boolean>) => {
    run.catch((error: unknown) => logger.warn({ err: error }, 'Delivery begins at the next look'));
  };
  return {
    jobs: [begin.job, lanes.job],
    beginNow: (notificationId) => inBackground(begin.runNow(notificationId)),
  };
}
