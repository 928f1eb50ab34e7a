import { useSyncExternalStore } from 'react';

export type ColourMode = 'light' | 'dark';

/** The same key as in `public/theme.js`, which sets the class before the first paint. */
const storageKey = 'portal.theme';
const listeners = new Set<() => void>();

const current = (): ColourMode => (document.documentElement.classList.contains('dark') ? 'dark' : 'light');

export function setColourMode(mode: ColourMode): void {
  const root = document.documentElement;
  root.classList.remove('light', 'dark');
  root.classList.add(mode);
  root.style.colorScheme = mode;
  root.style.removeProperty('background-color');
  localStorage.setItem(storageKey, mode);
  for (const listener of listeners) listener();
}

export function useColourMode(): ColourMode {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}
