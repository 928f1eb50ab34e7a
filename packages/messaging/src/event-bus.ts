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
   * Stores the events: they are acknowledged when this resolves, and delivered again when it rejects.
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
  /** Resolves when the current batch is settled. The bus keeps the events of a group that has left. */
  close(): Promise<void>;
}

/** Carries events from the outbox of one service to the inboxes of others: at least once, in order per key. */
export interface EventBus {
  /** Resolves when a crash cannot lose the messages any more. After a rejection, publish all of them again. */
  publish(topic: string, messages: readonly BusMessage[]): Promise<void>;
  /** Resolves when the group is registered, so that it receives everything that is published from now on. */
  subscribe(subscription: GroupSubscription): Promise<BusSubscription>;
  /** Delivers each event from now on to every running instance; no position is stored. */
  broadcast(subscription: BroadcastSubscription): Promise<BusSubscription>;
  /** Closes all subscriptions and connections; publishing rejects from then on. */
  close(): Promise<void>;
}
