import { useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';

export interface Selection {
  readonly ids: readonly number[];
  has(id: number): boolean;
  toggle(id: number): void;
  /** Selects all of `ids`, or none of them when all are selected. */
  toggleAll(ids: readonly number[]): void;
  clear(): void;
}

const none: ReadonlySet<number> = new Set();

/** The selected rows. Invisible rows cannot be selected: another page, sort or filter clears the selection. */
export function useSelection(): Selection {
  const { search } = useLocation();
  const [state, setState] = useState({ search, selected: none });
  const selected = state.search === search ? state.selected : none;
  return useMemo(() => {
    const set = (next: ReadonlySet<number>) => setState({ search, selected: next });
    return {
      ids: [...selected],
      has: (id) => selected.has(id),
      toggle(id) {
        const after = new Set(selected);
        if (!after.delete(id)) after.add(id);
        set(after);
      },
      toggleAll: (ids) => set(ids.every((id) => selected.has(id)) ? none : new Set([...selected, ...ids])),
      clear: () => set(none),
    };
  }, [search, selected]);
}
