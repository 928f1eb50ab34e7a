import { identityEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { BusSubscription, EventBus } from '@portal/messaging';

/**
 * The sessions that ended before their tokens run out. Every instance hears of each by broadcast the moment it is
 * published, and reads what happened before its start once.
 */
export interface Revocations {
  has(sessionId: string): boolean;
  /** Resolves once the past is read; rejects while it cannot be. */
  loaded(): Promise<void>;
  close(): Promise<void>;
}

interface EndedSession {
  readonly sessionId: string;
  readonly expiresAt: string;
}

const forgetEveryMs = 60_000;

export async function followRevocations(options: {
  bus: EventBus;
  clock: Clock;
  /** Sessions that ended already. */
  read: () => Promise<readonly EndedSession[]>;
}): Promise<Revocations> {
  const { bus, clock, read } = options;
  const ended = new Map<string, number>();
  let loading: Promise<void> | undefined;

  const add = ({ sessionId, expiresAt }: EndedSession) => ended.set(sessionId, Date.parse(expiresAt));

  async function load(): Promise<void> {
    for (const session of await read()) add(session);
  }

  const subscription: BusSubscription = await bus.broadcast({
    topics: [identityEvents.sessionRevoked.topic],
    onEvent(envelope) {
      if (envelope.type !== identityEvents.sessionRevoked.type) return;
      add(identityEvents.sessionRevoked.data.parse(envelope.data));
    },
  });

  // A token that is over needs no revocation any more.
  const forgetting = setInterval(() => {
    const now = clock.now().getTime();
    for (const [sessionId, expiresAt] of ended) if (expiresAt <= now) ended.delete(sessionId);
  }, forgetEveryMs);
  forgetting.unref();

  return {
    has: (sessionId) => ended.has(sessionId),
    loaded() {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    async close() {
      clearInterval(forgetting);
      await subscription.close();
    },
  };
}
