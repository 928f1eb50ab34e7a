import { chakra } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { TestResult } from './test-result.tsx';
import { useSsoCalls } from './use-sso.ts';

const windowFeatures = 'popup,width=560,height=760';

interface Test {
  readonly id: string;
  readonly url: string;
  /** The browser has not opened a window by itself. */
  readonly isBlocked: boolean;
}

/** Signs in at the provider in a window, and shows what would come of it. */
export function SsoTest() {
  const { t } = useTranslation('sso');
  const { beginTest } = useSsoCalls();
  const { showError } = useErrorModal();
  const [test, setTest] = useState<Test>();
  const begin = useAction({
    mutationFn: async (opened: Window | null) => {
      try {
        const { id, url } = await beginTest();
        if (opened) opened.location.href = url;
        setTest({ id, url, isBlocked: opened === null });
      } catch (error) {
        opened?.close();
        throw error;
      }
    },
    onError: showError,
  });

  function start(): void {
    // At the press itself: a window that opens later is taken for an advertisement.
    const opened = window.open('', 'sso-test', windowFeatures);
    // What the provider shows there has no business with this page.
    if (opened) opened.opener = null;
    begin.mutate(opened);
  }

  return (
    <Section title={t('test.title')} lead={t('test.lead')}>
      <Button variant="outline" icon={<FlaskConical />} pending={begin.isPending} onClick={start}>
        {t(test ? 'test.again' : 'test.button')}
      </Button>
      {test?.isBlocked && (
        <chakra.div mt="3">
          <Notice tone="warning">
            {t('test.blocked')}{' '}
            <chakra.a href={test.url} target="_blank" rel="noopener" textDecoration="underline">
              {t('test.open')}
            </chakra.a>
          </Notice>
        </chakra.div>
      )}
      {test && (
        <chakra.div mt="3">
          <TestResult key={test.id} testId={test.id} waits />
        </chakra.div>
      )}
    </Section>
  );
}
