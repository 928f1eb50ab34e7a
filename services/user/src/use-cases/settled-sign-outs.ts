import { setTimeout as sleep } from 'node:timers/promises';
import { identityEvents } from '@portal/contracts';
import type { Logger } from '@portal/kernel';
import type { ServiceContext } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';

/**
 * Resolves when the sessions of these `user.signed_out` events have ended, everywhere. What asks for it is stored, so an
 * identity service that is away is no reason to refuse it: then it resolves after a while all the same.
 */
export type SignOutsSettled = (eventIds: readonly string[]) => Promise<void>;

const settledWithinMs = 2_000;

export async function followSignOuts({
  subscribe,
  logger,
}: Pick<ServiceContext<UserDb, unknown>, 'subscribe'> & {
  readonly logger: Logger;
}): Promise<SignOutsSettled> {
  /** Recently settled sign-outs, which may have arrived before anybody waited for them. */
  const settled = new Set<string>();
  const waiting = new Map<string, () => void>();
  await subscribe(identityEvents.signOutsSettled, ({ eventIds }) => {
    for (const id of eventIds) {
      settled.add(id);
      setTimeout(() => settled.delete(id), settledWithinMs).unref();
      waiting.get(id)?.();
    }
  });

  return async (eventIds) => {
    const missing = eventIds.filter((id) => !settled.has(id));
    if (missing.length === 0) return;
    const all = Promise.all(
      missing.map(async (id) => new Promise<void>((resolve) => waiting.set(id, resolve))),
    );
    const given = new AbortController();
    const late = sleep(settledWithinMs, 'late' as const, { signal: given.signal, ref: false }).catch(
      () => undefined,
    );
    if ((await Promise.race([all, late])) === 'late') {
      logger.warn({ signOuts: missing.length }, 'Ended sessions are not known everywhere yet');
    }
    given.abort();
    for (const id of missing) waiting.delete(id);
  };
}
