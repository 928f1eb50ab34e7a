import { identityEvents } from '@portal/contracts';
import { listRevocations } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { BusSubscription, EventBus } from '@portal/messaging';
import type { Peers } from '../peers.ts';

/**
 * The sessions that ended before their tokens run out. Every instance hears of each by broadcast the moment it is
 * published; it reads what happened before its start, and every few seconds what was new, for as long as it lives: a bus
 * that is away delays a logout by no more than that.
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

  // What is missed is read the next time; that identity is away keeps nobody from working meanwhile.
  let readUpTo = clock.now();
  const reading = setInterval(() => {
    const now = clock.now();
    // A token that is over needs no revocation any more.
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
