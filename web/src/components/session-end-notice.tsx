import { Box } from '@chakra-ui/react';
import { errorCatalogue } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../lib/i18n.ts';
import { useSessionStore } from '../lib/session/use-session.ts';
import { Notice } from '../ui/feedback/notice.tsx';

/** On a login page: why one is here, unless one has logged out. */
export function SessionEndNotice() {
  const { t } = useTranslation('auth');
  const language = useLanguage();
  const why = useSessionStore().ended();
  if (why === undefined || why === 'loggedOut') return null;
  return (
    <Box mb="4">
      <Notice tone="warning">{why === 'unlicensed' ? errorCatalogue.E40302[language] : t('expired')}</Notice>
    </Box>
  );
}
