import { Badge, Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Section } from '../../ui/page/section.tsx';
import type { Rollout } from './rollout.ts';
import { StageLine } from './stage-line.tsx';

const tones: Readonly<Record<Rollout['state'], string>> = {
  waiting: 'gray',
  running: 'accent',
  halted: 'danger',
  cancelled: 'danger',
  done: 'success',
};

interface RolloutPanelProps {
  rollout: Rollout;
  /** What can be done. */
  children?: ReactNode;
}

/** How far a version has come in its stages, and what its devices report. */
export function RolloutPanel({ children, rollout }: RolloutPanelProps) {
  const { t } = useTranslation('rollout');
  const { state, version } = rollout;
  const isStopped = state === 'halted' || state === 'cancelled';
  return (
    <Section title={t('title')} lead={t('lead', { version })}>
      <Panel p={{ base: '4', md: '5' }}>
        <Flex align="center" gap="3" wrap="wrap" mb="4">
          <Badge colorPalette={tones[state]}>{t(`states.${state}`)}</Badge>
          <chakra.span color="fg.muted">
            <StateWords rollout={rollout} />
          </chakra.span>
        </Flex>
        {isStopped && (
          <Box mb="4">
            <Notice tone={state === 'halted' ? 'error' : 'warning'}>
              <HaltWords rollout={rollout} />
            </Notice>
          </Box>
        )}
        <StageLine rollout={rollout} />
        <Reports rollout={rollout} />
        {children}
      </Panel>
    </Section>
  );
}

function StateWords({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const { stage, stages, state } = rollout;
  if (state === 'waiting') return t('waitingText');
  return t('progress', {
    stage: number(stage),
    stages: number(stages.length),
    percent: percent(rollout.percent / 100),
  });
}

/** Since when it stands still, and why; of who cancelled it, and when, only the log tells. */
function HaltWords({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('rollout');
  const { dateTime, number } = useFormat();
  const { failures, haltedAt, haltedBy, reports, state } = rollout;
  const time = dateTime(haltedAt);
  const halted =
    haltedBy === null
      ? t('haltedByLimit', { time, failures: number(failures), reports: number(reports) })
      : t('haltedBy', { time, name: haltedBy.name });
  const said = [...(haltedAt === null ? [] : [halted]), ...(state === 'cancelled' ? [t('cancelled')] : [])];
  return (
    <>
      <chakra.strong fontWeight="semibold">{said.join(' ')}</chakra.strong> {t('haltedEffect')}
    </>
  );
}

/** What was told since it began, against the limit. */
function Reports({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const { failures, halt, reports, state } = rollout;
  if (state === 'waiting') return null;
  const counts = { reports: number(reports), failures: number(failures) };
  const share = reports === 0 ? 0 : (failures * 100) / reports;
  return (
    <Box
      mt="5"
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: '1fr', md: 'repeat(2, minmax(0, 24rem))' }}
    >
      {halt === null ? (
        <p>{t('reportsNoLimit', counts)}</p>
      ) : (
        <>
          <Meter
            wide
            label={t('failureShare')}
            value={share}
            max={halt.failurePercent}
            text={t('failuresOfLimit', {
              ...counts,
              share: percent(share / 100),
              limit: percent(halt.failurePercent / 100),
            })}
          />
          <chakra.p color="fg.muted">
            {reports < halt.minReports
              ? t('untilLimitCounts', { count: halt.minReports - reports, least: number(halt.minReports) })
              : t('limitCounts', { least: number(halt.minReports) })}
          </chakra.p>
        </>
      )}
    </Box>
  );
}
