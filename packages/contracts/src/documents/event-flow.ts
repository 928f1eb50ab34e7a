import type { EventDefinition, Topic } from '../core/event.ts';
import type { ServiceName } from '../core/route.ts';
import receivers from './receivers.json' with { type: 'json' };

/** Every service with a database, and so with an operation log. */
const storing: readonly ServiceName[] = ['identity', 'tenant', 'user', 'file', 'mail', 'batch'];

const senders: Readonly<Record<Topic, readonly ServiceName[]>> = {
  'portal.tenant': ['tenant'],
  'portal.identity': ['identity'],
  'portal.user': ['user'],
  'portal.file': ['file'],
  'portal.batch': ['batch', 'tenant', 'user', 'file'],
  'portal.mail': ['mail', 'identity'],
  'portal.operations': storing,
};

/** The services that tell of what happens on a topic. */
export function sendersOf(topic: Topic): readonly string[] {
  return senders[topic];
}

/** The services that an event has an effect in. `npm run asyncapi` collects them from the subscriptions. */
export function receiversOf({ type }: EventDefinition): readonly string[] {
  return new Map<string, readonly string[]>(Object.entries(receivers)).get(type) ?? [];
}

/** A whole event of this type, as it is on the topic. */
export function exampleOf({ type, topic, key, tenant, example }: EventDefinition) {
  const data = new Map(Object.entries(Object(example)));
  return {
    specversion: '1.0',
    id: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    source: sendersOf(topic)[0],
    type,
    subject: String(data.get(key)),
    time: '2026-11-21T09:00:00.000Z',
    partnerid: tenant === 'never' ? null : 1,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    datacontenttype: 'application/json',
    dataschema: `urn:portal:event:${type}`,
    data: example,
  };
}
