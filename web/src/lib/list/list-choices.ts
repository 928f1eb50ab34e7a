import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { chooseLists, chosenLists, onListsChange } from '../choices.ts';

/**
 * What somebody keeps of a list. The bounds keep all lists of a person far below what their preferences may hold, which is
 * `limits.maxPreferences`.
 */
export const mostSaved = 10;
export const longestName = 60;
/** Characters of an address, in which a Japanese letter takes nine. */
export const longestAddress = 1_200;

const savedFilter = z.object({
  name: z.string().min(1).max(longestName),
  /** Filters and sort as in the address of the list, without the page. */
  address: z.string().max(longestAddress),
});

const listChoices = z.object({
  /** The ids of the columns that are left out. */
  hidden: z.array(z.string().max(40)).max(30).catch([]),
  saved: z.array(savedFilter).max(mostSaved).catch([]),
});
export type ListChoices = z.output<typeof listChoices>;

/** What was chosen for the list `name`; what is none of it, such as that of another version, counts as nothing. */
const choicesOf = (lists: Readonly<Record<string, unknown>>, name: string): ListChoices =>
  listChoices.safeParse(lists[name] ?? {}).data ?? { hidden: [], saved: [] };

type SavedFilter = ListChoices['saved'][number];

/** With this one too, in the place of one of its name. Another browser may have saved as many as there can be: the oldest goes. */
export function withFilter(
  saved: readonly SavedFilter[],
  one: SavedFilter,
  at = saved.length,
): SavedFilter[] {
  const others = saved.filter(({ name }) => name !== one.name);
  return [...others.slice(0, at), one, ...others.slice(at)].slice(-mostSaved);
}

/** What the person has chosen for a list, and what changes it: of what is chosen by then, here and on the server. */
export function useListChoices(
  name: string,
): ListChoices & { change(changesOf: (before: ListChoices) => Partial<ListChoices>): void } {
  const lists = useSyncExternalStore(onListsChange, chosenLists);
  return {
    ...choicesOf(lists, name),
    change: (changesOf) =>
      chooseLists((all) => {
        const before = choicesOf(all, name);
        return { ...all, [name]: { ...before, ...changesOf(before) } };
      }),
  };
}

/** The columns of a list that the person has not left out. */
export function useShownColumns<C extends { readonly id: string }>(
  name: string,
  columns: readonly C[],
): readonly C[] {
  const { hidden } = useListChoices(name);
  return hidden.length === 0 ? columns : columns.filter(({ id }) => !hidden.includes(id));
}
