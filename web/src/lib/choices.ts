import { type Language, languages } from '@portal/contracts';
import { type Appearance, appearances, setAppearance } from './appearance.ts';
import { changeLanguage } from './i18n.ts';

/** What people choose of how the product looks to them; under these names among the preferences on the server. */
export interface Choices {
  readonly language: Language;
  readonly appearance: Appearance;
}

/** Set when the server's have been asked for since the sign-in, so that not every load of a page asks. */
const knownKey = 'portal.preferencesKnown';

let unkept: Partial<Choices> = {};
const listeners = new Set<() => void>();

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value);

function apply({ appearance, language }: Partial<Choices>): void {
  if (appearance) setAppearance(appearance);
  if (language) void changeLanguage(language);
}

/** Takes effect at once, and stays in this browser. Behind a sign-in it goes to the server: see `PreferencesKeeper`. */
export function choose(choices: Partial<Choices>): void {
  apply(choices);
  unkept = { ...unkept, ...choices };
  for (const listener of listeners) listener();
}

/** What was chosen and is not on the server yet, by somebody who signs in next too. */
export const unkeptChoices = (): Partial<Choices> => unkept;

/** Forgets what is on the server by now, or all of it when nobody is to have it. */
export function forgetChoices(kept: Partial<Choices> = unkept): void {
  unkept = Object.fromEntries(
    Object.entries(unkept).filter(([name, value]) => kept[name as keyof Choices] !== value),
  );
}

/** Makes it look as the preferences of the server say, but for what was chosen since. */
export function applyPreferences({ appearance, language }: Readonly<Record<string, unknown>>): void {
  apply({
    ...(isOneOf(appearances, appearance) && { appearance }),
    ...(isOneOf(languages, language) && { language }),
    ...unkept,
  });
}

export function onChoice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const arePreferencesKnown = (): boolean => localStorage.getItem(knownKey) !== null;

export function setPreferencesKnown(isKnown: boolean): void {
  if (isKnown) localStorage.setItem(knownKey, '1');
  else localStorage.removeItem(knownKey);
}
