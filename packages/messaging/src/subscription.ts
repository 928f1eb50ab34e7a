import type { EventDefinition, EventEnvelope } from './event.ts';
import type { SqlExecutor } from './sql-executor.ts';

/** An event that a service wants, and what it does about it. `Tx` is the service's own transaction. */
export interface Subscription<Tx extends SqlExecutor = SqlExecutor> {
  /**
   * Names the effect, as in `file.keep-groups`. Subscriptions to several events that share a handler see the events
   * of one subject in order across types (created, updated, deleted); different handlers never wait for each other.
   */
  readonly handler: string;
  readonly event: EventDefinition;
  /** Checks the event's data and runs the effect in `tx`. */
  handle(tx: Tx, event: EventEnvelope): Promise<void>;
}

/** Declares a subscription. `handle` gets data that fits the event's schema and must write through `tx` alone. */
export function subscription<Tx extends SqlExecutor, D>(declaration: {
  readonly handler: string;
  readonly event: EventDefinition<D>;
  handle(tx: Tx, event: EventEnvelope<D>): Promise<void>;
}): Subscription<Tx> {
  const { handler, event } = declaration;
  return {
    handler,
    event,
    handle: async (tx, envelope) =>
      declaration.handle(tx, { ...envelope, data: event.data.parse(envelope.data) }),
  };
}
