import { places, turned } from './place.ts';
import { isAnyOf, isForAll, percentFor, type Rollout } from './rollout.ts';

/** A version that somebody may be to have. */
export interface Layer {
  readonly version: number;
  readonly versionId: number;
  /** By how much it turns the places of devices. */
  readonly turn: number;
  /** As it is at the moment; null: everyone gets the version who gets no newer one. */
  readonly rollout: Rollout | null;
}

/** Who gets which version of a file: the newest first whose stages have reached them. */
export interface Plan {
  readonly fileId: number;
  readonly layers: readonly Layer[];
}

/** Somebody whom the file reaches. */
export interface Reached {
  readonly groupIds: readonly number[];
  /** Of their device; null: it is a person without one. */
  readonly place: number | null;
  /** Whether the version is installed there: after a halt that alone counts. */
  hasInstalled(version: number): boolean;
}

export function isIn({ rollout, turn, version }: Layer, who: Reached): boolean {
  if (rollout === null || isAnyOf(who.groupIds, rollout.keeps)) return true;
  return rollout.state === 'open' ? wasReached({ rollout, turn }, who) : who.hasInstalled(version);
}

/** Whether its stages have reached somebody, halted since or not. */
export function wasReached(
  { rollout, turn }: { readonly rollout: Rollout; readonly turn: number },
  { groupIds, place }: Pick<Reached, 'groupIds' | 'place'>,
): boolean {
  if (isAnyOf(groupIds, rollout.keeps)) return true;
  const percent = percentFor(rollout, groupIds);
  return place === null ? percent === places : turned(place, turn) < percent;
}

/** The version of a file that somebody whom it reaches is to have; undefined: none. */
export const layerFor = (plan: Plan, who: Reached): Layer | undefined =>
  plan.layers.find((layer) => isIn(layer, who));

/** Layers below one that everyone gets decide about nobody. */
export function planOf(fileId: number, layers: readonly Layer[]): Plan {
  const last = layers.findIndex(({ rollout }) => rollout === null || isForAll(rollout));
  return { fileId, layers: last < 0 ? layers : layers.slice(0, last + 1) };
}

/** Whether all whom the file reaches get its newest version. */
export const isPlain = ({ layers: [newest] }: Plan): boolean =>
  newest !== undefined && (newest.rollout === null || isForAll(newest.rollout));

/** Whether some version of it has reached everyone whom the file reaches. */
export function reachesAll({ layers }: Plan): boolean {
  const last = layers.at(-1);
  return last !== undefined && (last.rollout === null || isForAll(last.rollout));
}

/** Whether what is told of versions decides about somebody. */
export const haltedOf = ({ layers }: Plan): Layer[] =>
  layers.filter(({ rollout }) => rollout !== null && rollout.state !== 'open');

/**
 * A plan as it was at an earlier moment, as far as it is known: of one that was halted and went on again, what it was without the halt.
 * So nobody who had a version is forgotten, but somebody may be taken for having had one.
 */
export function planBefore({ fileId, layers }: Plan, at: Date, liveFrom: (layer: Layer) => Date): Plan {
  return planOf(
    fileId,
    layers
      .filter((layer) => liveFrom(layer) <= at)
      .map((layer) => (layer.rollout ? { ...layer, rollout: before(layer.rollout, at) } : layer)),
  );
}

const before = (rollout: Rollout, at: Date): Rollout => ({
  ...rollout,
  state: 'open',
  stages: rollout.stages.map((stage) => ({
    ...stage,
    startedAt: stage.startedAt !== null && stage.startedAt <= at ? stage.startedAt : null,
  })),
});
