import { type KnownPlayer, layersFor, stagedOf } from '../../rollouts/data/reached-repository.ts';
import type { StoredPlan } from '../../rollouts/data/rollout-repository.ts';
import { type Asker, inGroupsNow } from '../data/asker.ts';
import { type DeliveredView, viewsOf } from '../data/delivered-views.ts';
import type { SharedAnswers } from '../data/shared-answers.ts';

/**
 * Those of `ids` that are delivered to who asks, each in the version that they are to have, in the order of their ids. With `areGiven`,
 * where it is known that all of them are given to who asks, the answer is one for everyone of the tenant.
 */
export async function viewsFor(
  answers: SharedAnswers,
  asker: Asker,
  {
    areGiven = false,
    ids,
    plans,
    who,
  }: {
    readonly areGiven?: boolean;
    readonly ids: readonly number[];
    readonly plans: ReadonlyMap<number, StoredPlan>;
    readonly who: KnownPlayer;
  },
  now: Date,
): Promise<readonly DeliveredView[]> {
  if (ids.length === 0) return [];
  const whose = areGiven ? { partnerId: asker.partnerId } : inGroupsNow(asker);
  const layers = layersFor(
    stagedOf(plans).filter(({ fileId }) => ids.includes(fileId)),
    who,
  );
  const versions = [...layers].map(([id, layer]) => `${id}:${layer?.versionId ?? ''}`);
  const key = `views ${ids.join(',')} ${versions.join(',')} ${'groups' in whose ? whose.groups : 'given'}`;
  const { value } = await answers.of(asker, key, now, async (db, moment) =>
    viewsOf(db, whose, ids, layers, moment.now),
  );
  // A stage begins by itself, and those who are in it get the version at once.
  return value.map((view) => (layers.has(view.id) ? { ...view, newSince: now } : view));
}
