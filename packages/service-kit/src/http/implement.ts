import type { Readable } from 'node:stream';
import type { Language, RouteContract, RouteInput } from '@portal/contracts';
import type { z } from 'zod';
import type { CallerOf } from '../auth/caller.ts';
import type { OperationActor, OperationSubject } from './operation-log.ts';

/** What a handler knows of the request beside its input. */
export interface Call<C extends RouteContract = RouteContract> {
  readonly caller: CallerOf<C>;
  readonly requestId: string;
  readonly language: Language;
  /** `X-Agent`, or the browser's `User-Agent`. */
  readonly agent: string;
  /** `X-Agent` where it is well-formed, for routes that need it in some cases alone. */
  readonly clientAgent: string | undefined;
  readonly address: string;
  /** The client is a browser that shows what it gets as a page. */
  readonly wantsPage: boolean;
  /** Tells the operation log whom a call without a caller is about, as far as it is known; what is told last counts. */
  concerns(subject: OperationSubject): void;
  /** Tells the operation log who signed in, before that is stored: the entry goes with it. */
  signedIn(actor: OperationActor): void;
}

/** An answer that is a stream of text rather than JSON, such as a CSV file. */
export class StreamReply {
  readonly body: Readable;
  readonly contentType: string;
  readonly fileName: string;

  constructor(body: Readable, options: { contentType: string; fileName: string }) {
    this.body = body;
    this.contentType = options.contentType;
    this.fileName = options.fileName;
  }
}

/** An answer that a browser shows as a page. No script runs in it. */
export class PageReply {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Handler<C extends RouteContract> = (
  input: RouteInput<C>,
  call: Call<C>,
) => Promise<z.input<C['response']> | PageReply | StreamReply>;

export interface Implementation {
  readonly contract: RouteContract;
  readonly handle: Handler<RouteContract>;
}

/** Ties a handler to the contract that it fulfils. The kit checks access and input before, and the answer after. */
export function implement<C extends RouteContract>(contract: C, handle: Handler<C>): Implementation {
  // The kit calls `handle` only with what `contract` itself has parsed and authorised.
  return { contract, handle: handle as Handler<RouteContract> };
}
