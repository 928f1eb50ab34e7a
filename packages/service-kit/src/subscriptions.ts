import type { Clock } from '@portal/kernel';
import {
  type EventDefinition,
  type EventEnvelope,
  type SqlExecutor,
  type Subscription,
  subscription,
  subscriptionToMany,
} from '@portal/messaging';
import { inTransaction, type Transaction } from './store.ts';

export type { EventEnvelope } from '@portal/messaging';

/** An event that a service wants and the effect it has, in one transaction with the mark that it was handled. */
export interface EventHandler<Db> {
  readonly name: string;
  readonly event: EventDefinition;
  /** The job that has something to do when the effect is committed. */
  readonly wakes?: string;
  subscription(context: { source: string; clock: Clock }): Subscription<Db & SqlExecutor>;
}

/** The tenant of an event that is always some tenant's. Throws for one of none: a fault of its sender. */
export function partnerOf({ id, partnerid, type }: Pick<EventEnvelope, 'id' | 'partnerid' | 'type'>): number {
  if (partnerid === null) throw new Error(`${type} ${id} names no tenant`);
  return partnerid;
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
    subscription: (context) =>
      subscription({
        event,
        handler: `${context.source}.${name}`,
        handle: async (db: Db & SqlExecutor, envelope) =>
          inTransaction(db, context, async (tx) => handle(tx, envelope)),
      }),
  };
}

/**
 * As `on`, for an event of which very many come at once: those that follow each other are handled in one call. With
 * `lingers` nobody waits for the effect, and what else comes within a moment is waited for.
 */
export function onMany<Db, D>(
  event: EventDefinition<D>,
  name: string,
  handle: (tx: Transaction<Db>, events: readonly EventEnvelope<D>[]) => Promise<void>,
  { lingers, ...options }: { readonly lingers?: boolean; readonly wakes?: string } = {},
): EventHandler<Db> {
  return {
    name,
    event,
    ...options,
    subscription: (context) =>
      subscriptionToMany({
        event,
        handler: `${context.source}.${name}`,
        lingers,
        handle: async (db: Db & SqlExecutor, envelopes) =>
          inTransaction(db, context, async (tx) => handle(tx, envelopes)),
      }),
  };
}
