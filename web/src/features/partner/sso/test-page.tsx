import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../../../ui/button.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { TestResult } from './test-result.tsx';
import { useSsoCrumbs } from './use-sso.ts';

/** What the window of a test ends on. */
export function SsoTestPage() {
  const { t } = useTranslation('sso');
  const [params] = useSearchParams();
  return (
    <>
      <PageHeader title={t('test.title')} crumbs={useSsoCrumbs(t('test.title'))} />
      <chakra.div maxW="form">
        <TestResult testId={params.get('test') ?? ''} />
        <Button mt="5" icon={<X />} variant="outline" onClick={() => window.close()}>
          {t('test.close')}
        </Button>
      </chakra.div>
    </>
  );
}
