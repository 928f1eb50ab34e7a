import { Box, chakra } from '@chakra-ui/react';
import type { RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { databaseStatusNames } from '../../../components/database-status.ts';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { StorageMeter } from '../../../components/storage-use.tsx';
import { refetchEvery, SummaryHistory, SummaryNow, SummarySkeleton } from '../../../components/summary.tsx';
import { useOwnSummary } from '../../../components/use-own-summary.ts';
import { collectionsPath } from '../../../lib/database-key.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { Link } from '../../../ui/link.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';

type Summary = RouteReply<typeof tenantRoutes.getSummary>;

export function SummaryPage() {
  const { t } = useTranslation(['summary', 'shell']);
  const summary = useOwnSummary({ refetchInterval: refetchEvery });
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        crumbs={[{ label: t('shell:home'), to: '/partner/menu' }, { label: t('title') }]}
      />
      {summary.data ? (
        <SummarySections summary={summary.data} />
      ) : summary.error ? (
        <Panel>
          <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
        </Panel>
      ) : (
        <SummarySkeleton />
      )}
    </>
  );
}

function SummarySections({ summary }: { summary: Summary }) {
  const may = useMay();
  const { t } = useTranslation(['summary', 'auth', 'ui']);
  return (
    <chakra.div maxW="page">
      <SummaryNow summary={summary} storage={<StorageMeter />} />
      <SummaryHistory summary={summary} />
      <Box
        display="grid"
        columnGap="3"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      >
        <Section title={t('contract')}>
          <ContractFacts summary={summary} />
        </Section>
        <Section
          title={t('docdb.title')}
          action={
            may('listCollections') &&
            summary.docdbContractStatus !== 0 && <Link to={collectionsPath}>{t('docdb.open')}</Link>
          }
        >
          <DocumentDatabaseFacts summary={summary} />
        </Section>
      </Box>
    </chakra.div>
  );
}

function ContractFacts({ summary }: { summary: Summary }) {
  const { t } = useTranslation(['summary', 'auth']);
  const { number } = useFormat();
  const available = (flag: boolean) => (flag ? t('available') : t('unavailable'));
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('partnerName'), value: summary.partnerName },
          { label: t('auth:partnerCode'), value: summary.partnerCode },
          { label: t('auth:rank'), value: t(`auth:ranks.${summary.contractRank}`) },
          { label: t('auth:licenseType'), value: t(`auth:licenseTypes.${summary.licenseType}`) },
          { label: t('licenseCount'), value: number(summary.licenseCount) },
          { label: t('auth:licenseExpiresOn'), value: <LicenceEnd expiredOn={summary.licenseExpiredOn} /> },
          {
            label: t('uapFileLimit'),
            value: summary.uapFileLimit === 0 ? t('unlimited') : number(summary.uapFileLimit),
          },
          { label: t('operationLog'), value: available(summary.operationLogDownloadFlag) },
          { label: t('sso'), value: available(summary.allowedSsoApiFlag) },
        ]}
      />
    </Panel>
  );
}

function DocumentDatabaseFacts({ summary }: { summary: Summary }) {
  const { t } = useTranslation(['summary', 'ui']);
  const { date, fileSize } = useFormat();
  const state = databaseStatusNames[summary.docdbContractStatus] ?? 'none';
  const status = { label: t('docdb.status'), value: t(`docdb.states.${state}`) };
  return (
    <Panel>
      <DescriptionList
        items={
          state === 'none'
            ? [status]
            : [
                status,
                { label: t('docdb.usage'), value: fileSize(summary.docdbUsageBytes) },
                { label: t('docdb.start'), value: date(summary.docdbStartDate) },
                { label: t('docdb.expire'), value: date(summary.docdbExpireDate) },
                {
                  label: t('docdb.apiKey'),
                  value: summary.docdbApiKey === null ? t('ui:none') : t('docdb.hidden'),
                },
              ]
        }
      />
    </Panel>
  );
}
