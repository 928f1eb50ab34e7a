import type { Language, RouteContract, RouteInput } from '@portal/contracts';
import type { CallerOf, ScopesOf } from '../auth/caller.ts';
import type { HandlerReply } from './answer.ts';
import type { OperationActor, OperationSubject } from './operation-log.ts';

/** What a handler knows of the request beside its input. */
export interface Call<C extends RouteContract = RouteContract> {
  readonly caller: CallerOf<C>;
  /** Whose rows the caller may see: for transactions that are not one partner's. Undefined where nobody is signed in. */
  readonly scope: ScopesOf<C>['scope'];
  /** Where nobody is signed in: the rows of all tenants, for the reason that is given. */
  readonly systemScope: ScopesOf<C>['systemScope'];
  readonly requestId: string;
  readonly language: Language;
  /** `X-Agent`, or the browser's `User-Agent`. */
  readonly agent: string;
  /** `X-Agent` where it is well-formed, for routes that need it in some cases alone. */
  readonly clientAgent: string | undefined;
  /** `Last-Event-ID`, as a client sends it that had a stream of events before. */
  readonly lastEventId: string | undefined;
  readonly address: string;
  /** The query as it came, which signatures cover; empty without one. */
  readonly rawQuery: string;
  /** The client is a browser that shows what it gets as a page. */
  readonly wantsPage: boolean;
  /** For versioned routes: the caller names the versions that it has seen, of which `checkVersion` wants to be told the present one. */
  readonly conditional: boolean;
  /**
   * For versioned routes: refuses with 412 if `If-Match` names another version than this one, the present one; undefined:
   * there is no record.
   */
  checkVersion(version: string | undefined): void;
  /** Sets the subject of a call without a caller for the operation log, as far as it is known; the last value counts. */
  concerns(subject: OperationSubject): void;
  /** Sets who signed in for the operation log, before the session is stored, because the entry is stored with it. */
  signedIn(actor: OperationActor): void;
}

export type Handler<C extends RouteContract> = (
  input: RouteInput<C>,
  call: Call<C>,
) => Promise<HandlerReply<C>>;

export interface Implementation {
  /** The route, and what it is at other paths. */
  readonly contracts: readonly RouteContract[];
  readonly handle: Handler<RouteContract>;
}

/**
 * Ties a handler to the contract that it fulfils, or to all those of one route at several paths. The kit checks access and
 * input before, and the answer after.
 */
export function implement<C extends RouteContract>(
  contracts: C | readonly C[],
  handle: Handler<C>,
): Implementation {
  // The kit calls `handle` only with what one of `contracts` has parsed and authorised.
  return {
    contracts: [contracts].flat() as RouteContract[],
    handle: handle as unknown as Handler<RouteContract>,
  };
}
