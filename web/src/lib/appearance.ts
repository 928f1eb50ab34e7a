import { useSyncExternalStore } from 'react';

export type ColourMode = 'light' | 'dark';

/** What somebody has chosen: a mode, or that of their system. */
export const appearances = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

/** The same key as in `index.html`, which sets the class before the first paint. */
const storageKey = 'portal.theme';
const listeners = new Set<() => void>();
const system = window.matchMedia('(prefers-color-scheme: dark)');

const current = (): ColourMode => (document.documentElement.classList.contains('dark') ? 'dark' : 'light');

function chosen(): Appearance {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function paint(): void {
  const appearance = chosen();
  const systemMode = system.matches ? 'dark' : 'light';
  const mode = appearance === 'system' ? systemMode : appearance;
  const root = document.documentElement;
  root.classList.remove('light', 'dark');
  root.classList.add(mode);
  root.style.colorScheme = mode;
  root.style.removeProperty('background-color');
  for (const listener of listeners) listener();
}

// Evening comes.
system.addEventListener('change', () => {
  if (chosen() === 'system') paint();
});

// It was chosen in another tab.
window.addEventListener('storage', ({ key }) => {
  if (key === storageKey) paint();
});

export function setAppearance(appearance: Appearance): void {
  if (appearance === 'system') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, appearance);
  paint();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useColourMode = (): ColourMode => useSyncExternalStore(subscribe, current);

export const useAppearance = (): Appearance => useSyncExternalStore(subscribe, chosen);
