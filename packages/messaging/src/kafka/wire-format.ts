import type { Message } from 'kafkajs';
import type { EventEnvelope } from '../event.ts';
import type { BusMessage } from '../event-bus.ts';
import { isStorable } from '../storable.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** In the structured mode of the Kafka binding of CloudEvents. */
export function toKafkaMessage({ key, envelope }: BusMessage): Message & { readonly value: string } {
  const { traceparent } = envelope;
  return {
    key,
    value: JSON.stringify(envelope),
    headers: {
      'content-type': 'application/cloudevents+json; charset=UTF-8',
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  };
}

/** @throws Error that says what is wrong, without the content, when the bytes are no envelope that an inbox can keep */
export function parseEnvelope(bytes: Buffer | null): EventEnvelope {
  if (!bytes) throw new Error('The message is empty');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The message is not JSON');
  }
  if (!isEnvelope(value)) throw new Error('The message is not an event of this product');
  if (!isStorable(value, text)) {
    throw new Error('The message has characters that a database cannot keep');
  }
  return value;
}

function isEnvelope(value: unknown): value is EventEnvelope {
  if (!isRecord(value)) return false;
  const { id, partnerid, traceparent } = value;
  return (
    value['specversion'] === '1.0' &&
    value['datacontenttype'] === 'application/json' &&
    typeof id === 'string' &&
    uuid.test(id) &&
    ['source', 'type', 'subject', 'time', 'dataschema'].every((name) => isText(value[name])) &&
    (partnerid === null || Number.isSafeInteger(partnerid)) &&
    (traceparent === undefined || isText(traceparent)) &&
    'data' in value
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
