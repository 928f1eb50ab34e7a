import { chakra } from '@chakra-ui/react';
import { batchRoutes } from '@portal/contracts';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router-dom';
import { useApi, useApiQuery } from '../../lib/api.ts';
import { downloadFrom } from '../../lib/download.ts';
import { useFormat } from '../../lib/format.ts';
import { usePartnerSession } from '../../lib/session/use-session.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import { DetailSkeleton, ErrorState } from '../../ui/feedback/states.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { useExportName } from './notice-text.ts';

const ofPartner = {
  files: { status: batchRoutes.getFilesCsv, url: batchRoutes.getFilesCsvUrl },
  users: { status: batchRoutes.getUsersCsv, url: batchRoutes.getUsersCsvUrl },
  pushNotifications: {
    status: batchRoutes.getPushNotificationsCsv,
    url: batchRoutes.getPushNotificationsCsvUrl,
  },
  operationLogs: { status: batchRoutes.getOperationLogsCsv, url: batchRoutes.getOperationLogsCsvUrl },
} as const;
const ofAdmin = {
  partners: { status: batchRoutes.getPartnersCsv, url: batchRoutes.getPartnersCsvUrl },
  operationLogs: { status: batchRoutes.getAllOperationLogsCsv, url: batchRoutes.getAllOperationLogsCsvUrl },
} as const;

/** Which export an address names: the calls by its kind, and its id. */
function useNamed<T extends object>(calls: T): { of: T[keyof T] | undefined; name: string; batchId: number } {
  const { id = '', name = '' } = useParams();
  const known = Object.keys(calls).find((one) => one === name) as keyof T | undefined;
  const batchId = Number(id);
  const isId = Number.isSafeInteger(batchId) && batchId > 0;
  return { of: isId && known ? calls[known] : undefined, name, batchId };
}

/** Where a notice of a finished export leads: its download. */
export function PartnerExportPage() {
  const { batchId, name, of } = useNamed(ofPartner);
  if (!of) return <Navigate to="/partner/menu" replace />;
  return <PartnerExport key={`${name} ${batchId}`} batchId={batchId} name={name} of={of} />;
}

function PartnerExport({
  batchId,
  name,
  of,
}: {
  batchId: number;
  name: string;
  of: (typeof ofPartner)[keyof typeof ofPartner];
}) {
  const { partner } = usePartnerSession();
  const api = useApi();
  const params = { pid: partner.id, batchId };
  const status = useApiQuery(of.status, { params });
  return (
    <ExportPage
      home="/partner/menu"
      name={name}
      status={status}
      url={async () => api.call(of.url, { params })}
    />
  );
}

/** The same for administrators. */
export function AdminExportPage() {
  const { batchId, name, of } = useNamed(ofAdmin);
  if (!of) return <Navigate to="/admin/menu" replace />;
  return <AdminExport key={`${name} ${batchId}`} batchId={batchId} name={name} of={of} />;
}

function AdminExport({
  batchId,
  name,
  of,
}: {
  batchId: number;
  name: string;
  of: (typeof ofAdmin)[keyof typeof ofAdmin];
}) {
  const api = useApi();
  const params = { batchId };
  const status = useApiQuery(of.status, { params });
  return (
    <ExportPage
      home="/admin/menu"
      name={name}
      status={status}
      url={async () => api.call(of.url, { params })}
    />
  );
}

interface ExportPageProps {
  home: string;
  name: string;
  status: Pick<ReturnType<typeof useApiQuery<typeof batchRoutes.getUsersCsv>>, 'data' | 'error' | 'refetch'>;
  url: () => Promise<{ readonly signedUrl: string }>;
}

function ExportPage({ home, name, status: { data, error, refetch }, url }: ExportPageProps) {
  const { t } = useTranslation(['ownNotices', 'shell']);
  const format = useFormat();
  const exportName = useExportName();
  const { showError } = useErrorModal();
  const download = useAction({
    mutationFn: url,
    onSuccess: ({ signedUrl }) => downloadFrom(signedUrl),
    onError: showError,
  });
  return (
    <>
      <PageHeader
        title={t('exportTitle')}
        lead={t('exportText')}
        crumbs={[{ label: t('shell:home'), to: home }, { label: t('exportTitle') }]}
      />
      <Panel maxW="form" p="6">
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !data && <DetailSkeleton rows={2} />}
        {data && !error && (
          <>
            <chakra.p fontWeight="semibold">{exportName(name)}</chakra.p>
            <chakra.p mb="4" color="fg.muted">
              {t('rows', { count: data.rowCount, rows: format.number(data.rowCount) })}
            </chakra.p>
            <Button icon={<Download />} pending={download.isPending} onClick={() => download.mutate()}>
              {t('download')}
            </Button>
          </>
        )}
      </Panel>
    </>
  );
}
