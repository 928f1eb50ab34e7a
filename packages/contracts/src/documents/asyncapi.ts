import { allEvents } from '../catalogue.ts';
import { type EventDefinition, type Topic, topics } from '../core/event.ts';
import { exampleOf, receiversOf, sendersOf } from './event-flow.ts';
import { eventSchema, type JsonSchema } from './json-schema.ts';

const bindingVersion = '0.5.0';

const nameOf = (text: string) => text.replace(/[^a-z0-9]/g, '_');
const reference = (...path: string[]) => ({ $ref: ['#', ...path].join('/') });
const eventsOf = (topic: Topic) => allEvents.filter((event) => event.topic === topic);
const messagesOf = (topic: Topic, events: readonly EventDefinition[]) =>
  events.map(({ type }) => reference('channels', nameOf(topic), 'messages', nameOf(type)));

const partnerSchemas = {
  always: { type: 'integer', description: 'The tenant' },
  never: { type: 'null', description: 'Belongs to no tenant' },
  sometimes: { type: ['integer', 'null'], description: 'The tenant; null if it belongs to none' },
} as const;

/** CloudEvents 1.0 in its JSON format, with the extensions that the product adds. */
function envelopeSchema({ type, topic, key, tenant, data }: EventDefinition): JsonSchema {
  return {
    type: 'object',
    required: [
      'specversion',
      'id',
      'source',
      'type',
      'subject',
      'time',
      'partnerid',
      'datacontenttype',
      'dataschema',
      'data',
    ],
    properties: {
      specversion: { const: '1.0' },
      id: { type: 'string', format: 'uuid', description: 'UUIDv7; a repeated event has the same id' },
      source: { type: 'string', enum: [...sendersOf(topic)], description: 'The service that published it' },
      type: { const: type },
      subject: { type: 'string', description: `The ${key} as text; also the key of the message` },
      time: { type: 'string', format: 'date-time', description: 'When it happened, UTC' },
      partnerid: partnerSchemas[tenant],
      traceparent: { type: 'string', description: 'W3C trace context of the request that caused it' },
      datacontenttype: { const: 'application/json' },
      dataschema: { const: `urn:portal:event:${type}` },
      data: eventSchema(data),
    },
  };
}

function message(event: EventDefinition): JsonSchema {
  const { key, summary, type } = event;
  const example = exampleOf(event);
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/cloudevents+json',
    payload: envelopeSchema(event),
    bindings: { kafka: { key: { type: 'string', description: `The ${key} as text` }, bindingVersion } },
    examples: [{ name: 'one', payload: example }],
  };
}

function sending(service: string, topic: Topic): JsonSchema {
  return {
    action: 'send',
    channel: reference('channels', nameOf(topic)),
    summary: `The ${service} service publishes its events.`,
    tags: [{ name: service }],
    messages: messagesOf(topic, eventsOf(topic)),
  };
}

function receiving(service: string, topic: Topic, events: readonly EventDefinition[]): JsonSchema {
  return {
    action: 'receive',
    channel: reference('channels', nameOf(topic)),
    summary: `The ${service} service handles the events that it needs.`,
    tags: [{ name: service }],
    messages: messagesOf(topic, events),
  };
}

function operations(): JsonSchema {
  const result: JsonSchema = {};
  for (const topic of topics) {
    for (const service of sendersOf(topic))
      result[`${service}_sends_${nameOf(topic)}`] = sending(service, topic);
    const services = new Set(eventsOf(topic).flatMap(receiversOf));
    for (const service of [...services].sort()) {
      const events = eventsOf(topic).filter((event) => receiversOf(event).includes(service));
      result[`${service}_receives_${nameOf(topic)}`] = receiving(service, topic, events);
    }
  }
  return result;
}

/** The event contract as an AsyncAPI 3 document. */
export function asyncApiDocument(): JsonSchema {
  return {
    asyncapi: '3.0.0',
    id: 'urn:portal:events',
    info: {
      title: 'Haishin Portal events',
      version: '1.0.0',
      description:
        'Events, delivered at least once and in order per key. Consumers store the event id to recognise repeats.',
      contact: { name: 'The operator of the portal' },
      license: { name: 'Proprietary' },
      tags: [{ name: 'events' }],
    },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      kafka: {
        host: '{brokers}',
        protocol: 'kafka',
        description: 'The Kafka of the installation',
        variables: {
          brokers: {
            default: '127.0.0.1:9092',
            description: 'Host and port of a broker; ask the operator of the portal',
          },
        },
      },
    },
    channels: Object.fromEntries(
      topics.map((topic) => [
        nameOf(topic),
        {
          address: topic,
          description: `The events of the services ${sendersOf(topic).join(', ')}, in order per key.`,
          servers: [reference('servers', 'kafka')],
          messages: Object.fromEntries(
            eventsOf(topic).map(({ type }) => [
              nameOf(type),
              reference('components', 'messages', nameOf(type)),
            ]),
          ),
          bindings: { kafka: { topic, bindingVersion } },
        },
      ]),
    ),
    operations: operations(),
    components: {
      messages: Object.fromEntries(allEvents.map((event) => [nameOf(event.type), message(event)])),
    },
  };
}
