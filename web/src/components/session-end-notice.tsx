import { Box } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useSessionStore } from '../lib/session/use-session.ts';
import { Notice } from '../ui/feedback/notice.tsx';

/** On a login page: why one is here, unless one has logged out. */
export function SessionEndNotice() {
  const { t } = useTranslation('auth');
  const why = useSessionStore().ended();
  if (why !== 'expired' && why !== 'refused') return null;
  return (
    <Box mb="4">
      <Notice tone="warning">{t('expired')}</Notice>
    </Box>
  );
}
