import { useEffect, useRef } from 'react';

const watches = new Set<() => boolean>();

/** Whether something on the page would be lost with it: what was typed and not sent, or work that is under way. */
export function hasUnsavedWork(): boolean {
  return [...watches].some((isUnsaved) => isUnsaved());
}

/** Lets a part of the page say whether it holds such work, as long as it is there. */
export function useUnsavedWork(isUnsaved: () => boolean): void {
  const latest = useRef(isUnsaved);
  latest.current = isUnsaved;
  useEffect(() => {
    const watch = () => latest.current();
    watches.add(watch);
    return () => void watches.delete(watch);
  }, []);
}
