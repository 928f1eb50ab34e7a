import type { Clock } from '@portal/kernel';
import {
  type EventDefinition,
  type EventEnvelope,
  type SqlExecutor,
  type Subscription,
  subscription,
} from '@portal/messaging';
import { inTransaction, type Transaction } from './store.ts';

/** An event that a service wants and the effect it has, in one transaction with the mark that it was handled. */
export interface EventHandler<Db> {
  readonly name: string;
  readonly event: EventDefinition;
  /** The job that has something to do when the effect is committed. */
  readonly wakes?: string;
  handle(tx: Transaction<Db>, event: EventEnvelope): Promise<void>;
}

/**
 * Declares what happens on `event`. Handlers are named after their effect; handlers of one name see the events of one
 * subject in order across types.
 */
export function on<Db, D>(
  event: EventDefinition<D>,
  name: string,
  handle: (tx: Transaction<Db>, event: EventEnvelope<D>) => Promise<void>,
  options: { readonly wakes?: string } = {},
): EventHandler<Db> {
  return {
    name,
    event,
    ...options,
    handle: async (tx, envelope) => handle(tx, { ...envelope, data: event.data.parse(envelope.data) }),
  };
}

export function toSubscription<Db extends SqlExecutor>(
  handler: EventHandler<Db>,
  context: { source: string; clock: Clock },
): Subscription<Db> {
  return subscription<Db, unknown>({
    handler: `${context.source}.${handler.name}`,
    event: handler.event,
    handle: async (db, event) => inTransaction(db, context, async (tx) => handler.handle(tx, event)),
  });
}
