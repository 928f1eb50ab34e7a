import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { choose, chosenLists, onListsChange } from '../choices.ts';

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

/** What the person has chosen for a list, and what changes it. */
export function useListChoices(name: string): ListChoices & { change(changes: Partial<ListChoices>): void } {
  const lists = useSyncExternalStore(onListsChange, chosenLists);
  const choices = choicesOf(lists, name);
  return {
    ...choices,
    // Another tab may have changed it since.
    change: (changes) =>
      choose({
        lists: { ...chosenLists(), [name]: { ...choicesOf(chosenLists(), name), ...changes } },
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
