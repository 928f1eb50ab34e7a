import { Box } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSessionStore } from '../lib/session/use-session.ts';
import { Notice } from '../ui/feedback/notice.tsx';

const LicenceEnded = lazy(async () => ({ default: (await import('./lazy-licence-ended.tsx')).LicenceEnded }));

/** On a login page: why one is here, unless one has logged out. */
export function SessionEndNotice() {
  const { t } = useTranslation('auth');
  const why = useSessionStore().ended();
  if (why === undefined || why === 'loggedOut') return null;
  return (
    <Box mb="4">
      <Notice tone="warning">
        {why === 'unlicensed' ? (
          <Suspense fallback={null}>
            <LicenceEnded />
          </Suspense>
        ) : (
          t('expired')
        )}
      </Notice>
    </Box>
  );
}
