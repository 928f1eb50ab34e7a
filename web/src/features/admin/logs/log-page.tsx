import { batchRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { OperationLogForm } from '../../../components/operation-log/export-form.tsx';
import { OperationList } from '../../../components/operation-log/operation-list.tsx';
import { useApi } from '../../../lib/api.ts';
import { useAdminSession } from '../../../lib/session/use-session.ts';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Section } from '../../../ui/page/section.tsx';

export function AdminLogPage() {
  const { t } = useTranslation(['operationLogs', 'shell']);
  const api = useApi();
  const { outsourcingFlag } = useAdminSession();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={outsourcingFlag ? t('unitLead') : t('adminLead')}
        crumbs={[{ label: t('shell:home'), to: '/admin/menu' }, { label: t('title') }]}
      />
      <Section title={t('list')}>
        <OperationList />
      </Section>
      <Section title={t('download')} lead={t('downloadLead')}>
        <OperationLogForm
          name="all-operation-logs"
          create={(query) => api.call(batchRoutes.createAllOperationLogsCsv, { query })}
          calls={{
            status: (batchId, signal) =>
              api.call(batchRoutes.getAllOperationLogsCsv, { params: { batchId }, signal }),
            url: (batchId) => api.call(batchRoutes.getAllOperationLogsCsvUrl, { params: { batchId } }),
            cancel: (batchId) => api.call(batchRoutes.cancelAllOperationLogsCsv, { params: { batchId } }),
          }}
        />
      </Section>
    </>
  );
}
