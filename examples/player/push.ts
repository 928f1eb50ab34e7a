import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PushServiceName } from '@portal/contracts';
import { z } from 'zod';

/**
 * What a push service gives a device and brings to it. On a phone both are the work of its system: Firebase Cloud Messaging
 * (`fcm`) or Apple's service (`apns`). The demo has a stand-in for them, and shows what it took under `/dev/pushbox`.
 */

const pushbox = z.object({
  pushes: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      message: z.string(),
      json: z.string().nullable(),
    }),
  ),
});
export type ReceivedPush = z.output<typeof pushbox>['pushes'][number];

const lookEveryMs = 300;

/** A token in the form that the service gives to a device, another one at each call. */
export function newPushToken(service: PushServiceName): string {
  return service === 'apns' ? randomBytes(32).toString('hex') : randomBytes(108).toString('base64url');
}

/** The notifications that arrive for a token at the demo's stand-in, each once and in their order, until `signal` aborts. */
export async function* receivePushes(
  url: string,
  token: string,
  signal: AbortSignal,
): AsyncGenerator<ReceivedPush> {
  const seen = new Set<string>();
  while (!signal.aborted) {
    for (const push of await listPushes(url, token, signal)) {
      if (seen.has(push.id)) continue;
      seen.add(push.id);
      yield push;
    }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What arrived so far, the oldest first. */
async function listPushes(url: string, token: string, signal: AbortSignal): Promise<ReceivedPush[]> {
  const address = new URL('/dev/pushbox', url);
  address.searchParams.set('token', token);
  try {
    const answer = await fetch(address, { headers: { accept: 'application/json' }, signal });
    if (answer.status === 404)
      throw new Error(`${url} is no demo: its push notifications go to real devices`);
    if (!answer.ok) return [];
    return pushbox.parse(await answer.json()).pushes.reverse();
  } catch (error) {
    if (signal.aborted) return [];
    // The portal is away for a moment, as a network may be.
    if (error instanceof TypeError) return [];
    throw error;
  }
}
