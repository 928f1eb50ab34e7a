import type { Scope } from '@portal/database';
import type { Clock } from '@portal/kernel';
import {
  type EventDefinition,
  type EventEnvelope,
  type SqlExecutor,
  type Subscription,
  subscription,
  subscriptionToMany,
} from '@portal/messaging';
import { ofPartner, systemScope } from './scopes.ts';
import { inTransaction, type Transaction } from './store.ts';

export type { EventEnvelope } from '@portal/messaging';

/** An event that a service wants and the effect it has, in one transaction with the mark that it was handled. */
export interface EventHandler<Db> {
  readonly name: string;
  readonly event: EventDefinition;
  /** The job that has something to do when the effect is committed. */
  readonly wakes?: string | undefined;
  subscription(context: HandlerContext<Db & SqlExecutor>): Subscription<Db & SqlExecutor>;
}

interface HandlerContext<Db> {
  readonly source: string;
  readonly clock: Clock;
  /** Gives what is left of a transaction another scope. */
  readonly enter: (db: Db, scope: Scope) => Promise<void>;
}

interface HandlerOptions {
  readonly wakes?: string;
  /** Why it takes the events of all tenants in the scope of the system, rather than of each in that of its own. */
  readonly systemScope?: string;
}

/** The tenant of an event that always has one. Throws if it has none, which is a defect of the sender. */
export function partnerOf({ id, partnerid, type }: Pick<EventEnvelope, 'id' | 'partnerid' | 'type'>): number {
  if (partnerid === null) throw new Error(`${type} ${id} names no tenant`);
  return partnerid;
}

/**
 * Declares what happens on `event`, in the scope of its tenant; for an event of none in that of the system. Handlers are named after their effect; handlers of one name see the events of one
 * subject in order across types.
 */
export function on<Db, D>(
  event: EventDefinition<D>,
  name: string,
  handle: (tx: Transaction<Db>, event: EventEnvelope<D>) => Promise<void>,
  options: HandlerOptions = {},
): EventHandler<Db> {
  return {
    name,
    event,
    wakes: options.wakes,
    subscription: (context) =>
      subscription({
        event,
        handler: `${context.source}.${name}`,
        handle: async (db: Db & SqlExecutor, envelope) => {
          await context.enter(db, scopeOf(envelope, name, options));
          await inTransaction(db, context, async (tx) => handle(tx, envelope));
        },
      }),
  };
}

/**
 * As `on`, for an event of which very many come at once: those of a tenant that come together are handled in one call. With
 * `lingers` the effect may be late, and the worker waits a moment for more events. With `knowsRepeats` they are handled as they come, without
 * rows in the inbox: the effect keeps the ids of events, so that a repeat changes nothing.
 */
export function onMany<Db, D>(
  event: EventDefinition<D>,
  name: string,
  handle: (tx: Transaction<Db>, events: readonly EventEnvelope<D>[]) => Promise<void>,
  options: HandlerOptions & { readonly lingers?: boolean; readonly knowsRepeats?: boolean } = {},
): EventHandler<Db> {
  return {
    name,
    event,
    wakes: options.wakes,
    subscription: (context) =>
      subscriptionToMany({
        event,
        handler: `${context.source}.${name}`,
        lingers: options.lingers,
        knowsRepeats: options.knowsRepeats,
        handle: async (db: Db & SqlExecutor, envelopes) => {
          const isOneScope = options.systemScope !== undefined;
          const groups = Map.groupBy(envelopes, ({ partnerid }) => (isOneScope ? null : partnerid));
          for (const [partnerid, group] of groups) {
            await context.enter(db, scopeOf({ partnerid }, name, options));
            await inTransaction(db, context, async (tx) => handle(tx, group));
          }
        },
      }),
  };
}

function scopeOf(
  { partnerid }: Pick<EventEnvelope, 'partnerid'>,
  handler: string,
  options: HandlerOptions,
): Scope {
  if (options.systemScope !== undefined) return systemScope(options.systemScope);
  return partnerid === null ? systemScope(`${handler} of an event without a tenant`) : ofPartner(partnerid);
}
