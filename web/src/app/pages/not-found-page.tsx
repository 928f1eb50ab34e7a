import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title={t('notFoundTitle')} />
      <EmptyState
        title={t('notFoundText')}
        icon={<Compass size={32} strokeWidth={1.5} aria-hidden />}
        action={
          <ButtonLink to="/" variant="outline">
            {t('home')}
          </ButtonLink>
        }
      />
    </>
  );
}
