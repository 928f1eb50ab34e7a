import { type Clock, newId } from '@portal/kernel';

/** What messaging needs to know of an event of the catalogue. `D` is the data that `parse` gives or throws on. */
export interface EventDefinition<D = unknown> {
  readonly type: string;
  readonly topic: string;
  /** Published before other events, even earlier ones of its subject. For changes that must take effect at once. */
  readonly urgent?: boolean | undefined;
  /** Nobody waits for it: published a moment later, together with all others of that moment. Not with `urgent`. */
  readonly late?: boolean | undefined;
  readonly data: { parse(value: unknown): D };
}

/** A CloudEvents 1.0 event in its JSON format. */
export interface EventEnvelope<D = unknown> {
  readonly specversion: '1.0';
  /** UUIDv7; the idempotency key of every effect, inside the product and outside. */
  readonly id: string;
  /** The service that published it. */
  readonly source: string;
  readonly type: string;
  /** The id of the aggregate; events of one subject keep their order. */
  readonly subject: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The tenant; null where the event belongs to none. */
  readonly partnerid: number | null;
  /** W3C trace context of the request that caused the event. */
  readonly traceparent?: string;
  readonly datacontenttype: 'application/json';
  readonly dataschema: string;
  readonly data: D;
}

/** An event ready to be appended to the outbox. */
export interface OutgoingEvent {
  readonly topic: string;
  readonly key: string;
  readonly urgent: boolean;
  readonly late: boolean;
  readonly envelope: EventEnvelope;
}

/**
 * Makes an event from its definition.
 * @throws what the definition's schema throws when `data` does not fit it
 */
export function createEvent<D>(
  definition: EventDefinition<D>,
  event: { readonly subject: string; readonly partnerId: number | null; readonly data: D },
  context: EventContext,
): OutgoingEvent {
  return {
    topic: definition.topic,
    key: event.subject,
    urgent: definition.urgent ?? false,
    late: definition.late ?? false,
    envelope: {
      id: newId(),
      subject: event.subject,
      ...sharedFields(definition, event, context),
      data: definition.data.parse(event.data),
    },
  };
}

/** Of whom an event is, and when. */
export interface EventContext {
  readonly source: string;
  readonly clock: Clock;
  readonly traceparent?: string | undefined;
}

/** What events have in common that are made together. */
export function sharedFields(
  definition: EventDefinition,
  { partnerId }: { readonly partnerId: number | null },
  { clock, source, traceparent }: EventContext,
): Omit<EventEnvelope, 'id' | 'subject' | 'data'> {
  return {
    specversion: '1.0',
    source,
    type: definition.type,
    time: clock.now().toISOString(),
    partnerid: partnerId,
    ...(traceparent === undefined ? {} : { traceparent }),
    datacontenttype: 'application/json',
    dataschema: `urn:portal:event:${definition.type}`,
  };
}
