import { identityEvents, limits, type RouteReply } from '@portal/contracts';
import { listRevocations } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { BusSubscription, EventBus } from '@portal/messaging';
import type { Peers } from '../peers.ts';
import type { Caller } from './caller.ts';

/**
 * What has become of tokens that are not over yet: the sessions that were revoked, and the administrators who have another
 * role. Every instance receives each change by broadcast as soon as it is published. In addition it reads all changes when it
 * starts and new ones every few seconds, so a bus that is unavailable delays a logout by no more than that.
 */
export interface Revocations {
  has(sessionId: string): boolean;
  /** The caller as their token says, or with the role that they got since it was made. */
  withRoleOfNow(caller: Caller): Caller;
  /** Resolves once the earlier changes are read; rejects if that fails. */
  loaded(): Promise<void>;
  close(): Promise<void>;
}

type Changes = RouteReply<typeof listRevocations>;
type EndedSession = Changes['sessions'][number];
type ChangedRole = Changes['roles'][number];

/** Those since a time, or all of which a token may still be about. */
export type ReadRevocations = (since?: Date) => Promise<Changes>;

/** Asks the identity service. */
export const revocationsOf =
  (peers: Peers): ReadRevocations =>
  async (since) =>
    peers.call(listRevocations, { body: since ? { since: since.toISOString() } : {} });

const readEveryMs = 5_000;
/** Clocks differ, and a change commits a while after the time that it bears. */
const overlapMs = 30_000;
/** A token from before a change is over by then, be it signed a while after. */
const roleKeptMs = limits.accessTokenLifetimeSeconds * 1000 + overlapMs;

export async function followRevocations(options: {
  bus: EventBus;
  clock: Clock;
  read: ReadRevocations;
}): Promise<Revocations> {
  const { bus, clock, read } = options;
  const ended = new Map<string, number>();
  const roles = new Map<number, ChangedRole & { readonly until: number }>();
  let loading: Promise<void> | undefined;

  const end = ({ sessionId, expiresAt }: EndedSession) => ended.set(sessionId, Date.parse(expiresAt));

  function changeRole({ adminId, revision, role }: ChangedRole): void {
    const known = roles.get(adminId);
    if (known && known.revision > revision) return;
    roles.set(adminId, { adminId, revision, role, until: clock.now().getTime() + roleKeptMs });
  }

  function apply(changes: Changes): void {
    for (const session of changes.sessions) end(session);
    for (const role of changes.roles) changeRole(role);
  }

  async function load(): Promise<void> {
    apply(await read());
  }

  const { adminUpdated, sessionRevoked } = identityEvents;
  const subscription: BusSubscription = await bus.broadcast({
    topics: [sessionRevoked.topic],
    onEvent(envelope) {
      if (envelope.type === sessionRevoked.type) end(sessionRevoked.data.parse(envelope.data));
      if (envelope.type === adminUpdated.type) {
        const { adminId, revision = 0, role } = adminUpdated.data.parse(envelope.data);
        changeRole({ adminId, revision, role });
      }
    },
  });

  // A failed read is made up by the next one; work continues while the identity service is unavailable.
  let readUpTo = clock.now();
  const reading = setInterval(() => {
    const now = clock.now();
    // An expired token needs no revocation any more.
    for (const [sessionId, expiresAt] of ended) if (expiresAt <= now.getTime()) ended.delete(sessionId);
    for (const [adminId, { until }] of roles) if (until <= now.getTime()) roles.delete(adminId);
    read(new Date(readUpTo.getTime() - overlapMs)).then(
      (changes) => {
        apply(changes);
        readUpTo = now;
      },
      () => undefined,
    );
  }, readEveryMs);
  reading.unref();

  return {
    has: (sessionId) => ended.has(sessionId),
    withRoleOfNow(caller) {
      if (caller.kind !== 'admin') return caller;
      const changed = roles.get(caller.adminId);
      return changed && changed.revision > caller.revision ? { ...caller, role: changed.role } : caller;
    },
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
