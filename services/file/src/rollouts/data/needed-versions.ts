import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import { isForAll, rolloutAt } from '../domain/rollout.ts';
import { keepLayersFrom, storedRollouts } from './rollout-repository.ts';

/** More versions that go out in stages are not looked at: nobody makes so many without one that everyone gets. */
const mostVersions = 200;

/**
 * Decides which versions of a file somebody may still be to have: the current one and, as long as its stages may hold somebody back,
 * those before, down to one that everyone gets. These keep their bytes.
 */
export async function keepNeeded(change: Change, file: File, now: Date): Promise<void> {
  if (!file.isStaged) return;
  await keepLayersFrom(change, file.id, await baseOf(change, file, now));
}

async function baseOf(change: Change, file: File, now: Date): Promise<number | null> {
  const { db, partnerId } = change;
  const rollouts = new Map(
    (await storedRollouts(change, file.id, now))
      .filter(({ isLive }) => isLive)
      .map((rollout) => [rollout.version, rolloutAt(rollout, rollout.course, now)]),
  );
  if (!rollouts.has(file.version)) return null;
  const before = await db.version.findMany({
    where: {
      partnerId,
      fileId: file.id,
      number: { lt: file.version },
      released: false,
      OR: [{ removesAt: null }, { removesAt: { gt: now } }],
    },
    select: { number: true },
    orderBy: { number: 'desc' },
    take: mostVersions,
  });
  let base = file.version;
  for (const { number } of before) {
    base = number ?? base;
    const rollout = rollouts.get(base);
    if (!rollout || isForAll(rollout)) break;
  }
  return base;
}
