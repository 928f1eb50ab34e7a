import { useMemo, useState } from 'react';

export interface Selection {
  readonly ids: readonly number[];
  has(id: number): boolean;
  toggle(id: number): void;
  /** Selects all of `ids`, or none of them when all are selected. */
  toggleAll(ids: readonly number[]): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  return useMemo(
    () => ({
      ids: [...selected],
      has: (id) => selected.has(id),
      toggle: (id) =>
        setSelected((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      toggleAll: (ids) =>
        setSelected((before) => new Set(ids.every((id) => before.has(id)) ? [] : [...before, ...ids])),
      clear: () => setSelected(new Set()),
    }),
    [selected],
  );
}
