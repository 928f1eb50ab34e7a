import { useTranslation } from 'react-i18next';
import type { ssoSignIn } from '../i18n/ja/sso-sign-in.ts';
import { Notice } from '../ui/feedback/notice.tsx';

type Reason = keyof typeof ssoSignIn.reasons;

/** Why a sign-in by single sign-on was refused: the code comes back in the address. */
export function SsoFailure({ code }: { code: string }) {
  const { i18n, t } = useTranslation('ssoSignIn');
  const isKnown = (word: string): word is Reason => i18n.exists(`ssoSignIn:reasons.${word}`);
  return <Notice tone="error">{t(`reasons.${isKnown(code) ? code : 'other'}`)}</Notice>;
}
