import { errorCatalogue } from '@portal/contracts';
import { LockKeyhole } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';

/** Replaces a page that the caller may not use, with the reason that the server would give. */
export function ForbiddenPage({ reason }: { reason: 'E40301' | 'E40304' }) {
  const { t } = useTranslation('shell');
  const language = useLanguage();
  return (
    <>
      <PageHeader title={t('forbiddenTitle')} />
      <EmptyState
        title={errorCatalogue[reason][language]}
        icon={<LockKeyhole size={32} strokeWidth={1.5} aria-hidden />}
        action={
          <ButtonLink to="/" variant="outline">
            {t('home')}
          </ButtonLink>
        }
      />
    </>
  );
}
