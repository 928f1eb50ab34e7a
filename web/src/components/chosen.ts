import type { Selection } from '../lib/list/use-selection.ts';

/** The rows that somebody is about to change. */
export interface Chosen<R> {
  /** Those on the page. */
  readonly rows: readonly R[];
  /** How many rows the filter showed, where all of them are meant, those of other pages too. */
  readonly matching: number | undefined;
}

export const noneChosen: Chosen<never> = { rows: [], matching: undefined };

export const countOf = ({ matching, rows }: Chosen<unknown>): number => matching ?? rows.length;

/** What is selected in a list of which `rows` are on the page: others may have gone meanwhile. */
export const chosenOf = <R extends { readonly id: number }>(
  rows: readonly R[] | undefined,
  selection: Selection,
): Chosen<R> => ({
  rows: rows?.filter(({ id }) => selection.has(id)) ?? [],
  matching: selection.current().matching,
});

/** The same as the body of a call that changes many; `filter` is the list's own. */
export function selectionOf<F>({ matching, rows }: Chosen<{ readonly id: number }>, filter: F) {
  return matching === undefined ? { ids: rows.map(({ id }) => id) } : { filter, expectedCount: matching };
}

/** A list's filters as such a body has them: those in force. */
export const inForce = (filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
