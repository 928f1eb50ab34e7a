import type { EventDefinition } from '../core/event.ts';
import { type ServiceName, serviceNames, services, servicesWithDatabase } from '../core/services.ts';
import receivers from './receivers.json' with { type: 'json' };

/** The services that tell of what happens on a topic, first the one that it has its name from. */
export function sendersOf(topic: string): readonly ServiceName[] {
  if (topic === 'portal.operations') return servicesWithDatabase;
  const senders = serviceNames.filter((name) => services[name].topics.some((one) => one === topic));
  const isItsOwn = (name: ServiceName) => topic === `portal.${name}`;
  return [...senders.filter(isItsOwn), ...senders.filter((name) => !isItsOwn(name))];
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
