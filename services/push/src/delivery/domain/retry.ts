import type { PushOutcome } from '../../providers/domain/outcomes.ts';

/** What a device's row says after a try. */
export type Noted =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'failed'; readonly reason: string; readonly isGone: boolean }
  | { readonly outcome: 'later'; readonly reason: string; readonly dueAt: Date };

const triedForMs = 3_600_000;
const firstMs = 1_000;
const longestMs = 60_000;

/**
 * What becomes of a device after the answer to a try. @param tries with this one @param chance from 0 to 1, which shortens a wait by up
 * to half
 */
export function noted(
  outcome: PushOutcome,
  {
    chance,
    firstTriedAt,
    now,
    tries,
  }: { readonly tries: number; readonly firstTriedAt: Date; readonly now: Date; readonly chance: number },
): Noted {
  if (outcome.kind === 'taken') return { outcome: 'taken' };
  const { reason } = outcome;
  if (outcome.kind !== 'later') return { outcome: 'failed', reason, isGone: outcome.kind === 'gone' };
  const full = Math.min(longestMs, firstMs * 2 ** (tries - 1));
  const waitMs = Math.max(full - (full / 2) * chance, outcome.retryAfterMs ?? 0);
  const dueAt = new Date(now.getTime() + waitMs);
  return dueAt.getTime() < firstTriedAt.getTime() + triedForMs
    ? { outcome: 'later', reason, dueAt }
    : { outcome: 'failed', reason, isGone: false };
}
