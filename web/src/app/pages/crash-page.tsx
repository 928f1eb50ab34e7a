import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';

/** Stands where a page failed to render or its code to load. */
export function CrashPage() {
  const { t } = useTranslation('shell');
  return (
    <EmptyState
      title={t('crashTitle')}
      action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
    >
      {t('crashText')}
    </EmptyState>
  );
}
