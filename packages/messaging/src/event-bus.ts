import type { EventEnvelope } from './event.ts';

export interface BusMessage {
  /** Messages of one topic and key are delivered in the order in which they were published. */
  readonly key: string;
  readonly envelope: EventEnvelope;
}

export interface GroupSubscription {
  /** The service. Its instances share the messages of the topics, each key going to one of them at a time. */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * Takes events for good: they are acknowledged when this resolves, and come again when it rejects.
   * It is not called again for a key before it has settled.
   */
  onBatch(envelopes: readonly EventEnvelope[]): Promise<void>;
}

export interface BroadcastSubscription {
  readonly topics: readonly string[];
  /** Called once for each event in this instance; a failure is logged and the event is not repeated. */
  onEvent(envelope: EventEnvelope): void | Promise<void>;
}

export interface BusSubscription {
  /** Ends when the batch in hand is settled. A group that has left is still owed its events. */
  close(): Promise<void>;
}

/** What carries events from the outbox of one service to the inboxes of others. At least once, in order per key. */
export interface EventBus {
  /** Resolves when no crash can lose the messages any more. After a rejection, publish all of them again. */
  publish(topic: string, messages: readonly BusMessage[]): Promise<void>;
  /** Resolves when the group is known, so that nothing published from now on passes it by. */
  subscribe(subscription: GroupSubscription): Promise<BusSubscription>;
  /** Every event from now on, to every instance, without a memory: for what only matters to the living. */
  broadcast(subscription: BroadcastSubscription): Promise<BusSubscription>;
  /** Closes all subscriptions and connections; publishing rejects from then on. */
  close(): Promise<void>;
}
