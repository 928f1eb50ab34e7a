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
  /**
   * Whether what came within a moment, of whichever subjects, is handled together: far fewer commits where very many
   * events come, and nobody waits for their effect.
   */
  readonly together: boolean;
  /** Checks the data of the events, one unless `together`, and runs their effects in `tx`, in their order. */
  handle(tx: Tx, events: readonly EventEnvelope[]): Promise<void>;
}

interface Declaration<D> {
  readonly handler: string;
  readonly event: EventDefinition<D>;
}

/** Declares a subscription. `handle` gets data that fits the event's schema and must write through `tx` alone. */
export function subscription<Tx extends SqlExecutor, D>({
  event,
  handle,
  handler,
}: Declaration<D> & { handle(tx: Tx, event: EventEnvelope<D>): Promise<void> }): Subscription<Tx> {
  return {
    handler,
    event,
    together: false,
    async handle(tx, envelopes) {
      for (const envelope of envelopes) await handle(tx, checked(event, envelope));
    },
  };
}

/** Declares a subscription whose events are handled together. A handler of this kind has one event alone. */
export function subscriptionToMany<Tx extends SqlExecutor, D>({
  event,
  handle,
  handler,
}: Declaration<D> & {
  handle(tx: Tx, events: readonly EventEnvelope<D>[]): Promise<void>;
}): Subscription<Tx> {
  return {
    handler,
    event,
    together: true,
    handle: async (tx, envelopes) =>
      handle(
        tx,
        envelopes.map((envelope) => checked(event, envelope)),
      ),
  };
}

function checked<D>(event: EventDefinition<D>, envelope: EventEnvelope): EventEnvelope<D> {
  return { ...envelope, data: event.data.parse(envelope.data) };
}
