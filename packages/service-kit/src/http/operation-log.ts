import { operationEvents, type RouteContract } from '@portal/contracts';
import { type Clock, currentContext } from '@portal/kernel';
import { createEvent, type OutgoingEvent } from '@portal/messaging';
import type { Caller } from '../auth/caller.ts';

/** Who did it: `admin` is a platform or unit administrator, `account` a person of a tenant. */
export interface OperationActor {
  readonly kind: 'admin' | 'account';
  readonly id: number;
  readonly role: number;
  readonly partnerId: number | null;
}

export function actorOf(caller: Caller): OperationActor {
  return caller.kind === 'admin'
    ? { kind: 'admin', id: caller.adminId, role: caller.role, partnerId: null }
    : { kind: 'account', id: caller.accountId, role: caller.role, partnerId: caller.partnerId };
}

export interface Operation {
  readonly contract: RouteContract;
  /** Undefined where nobody is known, as after a refused sign-in. */
  readonly actor: OperationActor | undefined;
  readonly requestId: string;
  readonly address: string;
  readonly agent: string;
  /** The path without its query. */
  readonly target: string;
  /** The HTTP status, or the code of the error. */
  readonly result: string;
}

export interface OperationLog {
  /** Resolves once the entry is durable. */
  record(operation: Operation): Promise<void>;
}

const longest = 500;

/**
 * Writes `operation.logged` events to the outbox. Entries of requests that end together share one transaction, so that
 * the log costs a busy service far less than one commit a request.
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

  return {
    async record(operation) {
      const { actor } = operation;
      waiting.push(
        createEvent(
          operationEvents.operationLogged,
          {
            subject: operation.requestId,
            partnerId: actor?.partnerId ?? null,
            data: {
              requestId: operation.requestId,
              accountKind: actor?.kind ?? null,
              accountId: actor?.id ?? null,
              role: actor?.role ?? null,
              address: operation.address.slice(0, longest),
              agent: operation.agent.slice(0, longest),
              operation: operation.contract.id,
              target: operation.target.slice(0, longest),
              result: operation.result,
              at: clock.now().toISOString(),
            },
          },
          { source, clock, traceparent: currentContext()?.traceparent },
        ),
      );
      // Whoever comes while a write is under way goes with the next one.
      next ??= writing = writing.catch(() => undefined).then(flush);
      await next;
    },
  };
}
