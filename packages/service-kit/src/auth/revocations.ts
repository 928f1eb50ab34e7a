import { identityEvents } from '@portal/contracts';
import { listRevocations } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { BusSubscription, EventBus } from '@portal/messaging';
import type { Peers } from '../peers.ts';

/**
 * The sessions that were revoked before their tokens expire. Every instance receives each revocation by broadcast as soon
 * as it is published. In addition it reads all revocations when it starts and new ones every few seconds, so a bus that is
 * unavailable delays a logout by no more than that.
 */
export interface Revocations {
  has(sessionId: string): boolean;
  /** Resolves once the earlier revocations are read; rejects if that fails. */
  loaded(): Promise<void>;
  close(): Promise<void>;
}

interface EndedSession {
  readonly sessionId: string;
  readonly expiresAt: string;
}

/** Those that ended since a time, or all of which a token may still be about. */
export type ReadRevocations = (since?: Date) => Promise<readonly EndedSession[]>;

/** Asks the identity service. */
export const revocationsOf =
  (peers: Peers): ReadRevocations =>
  async (since) =>
    (await peers.call(listRevocations, { body: since ? { since: since.toISOString() } : {} })).sessions;

const readEveryMs = 5_000;
/** Clocks differ, and a change commits a while after the time that it bears. */
const overlapMs = 30_000;

export async function followRevocations(options: {
  bus: EventBus;
  clock: Clock;
  read: ReadRevocations;
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

  // A failed read is made up by the next one; work continues while the identity service is unavailable.
  let readUpTo = clock.now();
  const reading = setInterval(() => {
    const now = clock.now();
    // An expired token needs no revocation any more.
    for (const [sessionId, expiresAt] of ended) if (expiresAt <= now.getTime()) ended.delete(sessionId);
    read(new Date(readUpTo.getTime() - overlapMs)).then(
      (sessions) => {
        for (const session of sessions) add(session);
        readUpTo = now;
      },
      () => undefined,
    );
  }, readEveryMs);
  reading.unref();

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
      clearInterval(reading);
      await subscription.close();
    },
  };
}
