import type { deliveryRoutes, RouteReply } from '@portal/contracts';

type Point = RouteReply<typeof deliveryRoutes.getDeliveryHistory>['points'][number];

/** The numbers as they were at the end of a stretch of time; none of before the first point. */
export interface HistoryBar {
  readonly at: Date;
  readonly point: Point | undefined;
}

/** So many bars have room on a narrow screen, and a label at each third of them. */
export const barCount = 42;

/** What is younger is drawn as if it were as old: before it there was nothing. */
const shortest = barCount * 5_000;

/** Points at any distance as bars at the same: from the first point to the last, each with what was so at its end. */
export function barsOf(points: readonly Point[]): HistoryBar[] {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last) return [];
  const until = Date.parse(last.at);
  const width = Math.max(until - Date.parse(first.at), shortest) / barCount;
  const bars: HistoryBar[] = [];
  let next = 0;
  for (let bar = barCount - 1; bar >= 0; bar -= 1) {
    const at = until - bar * width;
    while (next < points.length && Date.parse(points[next]?.at ?? '') <= at) next += 1;
    bars.push({ at: new Date(at), point: points[next - 1] });
  }
  return bars;
}
