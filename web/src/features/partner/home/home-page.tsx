import { Box, chakra, Skeleton } from '@chakra-ui/react';
import { fileRoutes, formatDateTime, type RouteReply, userRoutes } from '@portal/contracts';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Figure, tiles } from '../../../components/figure.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { useOwnSummary } from '../../../components/use-own-summary.ts';
import { userDetailPath, userListPath } from '../../../components/users/user.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { useShownInPieces } from '../../../lib/use-shown-in-pieces.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { ContractNotices, HomeContract } from './contract.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { PushCertificates } from './push-certificates.tsx';

/** Milliseconds between two looks at figures that move by themselves. */
const refetchEvery = 30_000;
const week = 7 * 24 * 3_600_000;

/** The first screen of the partner area: what goes on, what waits for somebody, and when the contract ends. */
export function HomePage() {
  const { t } = useTranslation(['home', 'auth']);
  const may = useMay();
  const { partner, user } = usePartnerSession();
  const params = { pid: partner.id };
  const request = { params, query: { tz: viewerZone() } };
  const options = { refetchInterval: refetchEvery };
  const files = useApiQuery(fileRoutes.getFilesOverview, request, {
    ...options,
    enabled: may('getFilesOverview'),
  });
  const users = useApiQuery(userRoutes.usersOverview, request, { ...options, enabled: may('usersOverview') });
  const summary = useOwnSummary({ ...options, enabled: may('getSummary') });
  const steps = useFirstSteps();
  // All at once: what came later would push away what is read by then.
  const isLoading = [files, users, summary].some((query) => query.isLoading) || steps.isLoading;
  const isShown = useShownInPieces(!isLoading);
  return (
    <>
      <PageHeader
        title={t('auth:menuTitle')}
        lead={t('auth:welcome', { name: user.name })}
        action={
          <>
            {may('createUser') && (
              <ButtonLink to="/partner/users/create" variant="outline" icon={<Plus />}>
                {t('createUser')}
              </ButtonLink>
            )}
            {may('createFile') && (
              <ButtonLink to="/partner/files/create" icon={<Plus />}>
                {t('createFile')}
              </ButtonLink>
            )}
          </>
        }
      />
      {!isShown ? (
        <HomeSkeleton />
      ) : (
        <>
          <ContractNotices summary={summary.data} />
          {may('getCertification') && <PushCertificates />}
          <FirstSteps steps={steps} />
          {may('getFilesOverview') && (
            <Section title={t('files')} lead={t('filesLead')}>
              <Loaded query={files}>
                {(data) => <FileFigures overview={data} at={files.dataUpdatedAt} />}
              </Loaded>
            </Section>
          )}
          <Box {...columns}>
            {may('usersOverview') && (
              <Section title={t('users')}>
                <Loaded query={users}>{(data) => <Users overview={data} />}</Loaded>
              </Section>
            )}
            <Section title={t('contract')}>
              <HomeContract summary={summary.data} />
            </Section>
          </Box>
        </>
      )}
    </>
  );
}

const columns = {
  display: 'grid',
  columnGap: '5',
  gridTemplateColumns: { base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
} as const;

interface FileFiguresProps {
  overview: RouteReply<typeof fileRoutes.getFilesOverview>;
  /** When they were counted. */
  at: number;
}

/** Each figure is what the list behind it counts. */
function FileFigures({ overview, at }: FileFiguresProps) {
  const { t } = useTranslation('home');
  const list = (filter: Readonly<Record<string, string>>) =>
    `/partner/files?${new URLSearchParams(filter).toString()}`;
  const weekEnds = formatDateTime(new Date(at + week));
  return (
    <Box {...tiles(5)}>
      <Figure
        label={t('figures.deliveredToday')}
        value={overview.deliveredToday}
        to={list({ deliveredAtStart: '1d' })}
      />
      <Figure
        label={t('figures.deliveredWeek')}
        value={overview.deliveredWeek}
        to={list({ deliveredAtStart: '7d' })}
      />
      <Figure
        label={t('figures.reservedWeek')}
        value={overview.reservedWeek}
        to={list({ dueAtEnd: weekEnds })}
      />
      <Figure
        label={t('figures.nobody')}
        value={overview.nobody}
        to={list({ state: 'nobody' })}
        asksForWork
      />
      <Figure
        label={t('figures.interrupted')}
        value={overview.interrupted}
        to={list({ state: 'interrupted' })}
        asksForWork
      />
    </Box>
  );
}

function Users({ overview }: { overview: RouteReply<typeof userRoutes.usersOverview> }) {
  const { t } = useTranslation('home');
  return (
    <>
      <Box {...tiles(2)}>
        <Figure label={t('figures.total')} value={overview.total} to={userListPath} />
        <Figure
          label={t('figures.withoutPassword')}
          value={overview.withoutPassword}
          to={`${userListPath}?passwordState=none`}
        />
      </Box>
      <Panel mt="3">
        <chakra.h3 px="5" pt="4" pb="2" color="fg.muted" fontWeight="medium">
          {t('lastSignIns')}
        </chakra.h3>
        <LastSignIns rows={overview.lastSignIns} />
      </Panel>
    </>
  );
}

function LastSignIns({ rows }: { rows: RouteReply<typeof userRoutes.usersOverview>['lastSignIns'] }) {
  const { t } = useTranslation('home');
  const { dateTime } = useFormat();
  const { partner } = usePartnerSession();
  if (rows.length === 0) {
    return (
      <chakra.p px="5" pb="4" color="fg.muted">
        {t('noSignIns')}
      </chakra.p>
    );
  }
  return (
    <chakra.ul css={{ '& > li': { borderTopWidth: '1px', borderColor: 'border.muted' } }}>
      {rows.map(({ at, id, name }) => (
        <chakra.li key={id} display="flex" justifyContent="space-between" gap="4" px="5" py="2">
          <Link to={editLink(userDetailPath, id, partner.name)} minW="0">
            <LongWord>{name}</LongWord>
          </Link>
          <chakra.time dateTime={at} color="fg.muted" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
            {dateTime(at)}
          </chakra.time>
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

/** Longer than a window, so that nothing below it is seen to move. */
function HomeSkeleton() {
  return (
    <Box aria-hidden minH="100dvh">
      <Box {...tiles(5)} mt="12">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} h="6rem" borderRadius="md" />
        ))}
      </Box>
      <Box {...columns} mt="14">
        <Skeleton h="20rem" borderRadius="md" />
        <Skeleton h="15rem" borderRadius="md" />
      </Box>
    </Box>
  );
}
