import { allEvents } from '../catalogue.ts';
import { topics } from '../core/event.ts';
import { eventSchema, type JsonSchema } from './json-schema.ts';

/** CloudEvents 1.0 in its JSON format, with the extensions that the product adds. */
const envelope = (type: string, topic: string, data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'partnerid', 'dataschema', 'data'],
  properties: {
    specversion: { const: '1.0' },
    id: { type: 'string', format: 'uuid', description: 'UUIDv7; a repeat has the same id' },
    source: { type: 'string', description: `The service; the topic is ${topic}` },
    type: { const: type },
    subject: { type: 'string', description: "The aggregate's id, which is the key of the message" },
    time: { type: 'string', format: 'date-time' },
    partnerid: { type: ['integer', 'null'], description: 'The tenant' },
    traceparent: { type: 'string' },
    datacontenttype: { const: 'application/json' },
    dataschema: { type: 'string' },
    data,
  },
});

const nameOf = (type: string) => type.replace(/[^a-z0-9]/g, '_');

/** The event contract as an AsyncAPI 3 document. */
export function asyncApiDocument(): JsonSchema {
  const byTopic = Map.groupBy(allEvents, ({ topic }) => topic);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Haishin Portal events',
      version: '1.0.0',
      description:
        'What happened, told at least once and in order per key. Consumers remember the event id, so that a repeat does nothing.',
    },
    channels: Object.fromEntries(
      topics.map((topic) => [
        nameOf(topic),
        {
          address: topic,
          messages: Object.fromEntries(
            (byTopic.get(topic) ?? []).map(({ type }) => [
              nameOf(type),
              { $ref: `#/components/messages/${nameOf(type)}` },
            ]),
          ),
        },
      ]),
    ),
    operations: Object.fromEntries(
      topics.map((topic) => [
        `send_${nameOf(topic)}`,
        { action: 'send', channel: { $ref: `#/channels/${nameOf(topic)}` } },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        allEvents.map(({ type, topic, summary, data, example }) => [
          nameOf(type),
          {
            name: type,
            summary,
            contentType: 'application/cloudevents+json',
            payload: envelope(type, topic, eventSchema(data)),
            examples: [
              {
                payload: {
                  specversion: '1.0',
                  id: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
                  source: topic.replace('portal.', ''),
                  type,
                  subject: '1',
                  time: '2026-11-21T09:00:00.000Z',
                  partnerid: 1,
                  datacontenttype: 'application/json',
                  dataschema: `urn:portal:event:${type}`,
                  data: example,
                },
              },
            ],
          },
        ]),
      ),
    },
  };
}
