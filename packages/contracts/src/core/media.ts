import { z } from 'zod';
import { verbatim } from './wire.ts';

/** What a body or an answer is on the wire. */
export type Media =
  | {
      readonly kind: 'json';
      readonly types: readonly [string, ...string[]];
      /** No schema looks at its keys, so that none is refused before the handler. */
      readonly anyKeys?: true;
    }
  | { readonly kind: 'form'; readonly types: readonly ['application/x-www-form-urlencoded'] }
  | {
      readonly kind: 'bytes';
      readonly types: readonly [string, ...string[]];
      /** It may be compressed. */
      readonly gzip?: true;
    }
  | {
      readonly kind: 'events';
      readonly types: readonly ['text/event-stream'];
      /** The type of each event, and its `data` as JSON. */
      readonly event: string;
      readonly data: z.ZodType;
    }
  | { readonly kind: 'redirect' | 'nothing' };

const json: Media = { kind: 'json', types: ['application/json'] };
const media = new WeakMap<z.core.$ZodType, Media>();

function as<S extends z.ZodType>(schema: S, kind: Media): S {
  media.set(schema, kind);
  return schema;
}

/** What a schema of a contract is on the wire: JSON unless it says otherwise. */
export const mediaOf = (schema: z.core.$ZodType): Media => media.get(schema) ?? json;

/**
 * JSON of another protocol: the names stay as the schema declares them, and the content type is one of `types`, for answers
 * the first.
 */
export const jsonOf = <S extends z.ZodType>(types: readonly [string, ...string[]], schema: S): S =>
  as(verbatim(schema), { kind: 'json', types });

/**
 * A JSON object of the customer's, with whatever keys: also those of JavaScript's prototypes, which the handler must expect. A schema
 * that copied such keys would be dangerous, so that there is none; `description` says what the handler refuses.
 */
export const customerJson = (description: string): z.ZodType<Readonly<Record<string, unknown>>> => {
  // The kit refuses what is no object.
  const schema = z.unknown().meta({ type: 'object', description });
  return as(verbatim(schema) as z.ZodType as z.ZodType<Readonly<Record<string, unknown>>>, {
    kind: 'json',
    types: ['application/json'],
    anyKeys: true,
  });
};

/** A form, as browsers post it. The names stay as the schema declares them. */
export const form = <S extends z.ZodObject>(schema: S): S =>
  as(verbatim(schema), { kind: 'form', types: ['application/x-www-form-urlencoded'] });

/** A body that a handler reads as a stream, and what a caller of the client gives. */
export interface BytesIn<T extends string> {
  /** Which of the declared types it is. */
  readonly type: T;
  readonly content: AsyncIterable<Uint8Array>;
}
export interface BytesToSend<T extends string> {
  readonly type: T;
  readonly content: Blob | string;
}

/** A streamed body with one of these content types, of any length up to the route's `maxBody`; the kit does not parse it. */
export function bytesIn<const T extends string>(...types: readonly [T, ...T[]]) {
  // What a caller gives and what a handler gets differ, which zod can only say of a transform; neither is ever parsed.
  return as(z.custom<BytesIn<T>>() as unknown as z.ZodType<BytesIn<T>, BytesToSend<T>>, {
    kind: 'bytes',
    types,
  });
}

/** The same body, which a caller may compress (`Content-Encoding: gzip`): the handler gets it inflated, and `maxBody` bounds both. */
export const orGzipped = <S extends z.ZodType>(schema: S): S => {
  const bytes = mediaOf(schema);
  if (bytes.kind !== 'bytes') throw new Error('Only streams are inflated');
  return as(schema.clone(), { ...bytes, gzip: true });
};

/** What a handler returns for a streamed answer. */
export interface BytesOut<T extends string> {
  /** Which of the declared types it is: the first unless told. */
  readonly type?: T;
  readonly content: AsyncIterable<Uint8Array | string> | string | Uint8Array;
  /** Makes browsers save the answer as a file of this name. */
  readonly fileName?: string;
}

/** A streamed answer with one of these content types, of any length. `call` of the client gives the whole of it as a text. */
export function bytesOut<const T extends string>(...types: readonly [T, ...T[]]) {
  // As above: a handler returns one type, and a caller gets another.
  return as(z.string() as unknown as z.ZodType<string, BytesOut<T>>, { kind: 'bytes', types });
}

/** What a handler returns for a stream of events. */
export interface EventsOut<D> {
  /**
   * The events from the call on, oldest first, until `signal` aborts: the kit aborts it with the session, with the connection and
   * when the service stops. It takes the next only when the reader has room for it.
   */
  follow(signal: AbortSignal): AsyncIterable<{ readonly id: string; readonly data: D }>;
}

/**
 * An answer that stays open and tells of what happens, as server-sent events: of the type `event`, each with an id, which a
 * client that comes again names in `Last-Event-ID`, and `data` as JSON. The kit adds a heartbeat, and ends it with the session.
 */
export function eventsOut<S extends z.ZodType>(event: string, data: S) {
  // As for bytes: what a handler returns and what a caller gets differ.
  return as(z.string() as unknown as z.ZodType<string, EventsOut<z.input<S>>>, {
    kind: 'events',
    types: ['text/event-stream'],
    event,
    data,
  });
}

/** Whether a route answers for as long as its caller stays: with a stream of events. */
export const staysOpen = ({ response }: { readonly response: z.ZodType }): boolean =>
  mediaOf(response).kind === 'events';

/** A redirect to an absolute address. */
export const redirect: z.ZodType<string, string> = as(z.url(), { kind: 'redirect' });

/** An answer without a body. */
export const nothing: z.ZodType<undefined, undefined> = as(z.undefined(), { kind: 'nothing' });
