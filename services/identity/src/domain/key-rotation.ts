import { limits } from '@portal/contracts';

export interface KeyTimes {
  readonly kid: string;
  readonly signsFrom: Date;
}

/** A key is published this long before it signs, so that clients which cache the published keys know it. */
export const publishedBeforeMs = 3_600_000;

const keptAfterMs = limits.accessTokenLifetimeSeconds * 1000 + publishedBeforeMs;

/** The key that signs at `now`. */
export function signingKey<K extends KeyTimes>(keys: readonly K[], now: Date): K | undefined {
  const inOrder = keys.toSorted(bySignsFrom);
  return inOrder.findLast(({ signsFrom }) => signsFrom <= now) ?? inOrder[0];
}

/**
 * What is due at `now`: when a new key shall begin to sign (undefined: none is due), and the keys that no token
 * is signed with any more.
 */
export function planRotation(
  keys: readonly KeyTimes[],
  now: Date,
  rotateEveryMs: number,
): { signsFrom: Date | undefined; obsolete: readonly string[] } {
  const inOrder = keys.toSorted(bySignsFrom);
  const newest = inOrder.at(-1);
  if (!newest) return { signsFrom: now, obsolete: [] };
  const isDue = now.getTime() >= newest.signsFrom.getTime() + rotateEveryMs;
  const obsolete = inOrder.filter((_, index) => {
    const next = inOrder[index + 1];
    return next !== undefined && now.getTime() >= next.signsFrom.getTime() + keptAfterMs;
  });
  return {
    signsFrom: isDue ? new Date(now.getTime() + publishedBeforeMs) : undefined,
    obsolete: obsolete.map(({ kid }) => kid),
  };
}

const bySignsFrom = (a: KeyTimes, b: KeyTimes) => a.signsFrom.getTime() - b.signsFrom.getTime();
