import { type Language, languages } from '@portal/contracts';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { ja } from '../i18n/ja/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui';
    resources: typeof ja;
  }
}

const languageKey = 'portal.language';
const namespaces = Object.keys(ja);

const isLanguage = (value: string | null): value is Language => languages.some((known) => known === value);

/** The default language comes with the page, the other with its first use. */
async function resourcesOf(language: Language) {
  return language === 'ja' ? ja : (await import('../i18n/en/index.ts')).en;
}

async function load(language: Language): Promise<void> {
  for (const [namespace, texts] of Object.entries(await resourcesOf(language))) {
    i18next.addResourceBundle(language, namespace, texts);
  }
}

export function currentLanguage(): Language {
  return i18next.language === 'en' ? 'en' : 'ja';
}

export async function changeLanguage(language: Language): Promise<void> {
  await load(language);
  localStorage.setItem(languageKey, language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Must be done before the first render. */
export async function startI18n(): Promise<void> {
  const stored = localStorage.getItem(languageKey);
  const language = isLanguage(stored) ? stored : 'ja';
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: namespaces,
    defaultNS: 'ui',
    resources: {},
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await load(language);
  document.documentElement.lang = language;
}

export function useLanguage(): Language {
  return useTranslation().i18n.language === 'en' ? 'en' : 'ja';
}
