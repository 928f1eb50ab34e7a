/** The numbers of a version at a time; they are so until the next point. */
export interface Point {
  readonly at: Date;
  readonly devices: number;
  readonly installed: number;
  readonly onTheWay: number;
  readonly failed: number;
}

/** So many points of a version are shown, and the one of now. */
export const pointsShown = 128;

/** How near to each other points are kept, in milliseconds. */
const nearest = 5_000;

const time = ({ at }: Pick<Point, 'at'>): number => at.getTime();

/**
 * Whether `next` takes the place of the last of `kept`, which are in their order: the older the first one is, the further apart
 * they are. So a version that changes all the time has some hundred points more for each tenfold of its age, and the newest of
 * them is never older than the numbers.
 */
export function replacesLast(kept: readonly Pick<Point, 'at'>[], next: Pick<Point, 'at'>): boolean {
  const [first] = kept;
  const beforeLast = kept.at(-2);
  if (!first || !beforeLast) return false;
  return time(next) - time(beforeLast) < Math.max(nearest, (time(next) - time(first)) / pointsShown);
}

/** At most `pointsShown` of them: of each stretch of the time from the first of them to the last, its last one. */
export function thinned<P extends Pick<Point, 'at'>>(points: readonly P[]): P[] {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last || points.length <= pointsShown) return [...points];
  const stretch = (time(last) - time(first)) / (pointsShown - 1);
  const stretchOf = (point: P) => Math.floor((time(point) - time(first)) / stretch);
  return points.filter((point, index) => {
    const next = points[index + 1];
    return next === undefined || stretchOf(next) !== stretchOf(point);
  });
}
