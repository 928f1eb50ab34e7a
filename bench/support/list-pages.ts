import { type Figure, quantile } from './figure.ts';

/** How long a page took, and how many there are of this query. */
export interface ListAnswer {
  readonly ms: number;
  readonly totalPage: number;
}

/**
 * Asks for the first, the middle and the last page of a list with every filter, order key and direction, one after the
 * other, and prints what each filter took. The figure is the 95th percentile of all pages.
 */
export async function measureListPages<Filter, Key extends string>(options: {
  /** What the list holds, for the figure. */
  readonly what: string;
  readonly limitMs: number;
  readonly perPage: number;
  readonly filters: Readonly<Record<string, Filter>>;
  readonly orderKeys: readonly Key[];
  list(query: Filter & { orderKey: Key; order: 'asc' | 'desc'; page: number }): Promise<ListAnswer>;
}): Promise<Figure> {
  const { filters, limitMs, list, orderKeys, perPage, what } = options;
  const samples: number[] = [];
  let slowest = { ms: 0, about: '' };
  for (const [filter, fields] of Object.entries(filters)) {
    const ofFilter: number[] = [];
    for (const orderKey of orderKeys) {
      for (const order of ['asc', 'desc'] as const) {
        const sorted = { ...fields, orderKey, order };
        const first = await list({ ...sorted, page: 1 });
        const middle = await list({ ...sorted, page: Math.ceil(first.totalPage / 2) });
        const deep = await list({ ...sorted, page: first.totalPage });
        for (const { ms } of [first, middle, deep]) {
          ofFilter.push(ms);
          if (ms > slowest.ms) slowest = { ms, about: `filter ${filter} by ${orderKey} ${order}` };
        }
      }
    }
    samples.push(...ofFilter);
    console.log(
      `  ${filter}: median ${Math.round(quantile(ofFilter, 0.5))} ms, p95 ${Math.round(quantile(ofFilter, 0.95))} ms`,
    );
  }
  const p95 = quantile(samples, 0.95);
  return {
    what: `${what}: every filter and order, first, middle and last page; p95`,
    target: `${limitMs} ms`,
    measured: `${Math.round(p95)} ms`,
    value: p95,
    better: 'lower',
    detail:
      `${samples.length} pages of ${perPage}, one after the other: median ${Math.round(quantile(samples, 0.5))} ms, ` +
      `slowest ${Math.round(slowest.ms)} ms (${slowest.about})`,
    met: p95 < limitMs,
  };
}
