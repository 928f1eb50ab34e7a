import { clientMessages } from '@portal/api-client';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';

/** Shown when a page fails to render or its code fails to load. */
export function CrashPage() {
  const { t } = useTranslation('shell');
  const language = useLanguage();
  return (
    <>
      <PageHeader title={t('crashTitle')} />
      <EmptyState
        title={clientMessages.UNEXPECTED[language]}
        icon={<TriangleAlert size={32} strokeWidth={1.5} aria-hidden />}
        action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
      >
        {t('crashText')}
      </EmptyState>
    </>
  );
}
