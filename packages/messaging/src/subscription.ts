import type { EventDefinition, EventEnvelope } from './event.ts';
import type { SqlExecutor } from './sql-executor.ts';

/** An event type that a service handles, and its handler. `Tx` is the service's own transaction. */
export interface Subscription<Tx extends SqlExecutor = SqlExecutor> {
  /**
   * Names the effect, as in `file.keep-groups`. Subscriptions to several events that share a handler see the events
   * of one subject in order across types (created, updated, deleted); different handlers never wait for each other.
   */
  readonly handler: string;
  readonly event: EventDefinition;
  /** Whether the effect may be late: the worker waits a moment for more events, to commit less often. */
  readonly lingers: boolean;
  /** Whether events that follow each other are handled in one call; otherwise each has its own. */
  readonly takesMany: boolean;
  /**
   * Whether the effect by itself makes nothing of a repeat, since it keeps the ids of its events, or the revisions of what they tell of,
   * and takes moments. Then events are handled as they come, without a row in the inbox for each; the inbox takes those of which the
   * effect failed or had to wait, and those that come together with others of the handler.
   */
  readonly knowsRepeats: boolean;
  /** Checks the data of the events and has their effect in `tx`. */
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
    lingers: false,
    takesMany: false,
    knowsRepeats: false,
    async handle(tx, envelopes) {
      for (const envelope of envelopes) await handle(tx, checked(event, envelope));
    },
  };
}

/** As `subscription`, for an event of which very many come at once: those that follow each other have one effect. */
export function subscriptionToMany<Tx extends SqlExecutor, D>({
  event,
  handle,
  handler,
  knowsRepeats = false,
  lingers = false,
}: Declaration<D> & {
  readonly lingers?: boolean | undefined;
  readonly knowsRepeats?: boolean | undefined;
  handle(tx: Tx, events: readonly EventEnvelope<D>[]): Promise<void>;
}): Subscription<Tx> {
  return {
    handler,
    event,
    lingers,
    takesMany: true,
    knowsRepeats,
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
