import { chakra, Flex } from '@chakra-ui/react';
import { createApiClient } from '@portal/api-client';
import { QueryClientProvider } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useNavigate } from 'react-router-dom';
import { ApiContext } from '../../lib/api.ts';
import { collectionsPath, databaseKey, forgetDatabaseKey } from '../../lib/database-key.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { LeaveQuestion } from '../../ui/feedback/leave-question.tsx';
import { onDark } from '../../ui/on-dark.ts';
import { Brand, Footer, Preferences, SkipLink } from './chrome.tsx';

/** The calls of who has the key of a database instead of a session. */
function createServices() {
  return {
    api: createApiClient({
      baseUrl: '',
      getToken: () => undefined,
      getApiKey: () => databaseKey()?.key(),
      language: currentLanguage,
    }),
    // Nothing of what a session has asked is seen here, nor the other way round.
    queries: createQueryClient(() => undefined),
  };
}

/** Around the editor that was opened with a key: nobody is signed in, so there is no navigation. */
export function KeyFrame() {
  const { t } = useTranslation('documents');
  const navigate = useNavigate();
  const [{ api, queries }] = useState(createServices);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <ApiContext value={api}>
      <QueryClientProvider client={queries}>
        <LeaveQuestion />
        <SkipLink />
        <Flex direction="column" minH="100dvh">
          <Flex as="header" align="center" gap="2" h="12" px={{ base: '3', md: '4' }} bg="bg.header">
            <Brand to={collectionsPath} />
            <Flex ms="auto" align="center" gap="1">
              <Preferences />
              <Button
                size="xs"
                variant="ghost"
                {...onDark}
                icon={<LogOut />}
                onClick={() => {
                  forgetDatabaseKey();
                  void navigate('/');
                }}
              >
                {t('closeEditor')}
              </Button>
            </Flex>
          </Flex>
          <chakra.main
            id="main"
            tabIndex={-1}
            outline="0"
            flex="1"
            w="full"
            maxW="page"
            mx="auto"
            px={{ base: '4', md: '8' }}
            py={{ base: '4', md: '6' }}
          >
            <Outlet />
          </chakra.main>
          <Footer />
        </Flex>
      </QueryClientProvider>
    </ApiContext>
  );
}
