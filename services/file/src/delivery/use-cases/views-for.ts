import { type KnownPlayer, layersFor, stagedOf } from '../../rollouts/data/reached-repository.ts';
import type { StoredPlan } from '../../rollouts/data/rollout-repository.ts';
import { type Asker, inGroupsNow } from '../data/asker.ts';
import { type DeliveredView, viewsOf } from '../data/delivered-views.ts';
import type { SharedAnswers } from '../data/shared-answers.ts';

/** Those of `ids` that are delivered to who asks, each in the version that they are to have, in the order of their ids. */
export async function viewsFor(
  answers: SharedAnswers,
  asker: Asker,
  {
    ids,
    plans,
    who,
  }: {
    readonly ids: readonly number[];
    readonly plans: ReadonlyMap<number, StoredPlan>;
    readonly who: KnownPlayer;
  },
  now: Date,
): Promise<readonly DeliveredView[]> {
  if (ids.length === 0) return [];
  const groups = inGroupsNow(asker);
  const layers = layersFor(
    stagedOf(plans).filter(({ fileId }) => ids.includes(fileId)),
    who,
  );
  const versions = [...layers].map(([id, layer]) => `${id}:${layer?.versionId ?? ''}`);
  const key = `views ${ids.join(',')} ${versions.join(',')} ${groups.groups}`;
  const { value } = await answers.of(asker, key, now, async (db, moment) =>
    viewsOf(db, groups, ids, layers, moment.now),
  );
  // A stage begins by itself, and those who are in it get the version at once.
  return value.map((view) => (layers.has(view.id) ? { ...view, newSince: now } : view));
}
