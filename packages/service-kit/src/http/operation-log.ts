import { operationEvents, type RouteContract } from '@portal/contracts';
import { type Clock, currentContext, type RequestContext } from '@portal/kernel';
import { createEvent, type OutgoingEvent } from '@portal/messaging';
import type { Caller } from '../auth/caller.ts';

/** Who did it: an administrator of a unit (null: of the platform), or a person of a tenant. */
export type OperationActor = { readonly id: number; readonly role: number } & (
  | { readonly kind: 'admin'; readonly unitId: number | null }
  | { readonly kind: 'account'; readonly partnerId: number }
);

/**
 * Whom an operation is about where nobody is signed in: the tenant, as long as no more is known, or whose account it is.
 * The role is null where it is not known.
 */
export type OperationSubject =
  | OperationActor
  | {
      readonly kind: 'account';
      readonly id: number;
      readonly role: number | null;
      readonly partnerId: number;
    }
  | { readonly kind: 'tenant'; readonly partnerId: number };

export function actorOf(caller: Caller): OperationActor {
  return caller.kind === 'admin'
    ? { kind: 'admin', id: caller.adminId, role: caller.role, unitId: caller.unitId }
    : { kind: 'account', id: caller.accountId, role: caller.role, partnerId: caller.partnerId };
}

export interface Operation {
  readonly contract: RouteContract;
  /** Who did it, or whom it was about. */
  readonly subject: OperationSubject | undefined;
  readonly requestId: string;
  readonly address: string;
  readonly agent: string;
  /** The path without its query, and the ids of what it concerns where they are in the body. */
  readonly target: string;
  /** The HTTP status, or the code of the error. */
  readonly result: string;
}

export interface OperationLog {
  /** Has the entry written with the first change that is made in `context`, as one that succeeded. */
  expect(operation: Operation, context: RequestContext): void;
  /** Resolves once the entry is durable, with this result. */
  record(operation: Operation, context: RequestContext | undefined): Promise<void>;
}

/** An entry that goes with the first change of its request, and costs no commit of its own. */
class ExpectedEntry {
  readonly event: OutgoingEvent;
  readonly result: string;
  #state: 'closed' | 'open' | 'taken' | 'written' = 'open';
  #change: Promise<unknown> = Promise.resolve();

  constructor(event: OutgoingEvent, result: string) {
    this.event = event;
    this.result = result;
  }

  /** Makes a change that takes the entry along, if none has yet. */
  async goWith<T>(change: (events: readonly OutgoingEvent[]) => Promise<T>): Promise<T> {
    if (this.#state !== 'open') return change([]);
    this.#state = 'taken';
    const changed = change([this.event]);
    this.#change = changed;
    try {
      const result = await changed;
      this.#state = 'written';
      return result;
    } catch (error) {
      this.#state = 'open';
      throw error;
    }
  }

  /** From now on no change takes it along. @returns whether one has */
  async close(): Promise<boolean> {
    await this.#change.catch(() => undefined);
    const isWritten = this.#state === 'written';
    this.#state = 'closed';
    return isWritten;
  }
}

const expected = new WeakMap<RequestContext, ExpectedEntry>();

/** Makes a change; `events` are to be written with it. */
export async function withExpectedEntry<T>(
  change: (events: readonly OutgoingEvent[]) => Promise<T>,
): Promise<T> {
  const context = currentContext();
  const entry = context && expected.get(context);
  return entry ? entry.goWith(change) : change([]);
}

const longest = 500;

/**
 * Writes `operation.logged` events to the outbox: with the change of the request where there is one, else by itself.
 * Entries of requests that end together share one transaction then, so that the log costs a busy service far less than one
 * commit a request.
 */
export function createOperationLog(options: {
  source: string;
  clock: Clock;
  append: (events: readonly OutgoingEvent[]) => Promise<void>;
}): OperationLog {
  const { append, clock, source } = options;
  let waiting: OutgoingEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function flush(): Promise<void> {
    next = undefined;
    const events = waiting;
    waiting = [];
    await append(events);
  }

  function eventOf(operation: Operation, more: { at: string; supersedes?: string }): OutgoingEvent {
    const { subject } = operation;
    const person = subject?.kind === 'tenant' ? undefined : subject;
    return createEvent(
      operationEvents.operationLogged,
      {
        subject: operation.requestId,
        partnerId: subject && subject.kind !== 'admin' ? subject.partnerId : null,
        data: {
          requestId: operation.requestId,
          accountKind: person?.kind ?? null,
          accountId: person?.id ?? null,
          role: person?.role ?? null,
          ...(person?.kind === 'admin' && person.unitId !== null && { unitId: person.unitId }),
          address: operation.address.slice(0, longest),
          agent: operation.agent.slice(0, longest),
          operation: operation.contract.id,
          target: operation.target.slice(0, longest),
          result: operation.result,
          ...more,
        },
      },
      { source, clock, traceparent: currentContext()?.traceparent },
    );
  }

  const now = () => clock.now().toISOString();

  /** What is told of an operation that is told of already: that it ended otherwise than was expected. */
  function sequelOf({ event }: ExpectedEntry): { at: string; supersedes: string } {
    const { at } = operationEvents.operationLogged.data.parse(event.envelope.data);
    return { at, supersedes: event.envelope.id };
  }

  return {
    expect(operation, context) {
      const event = eventOf(operation, { at: now() });
      expected.set(context, new ExpectedEntry(event, operation.result));
    },

    async record(operation, context) {
      const entry = context && expected.get(context);
      const isWritten = (await entry?.close()) ?? false;
      if (isWritten && entry?.result === operation.result) return;
      waiting.push(eventOf(operation, entry && isWritten ? sequelOf(entry) : { at: now() }));
      // Whoever comes while a write is under way goes with the next one.
      next ??= writing = writing.catch(() => undefined).then(flush);
      await next;
    },
  };
}
