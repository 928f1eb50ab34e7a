import { Box, chakra, Flex, Skeleton } from '@chakra-ui/react';
import type { RouteReply, tenantRoutes } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useFormat, viewerZone } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { BarChart } from '../ui/chart/bar-chart.tsx';
import { Meter } from '../ui/meter.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { Section } from '../ui/page/section.tsx';

type Summary = RouteReply<typeof tenantRoutes.getSummary>;

/** Milliseconds between two looks at figures that move by themselves. */
export const refetchEvery = 15_000;

interface SummaryNowProps {
  summary: Summary;
  /** How much of its quota the storage takes, where that is known. */
  storage?: ReactNode;
}

/** What a company uses at this moment, and has used in the last days. */
export function SummaryNow({ storage, summary }: SummaryNowProps) {
  const { t } = useTranslation('summary');
  return (
    <Section title={t('now')}>
      <Figures summary={summary} storage={storage} />
    </Section>
  );
}

/** Day by day. */
export function SummaryHistory({ summary }: { summary: Summary }) {
  const { t } = useTranslation('summary');
  const [days, setDays] = useRange();
  const daily = summary.daily.slice(-days);
  return (
    <Section
      title={t('history')}
      lead={t('historyLead', { zone: viewerZone() })}
      action={<RangeChoice days={days} onChange={setDays} />}
    >
      <Box
        display="grid"
        gap="3"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      >
        <TransferChart daily={daily} dataTransfer={summary.dataTransfer} />
        <CallChart daily={daily} />
      </Box>
    </Section>
  );
}

/** How many days the charts show; the answer has those of the longest. */
const ranges = [7, 30] as const;
type Range = (typeof ranges)[number];

/** The range, kept in the address. */
function useRange(): [Range, (days: Range) => void] {
  const [address, setAddress] = useSearchParams();
  const days = ranges.find((range) => String(range) === address.get('days')) ?? 30;
  const set = (next: Range) =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === 30) after.delete('days');
        else after.set('days', String(next));
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return [days, set];
}

interface RangeChoiceProps {
  days: Range;
  onChange: (days: Range) => void;
}

function RangeChoice({ days, onChange }: RangeChoiceProps) {
  const { t } = useTranslation('summary');
  return (
    <Flex role="group" aria-label={t('range')} gap="1">
      {ranges.map((range) => (
        <Button
          key={range}
          size="xs"
          variant={range === days ? 'subtle' : 'ghost'}
          colorPalette={range === days ? 'accent' : 'gray'}
          aria-pressed={range === days}
          onClick={() => onChange(range)}
        >
          {t('days', { count: range })}
        </Button>
      ))}
    </Flex>
  );
}

const tiles = {
  display: 'grid',
  gap: '3',
  gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(3, minmax(0, 1fr))' },
} as const;

function Figures({ storage, summary }: SummaryNowProps) {
  const { t } = useTranslation(['summary', 'ui']);
  const { fileSize, number } = useFormat();
  const { licenseCount, licenseRemaining, uapFileLimit, uapFileNum } = summary;
  const used = licenseCount - licenseRemaining;
  return (
    <Box {...tiles}>
      <Tile label={t('licences')} value={number(used)} unit={t('ofTotal', { total: number(licenseCount) })}>
        <Meter
          wide
          label={t('licences')}
          value={used}
          max={licenseCount}
          text={t(`remaining.${summary.licenseType}`, { count: number(licenseRemaining) })}
        />
      </Tile>
      <Tile label={t('storage')} value={fileSize(summary.totalFileSize)}>
        {t('storageHelp')}
        {storage}
      </Tile>
      <Tile
        label={t('uapFiles')}
        value={number(uapFileNum)}
        unit={uapFileLimit === 0 ? '' : t('ofTotal', { total: number(uapFileLimit) })}
      >
        {uapFileLimit === 0 ? (
          t('unlimited')
        ) : (
          <Meter
            wide
            label={t('uapFiles')}
            value={uapFileNum}
            max={uapFileLimit}
            text={t('uapRemaining', { count: number(Math.max(0, uapFileLimit - uapFileNum)) })}
          />
        )}
      </Tile>
      <Tile
        label={t('transfer')}
        value={summary.dataTransfer === null ? t('ui:none') : fileSize(summary.dataTransfer)}
      >
        {summary.dataTransfer === null ? t('transferUnknown') : t('lastDays')}
      </Tile>
      <Tile label={t('calls')} value={number(summary.apiCallNum)}>
        {t('lastDays')}
      </Tile>
      <Tile label={t('pushes')} value={number(summary.pushNotificationNum)}>
        {t('lastDays')}
      </Tile>
    </Box>
  );
}

interface TileProps {
  label: string;
  value: string;
  /** After the value, smaller. */
  unit?: string;
  children: ReactNode;
}

/** One figure that is seen from afar, and what it means. */
function Tile({ label, value, unit, children }: TileProps) {
  return (
    <Panel p={{ base: '4', md: '5' }}>
      <chakra.h3 color="fg.muted" fontWeight="medium">
        {label}
      </chakra.h3>
      <chakra.p
        fontSize="2xl"
        fontWeight="semibold"
        lineHeight="tight"
        fontVariantNumeric="tabular-nums"
        mt="1"
      >
        {value}
        {unit && (
          <chakra.span fontSize="sm" fontWeight="normal" color="fg.muted" ms="2">
            {unit}
          </chakra.span>
        )}
      </chakra.p>
      <Box mt="2" fontSize="xs" color="fg.muted">
        {children}
      </Box>
    </Panel>
  );
}

function TransferChart({ daily, dataTransfer }: Pick<Summary, 'daily' | 'dataTransfer'>) {
  const { t } = useTranslation('summary');
  const { calendarDay, fileSize } = useFormat();
  const whole = (bytes: (day: Summary['daily'][number]) => number | null) =>
    fileSize(daily.reduce((sum, day) => sum + (bytes(day) ?? 0), 0));
  return (
    <ChartPanel title={t('transfer')}>
      {dataTransfer === null ? (
        <chakra.p color="fg.muted">{t('transferUnknown')}</chakra.p>
      ) : (
        <BarChart
          title={t('transfer')}
          description={t('transferDescription', {
            count: daily.length,
            download: whole(({ downloadBytes }) => downloadBytes),
            upload: whole(({ uploadBytes }) => uploadBytes),
          })}
          labelHeader={t('day')}
          series={[
            { id: 'download', label: t('download'), colour: 'accent.solid' },
            { id: 'upload', label: t('upload'), colour: 'warning.solid' },
          ]}
          bars={daily.map(({ date, downloadBytes, uploadBytes }) => ({
            label: calendarDay(date),
            values: [downloadBytes ?? 0, uploadBytes ?? 0],
          }))}
          format={fileSize}
        />
      )}
    </ChartPanel>
  );
}

function CallChart({ daily }: { daily: Summary['daily'] }) {
  const { t } = useTranslation('summary');
  const { calendarDay, number } = useFormat();
  const calls = daily.reduce((sum, { apiCallNum }) => sum + apiCallNum, 0);
  return (
    <ChartPanel title={t('calls')}>
      <BarChart
        title={t('calls')}
        description={t('callsDescription', { count: daily.length, calls: number(calls) })}
        labelHeader={t('day')}
        series={[{ id: 'calls', label: t('calls'), colour: 'accent.solid' }]}
        bars={daily.map(({ apiCallNum, date }) => ({ label: calendarDay(date), values: [apiCallNum] }))}
        format={number}
      />
    </ChartPanel>
  );
}

function ChartPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel p="5">
      <chakra.h3 fontWeight="medium" mb="1">
        {title}
      </chakra.h3>
      {children}
    </Panel>
  );
}

/** As high as what comes, so that nothing jumps. */
export function SummarySkeleton() {
  return (
    <Box aria-hidden maxW="page">
      <Box {...tiles} mt="8">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} h="8rem" borderRadius="md" />
        ))}
      </Box>
      <Flex gap="3" mt="14" direction={{ base: 'column', lg: 'row' }}>
        <Skeleton h="18rem" flex="1" borderRadius="md" />
        <Skeleton h="18rem" flex="1" borderRadius="md" />
      </Flex>
    </Box>
  );
}
