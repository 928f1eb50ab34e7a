import { Box, chakra, Skeleton } from '@chakra-ui/react';
import { contractRanks, type RouteReply, tenantRoutes } from '@portal/contracts';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Figure, tiles } from '../../../components/figure.tsx';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { newPartnerPath, partnerDetailLink } from '../../../components/partner-links.ts';
import { unitPaths } from '../../../components/unit-links.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAdminSession, useMay } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { Link, PlainLink } from '../../../ui/link.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { partnerLists } from './partner-lists.ts';
import { PushCertificate } from './push-certificate.tsx';

type Overview = RouteReply<typeof tenantRoutes.getOverview>;

/** Milliseconds between two looks at figures that move by themselves. */
const refetchEvery = 30_000;

const tenantsIn = ({ tenantsByRank }: Overview) =>
  contractRanks.reduce((sum, rank) => sum + tenantsByRank[rank], 0);

/** The first screen of administrators: how many companies there are, what licences are left, and what waits for somebody. */
export function AdminHomePage() {
  const { t } = useTranslation(['adminHome', 'auth']);
  const { name } = useAdminSession();
  const may = useMay();
  const overview = useApiQuery(tenantRoutes.getOverview, {}, { refetchInterval: refetchEvery });
  return (
    <>
      <PageHeader title={t('auth:menuTitle')} lead={t('auth:welcome', { name })} action={<Actions />} />
      {may('getOperatorCertification') && <PushCertificate />}
      {overview.isLoading ? (
        <HomeSkeleton />
      ) : (
        <Loaded query={overview}>
          {(data) => <HomeBody overview={data} lists={partnerLists(overview.dataUpdatedAt)} />}
        </Loaded>
      )}
    </>
  );
}

/** The one that comes first stands out where there is nothing yet. */
function Actions() {
  const { t } = useTranslation('adminHome');
  const may = useMay();
  return (
    <>
      {may('createUnit') && (
        <ButtonLink to={unitPaths.create.form} variant="outline" icon={<Plus />}>
          {t('createUnit')}
        </ButtonLink>
      )}
      {may('createPartner') && (
        <ButtonLink to={newPartnerPath} icon={<Plus />}>
          {t('createPartner')}
        </ButtonLink>
      )}
    </>
  );
}

interface PartProps {
  overview: Overview;
  lists: ReturnType<typeof partnerLists>;
}

function HomeBody(props: PartProps) {
  const { t } = useTranslation('adminHome');
  const { overview } = props;
  return (
    <>
      {tenantsIn(overview) === 0 ? (
        <FirstSteps />
      ) : (
        <Section title={t('now')} lead={t('nowLead')}>
          <Figures {...props} />
        </Section>
      )}
      <Box {...columns}>
        <Section title={t('licences')}>
          <Licences licences={overview.licences} />
        </Section>
        <Section title={t('ranks')}>
          <Ranks {...props} />
        </Section>
      </Box>
      <Section title={t('ending')}>
        <Ending {...props} />
      </Section>
    </>
  );
}

const columns = {
  display: 'grid',
  columnGap: '5',
  gridTemplateColumns: { base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
} as const;

function Figures({ lists, overview }: PartProps) {
  const { t } = useTranslation('adminHome');
  return (
    <Box {...tiles(4)}>
      <Figure label={t('figures.total')} value={tenantsIn(overview)} to={lists.all} />
      <Figure label={t('figures.ending')} value={overview.ending.count} to={lists.ending} asksForWork />
      <Figure label={t('figures.newTenants')} value={overview.newTenants} to={lists.newTenants} />
      <Figure
        label={t('figures.failedMails')}
        value={overview.failedMails}
        to={lists.failedMails}
        asksForWork
      />
    </Box>
  );
}

/** What comes first where there is no company yet. */
function FirstSteps() {
  const { t } = useTranslation('adminHome');
  const may = useMay();
  const { outsourcingFlag } = useAdminSession();
  const mayCreate = may('createPartner');
  return (
    <Panel mb="7">
      <EmptyState
        title={t(outsourcingFlag ? 'first.unitTitle' : 'first.platformTitle')}
        action={
          may('createUnit') ? (
            <ButtonLink to={unitPaths.list}>{t('byUnit')}</ButtonLink>
          ) : (
            mayCreate && <ButtonLink to={newPartnerPath}>{t('createPartner')}</ButtonLink>
          )
        }
      >
        {may('createUnit') ? t('first.platformText') : t(mayCreate ? 'first.unitText' : 'first.viewText')}
      </EmptyState>
    </Panel>
  );
}

/** How far what the units have is given to companies, and how far companies use it. */
function Licences({ licences: { allocated, given, inUse } }: { licences: Overview['licences'] }) {
  const { t } = useTranslation('adminHome');
  const { number } = useFormat();
  return (
    <Panel css={{ '& > * + *': { borderTopWidth: '1px', borderColor: 'border.muted' } }}>
      <Box px="5" py="4">
        <Measure
          label={t('given')}
          value={given}
          max={allocated}
          text={t('givenText', {
            allocated: number(allocated),
            given: number(given),
            left: number(allocated - given),
          })}
        />
        {allocated > 0 && given >= allocated && (
          <Box mt="3">
            <Notice tone="warning">{t('noRoom')}</Notice>
          </Box>
        )}
      </Box>
      <Box px="5" py="4">
        <Measure
          label={t('inUse')}
          value={inUse}
          max={given}
          text={t('inUseText', { given: number(given), inUse: number(inUse), left: number(given - inUse) })}
        />
      </Box>
      <Box px="5" py="3">
        <Link to={unitPaths.list}>{t('byUnit')}</Link>
      </Box>
    </Panel>
  );
}

interface MeasureProps {
  label: string;
  value: number;
  max: number;
  text: string;
}

function Measure(props: MeasureProps) {
  return (
    <>
      <chakra.h3 mb="1" fontWeight="medium" color="fg.muted">
        {props.label}
      </chakra.h3>
      <Meter wide {...props} />
    </>
  );
}

/** The companies of each plan, as bars of one scale. */
function Ranks({ lists, overview }: PartProps) {
  const { t } = useTranslation(['adminHome', 'auth']);
  const { tenantsByRank } = overview;
  const most = Math.max(1, ...contractRanks.map((rank) => tenantsByRank[rank]));
  return (
    <Panel>
      <chakra.ul css={rankStyles}>
        {contractRanks.toReversed().map((rank) => (
          <li key={rank}>
            <PlainLink to={lists.ofRank(rank)}>
              <span>{t(`auth:ranks.${rank}`)}</span>{' '}
              <span data-figure="">{t('ranksCount', { count: tenantsByRank[rank] })}</span>
              <span data-bar="" aria-hidden>
                <span style={{ width: `${(tenantsByRank[rank] / most) * 100}%` }} />
              </span>
            </PlainLink>
          </li>
        ))}
      </chakra.ul>
    </Panel>
  );
}

const rankStyles = {
  py: '2',
  '& a': {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '4',
    rowGap: '1',
    px: '5',
    py: '2',
  },
  '& a:hover': { bg: 'bg.subtle' },
  '& a:hover span:first-of-type': { textDecoration: 'underline', textUnderlineOffset: '3px' },
  '& [data-figure]': { fontVariantNumeric: 'tabular-nums', fontWeight: 'semibold' },
  '& [data-bar]': {
    gridColumn: '1 / -1',
    display: 'block',
    h: '1.5',
    borderRadius: 'full',
    bg: 'bg.emphasized',
    overflow: 'hidden',
  },
  '& [data-bar] > span': { display: 'block', h: 'full', bg: 'accent.solid' },
} as const;

function Ending({ lists, overview: { ending } }: PartProps) {
  const { t } = useTranslation('adminHome');
  if (ending.count === 0) {
    return (
      <Panel px="5" py="4" color="fg.muted">
        {t('noneEnding')}
      </Panel>
    );
  }
  return (
    <Panel css={{ '& li + li, & ul + div': { borderTopWidth: '1px', borderColor: 'border.muted' } }}>
      <ul>
        {ending.partners.map((partner) => (
          <chakra.li
            key={partner.id}
            display="flex"
            flexWrap="wrap"
            justifyContent="space-between"
            columnGap="4"
            px="5"
            py="2"
          >
            <Link to={partnerDetailLink(partner)} minW="0" minH="6">
              <LongWord>{partner.name}</LongWord>
            </Link>
            <LicenceEnd expiredOn={partner.licenseExpiredOn} />
          </chakra.li>
        ))}
      </ul>
      {ending.count > ending.partners.length && (
        <Box px="5" py="3">
          <Link to={lists.ending}>{t('allEnding', { count: ending.count })}</Link>
        </Box>
      )}
    </Panel>
  );
}

/** Longer than a window, so that nothing below it is seen to move. */
function HomeSkeleton() {
  return (
    <Box aria-hidden minH="100dvh">
      <Box {...tiles(4)} mt="12">
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} h="6rem" borderRadius="md" />
        ))}
      </Box>
      <Box {...columns} mt="14">
        <Skeleton h="15rem" borderRadius="md" />
        <Skeleton h="15rem" borderRadius="md" />
      </Box>
    </Box>
  );
}
