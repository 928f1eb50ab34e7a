import { batchRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { OperationLogForm } from '../../../components/operation-log/export-form.tsx';
import { OperationList } from '../../../components/operation-log/operation-list.tsx';
import { useOwnSummary } from '../../../components/use-own-summary.ts';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Section } from '../../../ui/page/section.tsx';

export function PartnerLogPage() {
  const { t } = useTranslation(['operationLogs', 'shell']);
  const api = useApi();
  const { partner } = usePartnerSession();
  const params = { pid: partner.id };
  const summary = useOwnSummary();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        crumbs={[{ label: t('shell:home'), to: '/partner/menu' }, { label: t('title') }]}
      />
      <Section title={t('list')}>
        <OperationList />
      </Section>
      {summary.data?.operationLogDownloadFlag !== false && (
        <Section title={t('download')} lead={t('downloadLead')}>
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
        </Section>
      )}
    </>
  );
}
