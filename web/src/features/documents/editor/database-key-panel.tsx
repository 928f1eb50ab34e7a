import { databaseRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DatabaseKey } from '../../../components/database-key.tsx';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { useDatabase } from './open-database.ts';

/** The key of the database that is open. */
export function DatabaseKeyPanel() {
  const { t } = useTranslation('documents');
  const { db, openedWith } = useDatabase();
  const api = useApi();
  const queries = useQueryClient();
  const params = { db };
  const { data, error, refetch } = useApiQuery(databaseRoutes.getOwnDatabaseKey, { params });
  return (
    <Section title={t('key.title')} lead={t('key.lead')}>
      {data ? (
        <DatabaseKey
          apiKey={data.apiKey}
          renew={async () => {
            const { apiKey } = await api.call(databaseRoutes.renewOwnDatabaseKey, { params });
            // The calls of this page go on with it.
            await openedWith?.replace(apiKey);
            await queries.invalidateQueries({ queryKey: [databaseRoutes.getOwnDatabaseKey.id] });
          }}
        />
      ) : (
        <Panel>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageSpinner />}</Panel>
      )}
    </Section>
  );
}
