import { limits } from '@portal/contracts';
import { type Clock, changeCount } from '@portal/kernel';

/** How many streams of events each session has open, here and at the other gateways. */
export interface OpenStreams {
  /** Opens one more of a session. @returns what closes it; undefined where the session has all that it may */
  open(sessionId: string): (() => void) | undefined;
  /** How many are open here, of the sessions of which that has changed since the last call; with `all` of every session. */
  untold(all: boolean): readonly StreamCount[];
  /** Another gateway says how many are open there. */
  learn(gateway: string, count: StreamCount): void;
}

export interface StreamCount {
  readonly sessionId: string;
  readonly count: number;
}

/** Gateways repeat what is open so often, in milliseconds. */
export const repeatStreamsMs = 30_000;
/** What a gateway has not repeated for so long is over: it may have been killed. */
const forgottenMs = 3 * repeatStreamsMs;

export function createOpenStreams(clock: Clock): OpenStreams {
  const here = new Map<string, number>();
  const changed = new Set<string>();
  /** By session and gateway. */
  const elsewhere = new Map<string, Map<string, { count: number; heardAt: number }>>();

  function change(sessionId: string, by: 1 | -1): void {
    changeCount(here, sessionId, by);
    changed.add(sessionId);
  }

  function openElsewhere(sessionId: string): number {
    const known = elsewhere.get(sessionId);
    if (!known) return 0;
    const now = clock.now().getTime();
    for (const [gateway, { heardAt }] of known) if (now - heardAt > forgottenMs) known.delete(gateway);
    if (known.size === 0) elsewhere.delete(sessionId);
    return [...known.values()].reduce((sum, { count }) => sum + count, 0);
  }

  return {
    open(sessionId) {
      if ((here.get(sessionId) ?? 0) + openElsewhere(sessionId) >= limits.streamsPerSession) return undefined;
      change(sessionId, 1);
      let isOpen = true;
      return () => {
        if (isOpen) change(sessionId, -1);
        isOpen = false;
      };
    },
    untold(all) {
      if (all) {
        // Also of sessions that nobody asks for any more.
        for (const sessionId of elsewhere.keys()) openElsewhere(sessionId);
      }
      const told = new Set(all ? [...changed, ...here.keys()] : changed);
      changed.clear();
      return [...told].map((sessionId) => ({ sessionId, count: here.get(sessionId) ?? 0 }));
    },
    learn(gateway, { count, sessionId }) {
      const known = elsewhere.get(sessionId) ?? new Map();
      if (count > 0) known.set(gateway, { count, heardAt: clock.now().getTime() });
      else known.delete(gateway);
      if (known.size > 0) elsewhere.set(sessionId, known);
      else elsewhere.delete(sessionId);
    },
  };
}
