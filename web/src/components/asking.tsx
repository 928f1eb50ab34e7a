import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react';

/** What somebody is asked about, such as the rows to delete. The page that asks does not render again for it: `Asked` does. */
export interface Asking<T> {
  ask(what: T): void;
  close(): void;
  current(): T | undefined;
  /** @returns what ends it */
  subscribe(listener: () => void): () => void;
}

function createAsking<T>(): Asking<T> {
  let asked: T | undefined;
  const listeners = new Set<() => void>();
  function set(what: T | undefined): void {
    asked = what;
    for (const listener of listeners) listener();
  }
  return {
    ask: set,
    close: () => set(undefined),
    current: () => asked,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useAsking = <T,>(): Asking<T> => useState(createAsking<T>)[0];

interface AskedProps<T> {
  asking: Asking<T>;
  /** The question; there while something is asked. Its code may load only then. */
  children: (what: T) => ReactNode;
}

export function Asked<T>({ asking, children }: AskedProps<T>) {
  const what = useSyncExternalStore(asking.subscribe, asking.current);
  return what === undefined ? null : <Suspense fallback={null}>{children(what)}</Suspense>;
}
