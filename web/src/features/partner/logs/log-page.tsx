import { batchRoutes, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { OperationLogForm } from '../../../components/operation-log-form.tsx';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';

export function PartnerLogPage() {
  const { t } = useTranslation(['operationLogs', 'shell']);
  const api = useApi();
  const { partner } = usePartnerSession();
  const params = { pid: partner.id };
  const summary = useApiQuery(tenantRoutes.getSummary, { params });
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        crumbs={[{ label: t('shell:home'), to: '/partner/menu' }, { label: t('title') }]}
      />
      {summary.data?.operationLogDownloadFlag === false ? (
        <EmptyState title={t('notInContract')}>{t('notInContractText')}</EmptyState>
      ) : (
        <OperationLogForm
          name={`operation-logs:${partner.id}`}
          create={(query) => api.call(batchRoutes.createOperationLogsCsv, { params, query })}
          calls={{
            status: (batchId, signal) =>
              api.call(batchRoutes.getOperationLogsCsv, { params: { ...params, batchId }, signal }),
            url: (batchId) =>
              api.call(batchRoutes.getOperationLogsCsvUrl, { params: { ...params, batchId } }),
            cancel: (batchId) =>
              api.call(batchRoutes.cancelOperationLogsCsv, { params: { ...params, batchId } }),
          }}
        />
      )}
    </>
  );
}
