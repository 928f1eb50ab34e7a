import { useTranslation } from 'react-i18next';
import type { sso } from '../../../i18n/ja/sso.ts';

type Reason = keyof typeof sso.reasons;

/** What the service's reason of a refusal means, and how to mend it. It is a word, sometimes with what was found after a colon. */
export function useReasonWords() {
  const { i18n, t } = useTranslation('sso');
  return (reason: string): { readonly what: string; readonly mend: string } => {
    const [word = ''] = reason.split(':');
    const isKnown = (key: string): key is Reason => i18n.exists(`sso:reasons.${key}.what`);
    const key = isKnown(word) ? word : 'other';
    return { what: t(`reasons.${key}.what`), mend: t(`reasons.${key}.mend`) };
  };
}
