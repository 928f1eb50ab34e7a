import {
  holdsNoPem,
  limits,
  type OperationTarget,
  operationEvents,
  type RouteContract,
} from '@portal/contracts';
import { type Clock, currentContext, type RequestContext } from '@portal/kernel';
import { createEvent, type OutgoingEvent } from '@portal/messaging';
import type { AnyCaller } from '../auth/caller.ts';

/** Who did it: an administrator of a unit (null: of the platform), or a person of a tenant. */
export type OperationActor = { readonly id: number; readonly role: number } & (
  | { readonly kind: 'admin'; readonly unitId: number | null }
  | { readonly kind: 'account'; readonly partnerId: number }
);

/**
 * The subject of an operation if nobody is signed in: the account, or only the tenant, or not even that, if the account is unknown;
 * `login` is what was typed to sign in with then. The role is null where it is not known.
 */
export type OperationSubject =
  | OperationActor
  | {
      readonly kind: 'account';
      readonly id: number;
      readonly role: number | null;
      readonly partnerId: number;
    }
  | { readonly kind: 'tenant'; readonly partnerId: number; readonly login?: string }
  | { readonly kind: 'unknown'; readonly login: string };

/** The one record that an operation concerns. */
export interface OperationRecord {
  readonly id: number;
  readonly name: string;
}

export function subjectOf(caller: AnyCaller): OperationSubject {
  switch (caller.kind) {
    case 'admin':
      return { kind: 'admin', id: caller.adminId, role: caller.role, unitId: caller.unitId };
    case 'tenant':
      return { kind: 'account', id: caller.accountId, role: caller.role, partnerId: caller.partnerId };
    case 'tenantKey':
      return { kind: 'tenant', partnerId: caller.partnerId };
  }
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
  /** What kind of records it concerns, and which of them are in its path and its body. */
  readonly targetKind: OperationTarget | undefined;
  readonly targetIds: readonly number[];
  /** The name in its body. */
  readonly targetName: string | undefined;
  /** The record that it concerns, once the handler knows it. */
  readonly about: () => OperationRecord | undefined;
  /** The records that were selected, once the handler knows them. */
  readonly selected: () => readonly number[] | undefined;
  /** Whether it makes something, whose `id` is in the answer. */
  readonly makes: boolean;
  /** The id of what it made. */
  readonly made: number | undefined;
  /** The HTTP status, or the code of the error. */
  readonly result: string;
}

export interface OperationLog {
  /**
   * Has the entry written with the first change that is made in `context`, as one that succeeded. What it makes is what the
   * change resolves with, by its `id`.
   */
  expect(operation: Operation, context: RequestContext): void;
  /** Resolves once the entry is durable, with this result. */
  record(operation: Operation, context: RequestContext | undefined): Promise<void>;
}

/** The events that are to be written with a change, once it is known what it resolves with. */
type AlsoWritten = (result: unknown) => readonly OutgoingEvent[];

type EventOf = (operation: Operation, more: { at: string; supersedes?: string }) => OutgoingEvent;

/** An entry that is written with the first change of its request, and needs no separate commit. */
class ExpectedEntry {
  readonly operation: Operation;
  readonly at: string;
  readonly #eventOf: EventOf;
  #state: 'closed' | 'open' | 'taken' | 'written' = 'open';
  #change: Promise<unknown> = Promise.resolve();
  #told: { readonly eventId: string; readonly made: number | undefined } | undefined;

  constructor(operation: Operation, at: string, eventOf: EventOf) {
    this.operation = operation;
    this.at = at;
    this.#eventOf = eventOf;
  }

  /** Makes a change that takes the entry along, if none has yet. */
  async goWith<T>(change: (also: AlsoWritten) => Promise<T>): Promise<T> {
    if (this.#state !== 'open') return change(nothing);
    this.#state = 'taken';
    // Of a change that collides with another and is made again, the last time counts.
    const changed = change((result) => {
      const made = this.operation.makes ? idOf(result) : undefined;
      const event = this.#eventOf({ ...this.operation, made }, { at: this.at });
      this.#told = { eventId: event.envelope.id, made };
      return [event];
    });
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

  /** From now on no change includes the entry. @returns the entry that a change has already written, if any */
  async close(): Promise<{ readonly eventId: string; readonly made: number | undefined } | undefined> {
    await this.#change.catch(() => undefined);
    const told = this.#state === 'written' ? this.#told : undefined;
    this.#state = 'closed';
    return told;
  }
}

const records = new WeakMap<RequestContext, OperationRecord>();

/**
 * Tells the operation log which record the present request is about, if neither its path nor its body says so or its name. To be
 * called within the change, which the entry is written with.
 */
export function concernsRecord({ id, name }: OperationRecord): void {
  const context = currentContext();
  if (context) records.set(context, { id, name });
}

/** The record that a request is about, once its handler knows it. */
export function recordOf(context: RequestContext | undefined): OperationRecord | undefined {
  return context && records.get(context);
}

const selections = new WeakMap<RequestContext, readonly number[]>();

/** As `concernsRecord`, of the records that were selected by a filter: as many are kept as a call may name. */
export function concernsRecords(ids: readonly number[]): void {
  const context = currentContext();
  if (context) selections.set(context, ids.slice(0, limits.maxIdsPerDelete));
}

/** The records that a request has selected, once its handler knows them. */
export function selectedIn(context: RequestContext | undefined): readonly number[] | undefined {
  return context && selections.get(context);
}

const nothing: AlsoWritten = () => [];

/** The id of a record, where it is a number: anything else may be a secret. */
export function idOf(record: unknown): number | undefined {
  if (typeof record !== 'object' || record === null || !('id' in record)) return undefined;
  return Number.isSafeInteger(record.id) ? Number(record.id) : undefined;
}

const expected = new WeakMap<RequestContext, ExpectedEntry>();

/** Makes a change; what `also` answers of its result is to be written with it. */
export async function withExpectedEntry<T>(change: (also: AlsoWritten) => Promise<T>): Promise<T> {
  const context = currentContext();
  const entry = context && expected.get(context);
  return entry ? entry.goWith(change) : change(nothing);
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

  const eventOf: EventOf = (operation, more) => {
    const { subject } = operation;
    const person = subject?.kind === 'tenant' || subject?.kind === 'unknown' ? undefined : subject;
    return createEvent(
      operationEvents.operationLogged,
      {
        subject: operation.requestId,
        partnerId: subject && 'partnerId' in subject ? subject.partnerId : null,
        data: {
          requestId: operation.requestId,
          accountKind: person?.kind ?? null,
          accountId: person?.id ?? null,
          role: person?.role ?? null,
          ...(person?.kind === 'admin' && person.unitId !== null && { unitId: person.unitId }),
          address: operation.address.slice(0, longest),
          agent: operation.agent.slice(0, longest),
          operation: operation.contract.id,
          target: targetOf(operation),
          ...recordsOf(operation),
          ...(subject && 'login' in subject && { login: subject.login }),
          result: operation.result,
          ...more,
        },
      },
      { source, clock, traceparent: currentContext()?.traceparent },
    );
  };

  const now = () => clock.now().toISOString();

  return {
    expect(operation, context) {
      expected.set(context, new ExpectedEntry(operation, now(), eventOf));
    },

    async record(operation, context) {
      const entry = context && expected.get(context);
      const told = await entry?.close();
      const { made, result } = operation;
      if (entry && told && entry.operation.result === result && told.made === made) return;
      // The entry is written already, but the result differs from the expected one.
      const sequel = entry && told && { at: entry.at, supersedes: told.eventId };
      waiting.push(eventOf(operation, sequel ?? { at: now() }));
      // Entries that arrive during a write go with the next one.
      next ??= writing = writing.catch(() => undefined).then(flush);
      await next;
    },
  };
}

/** What the operation concerns. What concerns nothing else concerns the account of who makes it. */
function recordsOf({ about, made, selected, subject, targetIds, targetKind, targetName }: Operation) {
  if (targetKind === undefined) {
    const isPerson = subject?.kind === 'account' || subject?.kind === 'admin';
    return isPerson && { targetKind: selfKinds[subject.kind], targetIds: [subject.id] };
  }
  const record = about();
  const ids = [record?.id ?? made ?? selected() ?? targetIds].flat();
  const name = record?.name ?? targetName ?? null;
  // Somebody may have put a key into the field of the name. The call is refused, perhaps, but is logged all the same.
  return {
    targetKind,
    targetIds: ids,
    targetName: name !== null && holdsNoPem(name) ? storable(name) : null,
  };
}

/** A name may come from a body that no contract has read: PostgreSQL takes neither halves of characters nor NUL. */
function storable(name: string): string {
  return name.slice(0, longest).toWellFormed().replaceAll('\0', '');
}

const selfKinds = { account: 'user', admin: 'admin' } as const;

function targetOf({ made, target }: Operation): string {
  return made === undefined ? target : `${target}?id=${made}`;
}
