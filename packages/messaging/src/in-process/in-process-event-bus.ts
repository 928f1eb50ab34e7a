import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';
import { type Backoff, backoffDelay } from '../backoff.ts';
import type { EventEnvelope } from '../event.ts';
import type { BroadcastSubscription, BusSubscription, EventBus, GroupSubscription } from '../event-bus.ts';

/** The way to one group: a batch at a time, each tried until the group has it or leaves. */
interface Lane {
  readonly subscription: GroupSubscription;
  readonly left: AbortController;
  /** Settles, never rejects, when everything handed over so far is settled. */
  tail: Promise<unknown>;
}

/**
 * The bus of services that share one process. It keeps nothing itself: `publish` resolves when every group's `onBatch`
 * has and every broadcast listener has seen the events, so an event stays in its outbox until all inboxes have it.
 * Groups therefore subscribe before the first relay starts, and publishing to a group that has left rejects until it
 * subscribes again.
 */
export function createInProcessEventBus(options: {
  readonly logger: Logger;
  /** Between the tries of a group that fails; 100 ms to 5 s by default. */
  readonly retry?: Backoff;
}): EventBus {
  const { logger, retry = { firstMs: 100, longestMs: 5_000 } } = options;
  const lanes = new Map<string, Lane>();
  const listeners = new Set<BroadcastSubscription>();
  let closed = false;

  async function deliverUntilTaken({ subscription, left }: Lane, envelopes: readonly EventEnvelope[]) {
    for (let failures = 0; ; ) {
      if (left.signal.aborted) throw new Error(`The group ${subscription.group} has left the bus`);
      try {
        await subscription.onBatch(envelopes);
        return;
      } catch (error) {
        failures += 1;
        logger.warn({ err: error, group: subscription.group, failures }, 'Group did not take events');
      }
      await sleep(backoffDelay(retry, failures), undefined, { signal: left.signal }).catch(() => undefined);
    }
  }

  function deliver(lane: Lane, envelopes: readonly EventEnvelope[]): Promise<void> {
    const delivery = lane.tail.then(() => deliverUntilTaken(lane, envelopes));
    lane.tail = delivery.catch(() => undefined);
    return delivery;
  }

  async function tell({ onEvent }: BroadcastSubscription, envelopes: readonly EventEnvelope[]) {
    for (const envelope of envelopes) {
      try {
        await onEvent(envelope);
      } catch (error) {
        logger.error({ err: error, eventId: envelope.id, type: envelope.type }, 'Broadcast listener failed');
      }
    }
  }

  async function leave(lane: Lane) {
    lane.left.abort();
    await lane.tail;
  }

  return {
    async publish(topic, messages) {
      if (closed) throw new Error('The event bus is closed');
      const envelopes = messages.map(({ envelope }) => envelope);
      const wants = ({ topics }: { readonly topics: readonly string[] }) => topics.includes(topic);
      const told = [...listeners].filter(wants).map((listener) => tell(listener, envelopes));
      const taken = [...lanes.values()]
        .filter(({ subscription }) => wants(subscription))
        .map((lane) => deliver(lane, envelopes));
      // All settle before the publisher gets a failure; otherwise its repeats would pile up before a slow group.
      const outcomes = await Promise.allSettled([...told, ...taken]);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    },

    async subscribe(subscription): Promise<BusSubscription> {
      if (closed) throw new Error('The event bus is closed');
      const { group } = subscription;
      const former = lanes.get(group);
      if (former && !former.left.signal.aborted) throw new Error(`The group ${group} has already subscribed`);
      const lane: Lane = { subscription, left: new AbortController(), tail: Promise.resolve(former?.tail) };
      lanes.set(group, lane);
      return { close: () => leave(lane) };
    },

    async broadcast(subscription): Promise<BusSubscription> {
      if (closed) throw new Error('The event bus is closed');
      listeners.add(subscription);
      return {
        close: async () => {
          listeners.delete(subscription);
        },
      };
    },

    async close() {
      closed = true;
      listeners.clear();
      await Promise.all([...lanes.values()].map(leave));
    },
  };
}
