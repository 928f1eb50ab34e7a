import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createApiClient } from '@portal/api-client';
import { type PushServiceName, pushRoutes, type RouteReply } from '@portal/contracts';

/**
 * What a push service gives a device and brings to it. On a phone both are the work of its system: Firebase Cloud Messaging
 * (`fcm`) or Apple's service (`apns`). The demo has a stand-in for them, and shows what it took under `/dev/pushbox`.
 */

export type ReceivedPush = RouteReply<typeof pushRoutes.devPushbox>['pushes'][number];

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
  const api = createApiClient({
    baseUrl: url,
    getToken: () => undefined,
    language: () => 'en',
    agent: 'example-player/1.0.0',
  });
  const seen = new Set<string>();

  /** What has arrived so far, the oldest first; nothing where the portal is away for a moment, as a network may be. */
  async function arrived(): Promise<ReceivedPush[]> {
    try {
      const { pushes } = await api.call(pushRoutes.devPushbox, { query: { token }, signal });
      return pushes.toReversed();
    } catch (error) {
      const isOver = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isOver && !signal.aborted) throw error;
      return [];
    }
  }

  while (!signal.aborted) {
    for (const push of await arrived()) {
      if (seen.has(push.id)) continue;
      seen.add(push.id);
      yield push;
    }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
