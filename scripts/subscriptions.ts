import { globSync } from 'node:fs';
import { join, sep } from 'node:path';

/** An event that a service has an effect of, from its `events/subscriptions.ts`. */
export interface ServiceSubscription {
  readonly service: string;
  /** As the inbox knows it: `file.keep-groups`. */
  readonly handler: string;
  readonly event: { readonly type: string; readonly topic: string };
}

const root = join(import.meta.dirname, '..');

/** What every service subscribes to. Reads the sources alone: nothing is started. */
export async function allSubscriptions(): Promise<readonly ServiceSubscription[]> {
  const found: ServiceSubscription[] = [];
  for (const path of globSync('services/*/src/events/subscriptions.ts', { cwd: root }).sort()) {
    const [, service = ''] = path.split(sep);
    const { subscriptions } = (await import(join(root, path))) as { subscriptions: unknown };
    // What the handlers need they use only when an event comes.
    const handlers: unknown = typeof subscriptions === 'function' ? subscriptions({}) : subscriptions;
    for (const { event, name } of handlers as readonly {
      name: string;
      event: ServiceSubscription['event'];
    }[]) {
      found.push({ service, handler: `${service}.${name}`, event });
    }
  }
  return found;
}
