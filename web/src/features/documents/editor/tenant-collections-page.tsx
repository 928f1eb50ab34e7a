import { databaseRoutes } from '@portal/contracts';
import { Database } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useTenant, useTenantCrumbs } from '../../../components/tenant.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { EmptyState, ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Editor } from './editor.tsx';
import { DatabaseContext } from './open-database.ts';

/** The database of a company as administrators read it: nothing of it is theirs to change. */
export function TenantCollectionsPage() {
  const { t } = useTranslation('documents');
  const { id: pid } = useTenant();
  const crumbs = useTenantCrumbs();
  const { data, error, refetch } = useApiQuery(databaseRoutes.getDatabase, { params: { pid } });
  if (data) {
    return (
      <DatabaseContext
        value={{ ...data, writable: false, isOver: false, seesKey: false, openedWith: undefined, crumbs }}
      >
        <Editor />
      </DatabaseContext>
    );
  }
  return (
    <>
      <PageHeader title={t('title')} crumbs={[...crumbs, { label: t('title') }]} />
      <Panel>
        {!error ? (
          <PageSpinner />
        ) : error.code === 'E40401' ? (
          <EmptyState icon={<Database size={32} strokeWidth={1.5} aria-hidden />} title={t('noDatabase')}>
            {t('noneOfTenant')}
          </EmptyState>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </Panel>
    </>
  );
}
