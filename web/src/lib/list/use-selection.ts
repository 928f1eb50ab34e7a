import { useMemo, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';

export interface Selected {
  readonly ids: ReadonlySet<number>;
  /** How many rows the filter showed when all of them were selected, those of other pages too; else undefined. */
  readonly matching: number | undefined;
}

/**
 * The selected rows of a list. A tick is told to those who listen, so that neither the page nor its rows render again.
 */
export interface Selection {
  current(): Selected;
  has(id: number): boolean;
  toggle(id: number): void;
  /** Selects all of `ids`, or none of them when all are selected. */
  toggleAll(ids: readonly number[]): void;
  /** Selects all `count` rows that the filter shows, of which `ids` are on the page. */
  selectMatching(count: number, ids: readonly number[]): void;
  clear(): void;
  /** @returns what ends it */
  subscribe(listener: () => void): () => void;
}

const nothing: Selected = { ids: new Set(), matching: undefined };

export function createSelection(): Selection {
  let selected = nothing;
  const listeners = new Set<() => void>();

  function set(ids: Iterable<number>, matching?: number): void {
    selected = { ids: new Set(ids), matching };
    for (const listener of listeners) listener();
  }

  return {
    current: () => selected,
    has: (id) => selected.matching !== undefined || selected.ids.has(id),
    toggle(id) {
      const after = new Set(selected.ids);
      if (!after.delete(id)) after.add(id);
      set(after);
    },
    toggleAll: (ids) => set(ids.every((id) => selected.ids.has(id)) ? [] : [...selected.ids, ...ids]),
    selectMatching: (count, ids) => set(ids, count),
    clear: () => set([]),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The selection of a list. Invisible rows cannot be ticked: another page, sort or filter clears the selection. */
export function useSelection(): Selection {
  const { search } = useLocation();
  // Another address is another selection.
  return useMemo(createSelection, [search]);
}

export const useSelected = (selection: Selection): Selected =>
  useSyncExternalStore(selection.subscribe, selection.current);

export const useIsSelected = (selection: Selection, id: number): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.has(id));
