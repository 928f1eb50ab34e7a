import { useTranslation } from 'react-i18next';
import { appearances, useAppearance } from '../lib/appearance.ts';
import { choose } from '../lib/choices.ts';
import { useLanguage } from '../lib/i18n.ts';
import { Choice } from '../ui/choice.tsx';

/** Each in its own words: who cannot read the present one finds theirs. */
const languageNames = [
  { value: 'ja', label: '日本語', lang: 'ja' },
  { value: 'en', label: 'English', lang: 'en' },
] as const;

/** Language and colours of whoever is signed in. */
export function LookChoices() {
  const { t } = useTranslation('shell');
  return (
    <>
      <Choice
        legend={t('language')}
        options={languageNames}
        value={useLanguage()}
        onChoose={(language) => choose({ language })}
      />
      <Choice
        legend={t('appearance')}
        options={appearances.map((value) => ({ value, label: t(`appearances.${value}`) }))}
        value={useAppearance()}
        onChoose={(appearance) => choose({ appearance })}
      />
    </>
  );
}
