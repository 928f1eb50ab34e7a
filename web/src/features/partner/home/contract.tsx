import { Box } from '@chakra-ui/react';
import { isLicenceOver, type RouteReply, type tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { daysUntil, LicenceEnd, licenceStateOf } from '../../../components/licence-end.tsx';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Link } from '../../../ui/link.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

type Summary = RouteReply<typeof tenantRoutes.getSummary>;

interface ContractProps {
  /** For company admins; all others see what their sign-in has told. */
  summary: Summary | undefined;
}

/** When the contract ends, in the wire's form; null for one without an end. */
function useEnd(summary: Summary | undefined): string | null {
  const { licenseExpiredOnUnixtime } = usePartnerSession().partner;
  if (summary) return summary.licenseExpiredOn;
  return licenseExpiredOnUnixtime === null ? null : new Date(licenseExpiredOnUnixtime * 1000).toISOString();
}

/** What has to be seen to before work stops: the end of the contract from 30 days before, and licences that are used up. */
export function ContractNotices({ summary }: ContractProps) {
  const { t } = useTranslation('home');
  const end = useEnd(summary);
  const hasNoLicence = summary !== undefined && summary.licenseRemaining <= 0;
  const isEnding = end !== null && licenceStateOf(end) !== 'running';
  if (!isEnding && !hasNoLicence) return null;
  return (
    <Box display="grid" gap="3" mb="7">
      {isEnding && <EndNotice end={end} />}
      {hasNoLicence && <Notice tone="warning">{t(`noLicencesLeft.${summary.licenseType}`)}</Notice>}
    </Box>
  );
}

function EndNotice({ end }: { end: string }) {
  const { t } = useTranslation('home');
  const format = useFormat();
  const time = new Date(end);
  const date = format.date(end);
  const days = daysUntil(time);
  if (days < 0 || isLicenceOver(time, new Date()))
    return <Notice tone="error">{t('ends.over', { date })}</Notice>;
  return (
    <Notice tone="warning">
      {days === 0 ? t('ends.today', { date }) : t('ends.soon', { count: days, date })}
    </Notice>
  );
}

/** The contract in short; what is used of it has a page of its own. */
export function HomeContract({ summary }: ContractProps) {
  const { t } = useTranslation(['home', 'auth']);
  const { number } = useFormat();
  const { partner } = usePartnerSession();
  const end = useEnd(summary);
  const licences = (of: Summary) => ({
    label: t('licences'),
    value: (
      <Meter
        wide
        label={t('licences')}
        value={of.licenseCount - of.licenseRemaining}
        max={of.licenseCount}
        text={t('licencesLeft', {
          total: number(of.licenseCount),
          used: number(of.licenseCount - of.licenseRemaining),
          left: number(of.licenseRemaining),
        })}
      />
    ),
  });
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('auth:partnerCode'), value: partner.partnerCode },
          { label: t('auth:rank'), value: t(`auth:ranks.${summary?.contractRank ?? partner.contractRank}`) },
          { label: t('auth:licenseType'), value: t(`auth:licenseTypes.${partner.licenseType}`) },
          { label: t('auth:licenseExpiresOn'), value: <LicenceEnd expiredOn={end} /> },
          ...(summary ? [licences(summary)] : []),
        ]}
      />
      {summary && (
        <Box px="5" py="3" borderTopWidth="1px" borderColor="border.muted">
          <Link to="/partner/summary">{t('toSummary')}</Link>
        </Box>
      )}
    </Panel>
  );
}
