import { type Language, languages } from '@portal/contracts';
import { type Appearance, appearances, setAppearance } from './appearance.ts';
import { changedFields } from './changed-fields.ts';
import { changeLanguage } from './i18n.ts';

/** What people choose of how the product looks to them; under these names among the preferences on the server. */
export interface Choices {
  readonly language: Language;
  readonly appearance: Appearance;
  /** Of each list by its name, as `lib/list/list-choices.ts` knows it. */
  readonly lists: Lists;
}

type Lists = Readonly<Record<string, unknown>>;
/** What is done to them, whatever they are by then: another browser may have changed them. */
type ListsChange = (lists: Lists) => Lists;

/** What was chosen, in its order where it was lists. */
interface Unkept extends Omit<Choices, 'lists'> {
  readonly lists: readonly ListsChange[];
}

/** Set when the server's have been asked for since the sign-in, so that not every load of a page asks. */
const knownKey = 'portal.preferencesKnown';

const listsKey = 'portal.lists';
/** Of these the lists that were chosen and are not on the server yet: what was done to them is forgotten when the page is loaded again. */
const unkeptListsKey = 'portal.unkeptLists';
const noLists: Lists = {};
let known: { readonly text: string | null; readonly lists: Lists } = { text: null, lists: noLists };

let unkept: Partial<Unkept> = {};
const listeners = new Set<() => void>();

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value);

const isRecord = (value: unknown): value is Lists =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was chosen of lists, in this browser or another one before the sign-in; the same object while nothing changes. */
export function chosenLists(): Lists {
  const text = localStorage.getItem(listsKey);
  if (text !== known.text) {
    const lists: unknown = text === null ? noLists : JSON.parse(text);
    known = { text, lists: isRecord(lists) ? lists : noLists };
  }
  return known.lists;
}

const listListeners = new Set<() => void>();

export function onListsChange(listener: () => void): () => void {
  listListeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listListeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function apply({ appearance, language, lists }: Partial<Choices>): void {
  if (lists) {
    localStorage.setItem(listsKey, JSON.stringify(lists));
    for (const listener of listListeners) listener();
  }
  if (appearance) setAppearance(appearance);
  if (language) void changeLanguage(language);
}

/** Takes effect at once, and stays in this browser. Behind a sign-in it goes to the server: see `PreferencesKeeper`. */
export function choose(choices: Partial<Omit<Choices, 'lists'>>): void {
  apply(choices);
  keepLater({ ...unkept, ...choices });
}

/** The same of lists. */
export function chooseLists(change: ListsChange): void {
  const { lists: changes = [] } = unkeptChoices();
  const before = chosenLists();
  const lists = change(before);
  apply({ lists });
  const changed = changedFields(lists, before);
  localStorage.setItem(unkeptListsKey, JSON.stringify({ ...unkeptLists(), ...changed }));
  keepLater({ ...unkept, lists: [...changes, change] });
}

function unkeptLists(): Lists | undefined {
  const lists: unknown = JSON.parse(localStorage.getItem(unkeptListsKey) ?? 'null');
  return isRecord(lists) ? lists : undefined;
}

function keepLater(choices: Partial<Unkept>): void {
  unkept = choices;
  for (const listener of listeners) listener();
}

/** What was chosen and is not on the server yet, by somebody who signs in next too; of lists also before the page was loaded again. */
export function unkeptChoices(): Partial<Unkept> {
  const left = unkept.lists ? undefined : unkeptLists();
  if (left) unkept = { ...unkept, lists: [(lists) => ({ ...lists, ...left })] };
  return unkept;
}

/** Forgets what is on the server by now, or all of it when nobody is to have it. */
export function forgetChoices(kept: Partial<Unkept> = unkept): void {
  const { lists = [], ...others } = unkept;
  const left = lists.filter((change) => !kept.lists?.includes(change));
  unkept = {
    ...Object.fromEntries(
      Object.entries(others).filter(([name, value]) => kept[name as keyof Choices] !== value),
    ),
    ...(left.length > 0 && { lists: left }),
  };
  if (left.length === 0) localStorage.removeItem(unkeptListsKey);
}

/** What was chosen, of somebody who has these preferences. */
export function chosenOver({ lists }: Readonly<Record<string, unknown>>, chosen: Partial<Unkept>) {
  const { lists: changes, ...others } = chosen;
  const before = isRecord(lists) ? lists : noLists;
  return {
    ...others,
    ...(changes && { lists: changes.reduce((changed, change) => change(changed), before) }),
  };
}

/** Makes it look as the preferences of the server say, but for what was chosen since. */
export function applyPreferences(preferences: Readonly<Record<string, unknown>>): void {
  const { appearance, language, lists } = preferences;
  apply({
    ...(isOneOf(appearances, appearance) && { appearance }),
    ...(isOneOf(languages, language) && { language }),
    ...(isRecord(lists) && { lists }),
    ...chosenOver(preferences, unkept),
  });
}

export function onChoice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const arePreferencesKnown = (): boolean => localStorage.getItem(knownKey) !== null;

export function setPreferencesKnown(isKnown: boolean): void {
  if (isKnown) localStorage.setItem(knownKey, '1');
  else {
    localStorage.removeItem(knownKey);
    // Somebody's filters by name are nothing to who signs in next.
    localStorage.removeItem(listsKey);
    localStorage.removeItem(unkeptListsKey);
  }
}
