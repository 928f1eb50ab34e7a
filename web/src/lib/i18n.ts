import { type Language, languages } from '@portal/contracts';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { ja } from '../i18n/ja/index.ts';
import { loadMessages } from './shown-message.ts';

export type Namespace = keyof typeof ja;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui';
    resources: typeof ja;
  }
}

const languageKey = 'portal.language';

/** What is on every page: its parts, the frame around it, and the sign-in, which comes over any of them. */
const common: readonly Namespace[] = ['ui', 'shell', 'auth'];

const isLanguage = (value: string | null): value is Language => languages.some((known) => known === value);

const files = import.meta.glob<Readonly<Record<string, object>>>([
  '../i18n/{ja,en}/*.ts',
  '!../i18n/*/index.ts',
]);

const fileOf = (namespace: string) => namespace.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const announced = new Set<string>(common);

/** Each namespace of each language is a chunk of its own. */
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    readTexts(language, namespace).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, false),
    );
  },
};

async function readTexts(language: string, namespace: string): Promise<object> {
  if (import.meta.env.DEV && !announced.has(namespace))
    throw new Error(`No route of this page names the texts of ${namespace}`);
  const texts = await files[`../i18n/${language}/${fileOf(namespace)}.ts`]?.();
  return texts?.[namespace] ?? {};
}

export function currentLanguage(): Language {
  return i18next.language === 'en' ? 'en' : 'ja';
}

/** Resolves when these texts are there in the current language; a change of the language loads them in the other one. */
export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) announced.add(namespace);
  await i18next.loadNamespaces(namespaces);
}

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(languageKey, language);
  await show(language);
}

async function show(language: Language): Promise<void> {
  await loadMessages();
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Must be done before the first render. */
export async function startI18n(): Promise<void> {
  const stored = localStorage.getItem(languageKey);
  const language = isLanguage(stored) ? stored : 'ja';
  document.documentElement.lang = language;
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: common,
      defaultNS: 'ui',
      interpolation: { escapeValue: false },
    });
  // It was chosen in another tab.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === languageKey && isLanguage(newValue)) void show(newValue);
  });
}

export function useLanguage(): Language {
  return useTranslation().i18n.language === 'en' ? 'en' : 'ja';
}
