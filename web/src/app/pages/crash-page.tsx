import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';

/** Stands where a page failed to render or its code to load. */
export function CrashPage() {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title={t('crashTitle')} />
      <EmptyState
        title={t('crashText')}
        icon={<TriangleAlert size={32} strokeWidth={1.5} aria-hidden />}
        action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
      />
    </>
  );
}
