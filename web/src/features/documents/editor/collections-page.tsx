import { databaseRoutes } from '@portal/contracts';
import { Database, KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { databaseKey } from '../../../lib/database-key.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { EmptyState, ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Editor } from './editor.tsx';
import { DatabaseContext } from './open-database.ts';

/** The editor of one's own database: with the session, or with the key of the database. */
export function CollectionsPage() {
  const { t } = useTranslation(['documents', 'shell']);
  const may = useMay();
  const openedWith = databaseKey();
  const { data, error, refetch } = useApiQuery(databaseRoutes.getOwnDatabase, {});
  const crumbs = openedWith ? [] : [{ label: t('shell:home'), to: '/partner/menu' }];
  if (data) {
    const { readable, writable, ...database } = data;
    return (
      <DatabaseContext
        value={{
          ...database,
          writable: writable && (openedWith !== undefined || may('createDocument')),
          isOver: readable && !writable,
          seesKey: openedWith !== undefined || may('getOwnDatabaseKey'),
          openedWith,
          crumbs,
        }}
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
        ) : error.status === 404 || error.code === 'E40304' ? (
          <EmptyState icon={<Database size={32} strokeWidth={1.5} aria-hidden />} title={t('noDatabase')}>
            {t('noDatabaseText')}
          </EmptyState>
        ) : error.code === 'E40302' ? (
          <EmptyState icon={<Database size={32} strokeWidth={1.5} aria-hidden />} title={t('ended')}>
            {t('endedText')}
          </EmptyState>
        ) : openedWith && (error.code === 'E40033' || error.code === 'E40101') ? (
          <EmptyState icon={<KeyRound size={32} strokeWidth={1.5} aria-hidden />} title={t('keyStopped')}>
            {t('keyStoppedText')}
          </EmptyState>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </Panel>
    </>
  );
}
