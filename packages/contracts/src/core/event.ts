import type { z } from 'zod';

export const topics = [
  'portal.tenant',
  'portal.identity',
  'portal.user',
  'portal.file',
  'portal.batch',
  'portal.push',
  'portal.sso',
  'portal.document',
  'portal.mail',
  'portal.operations',
] as const;
export type Topic = (typeof topics)[number];

/** One type of event. Its schema may gain optional fields; anything else is a new type. */
export interface EventDefinition<T extends string = string, D extends z.ZodType = z.ZodType> {
  readonly type: T;
  /** `portal.` and the area that it is of. */
  readonly topic: string;
  /** Published before other events, even earlier ones of its subject. For changes that must take effect at once. */
  readonly urgent?: true;
  /** Nobody waits for it: published a moment later, together with all others of that moment. Not with `urgent`. */
  readonly late?: true;
  /** When it is sent, as a sentence that says what happened. */
  readonly summary: string;
  /** The field of `data` that holds the id of the aggregate: the subject of the event and the key of its message. */
  readonly key: string;
  /** Whether it names a tenant (`partnerid`). */
  readonly tenant: 'always' | 'sometimes' | 'never';
  readonly data: D;
  /** A complete example of `data`, checked against the schema by a test. */
  readonly example: z.input<D>;
}

/** Declares events on these topics. */
export function eventsOn<N extends string>() {
  return <const T extends string, D extends z.ZodType>(
    definition: EventDefinition<T, D> & { readonly topic: N; readonly key: keyof z.input<D> & string },
  ): EventDefinition<T, D> => definition;
}

/** Declares an event of the product. */
export const defineEvent = eventsOn<Topic>();

export type EventData<E extends EventDefinition> = z.output<E['data']>;
