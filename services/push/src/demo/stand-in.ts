import type { Clock } from '@portal/kernel';
import type { TakenPush } from '@portal/push-stand-in';
import { type Store, systemScope } from '@portal/service-kit';
import type { PushDb } from '../data/db.ts';
import type { ProviderPlaces } from '../providers/providers.ts';
import { keepPushes } from './data/pushbox-repository.ts';

export interface StandIn {
  /** Starts it, where it has not started. */
  places(): Promise<ProviderPlaces>;
  close(): Promise<void>;
}

/**
 * What a demo sends to instead of FCM and APNs: servers on this machine that speak their protocols. They take every certificate that
 * the product has; what they take, `/dev/pushbox` shows.
 */
export function createStandIn({
  clock,
  store,
}: {
  readonly clock: Clock;
  readonly store: Store<PushDb>;
}): StandIn {
  const keep = createKeeping(async (pushes) => {
    await store.write(systemScope('the demo keeps the pushes of all tenants'), ({ db }) =>
      keepPushes(db, pushes, clock.now()),
    );
  });

  async function start() {
    // Only a demo needs it, and only when it sends.
    const { createAuthority, startApnsServer, startFcmServer } = await import('@portal/push-stand-in');
    const authority = await createAuthority();
    const fcm = await startFcmServer({ authority, onPush: keep });
    const apns = await startApnsServer({ authority, onPush: keep, trustsEveryone: true });
    return { authority, fcm, apns };
  }
  let started: ReturnType<typeof start> | undefined;

  return {
    async places() {
      started ??= start();
      const { apns, authority, fcm } = await started;
      const ca = authority.certificate;
      return {
        fcm: { url: fcm.url, ca },
        apns: { url: apns.url, ca },
        knowAccount: (account) => fcm.knowAccount(account),
      };
    },
    async close() {
      const servers = await started;
      await Promise.all([servers?.fcm.close(), servers?.apns.close()]);
    },
  };
}

/** Keeps what comes while something is kept together, after it. */
function createKeeping(
  keepAll: (pushes: readonly TakenPush[]) => Promise<void>,
): (push: TakenPush) => Promise<void> {
  let waiting: TakenPush[] = [];
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return async (push) => {
    waiting.push(push);
    next ??= last
      .catch(() => undefined)
      .then(async () => {
        const pushes = waiting;
        waiting = [];
        next = undefined;
        last = keepAll(pushes);
        return last;
      });
    return next;
  };
}
