import { Badge, Box, chakra, Flex } from '@chakra-ui/react';
import { rolloutRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileDetail } from '../../../../components/files/file.ts';
import { useApiQuery } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { useMay, usePartnerSession } from '../../../../lib/session/use-session.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Meter } from '../../../../ui/meter.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { Section } from '../../../../ui/page/section.tsx';
import { movesEvery } from '../delivery/delivery.ts';
import { PutBack } from '../put-back.tsx';
import type { Rollout } from './rollout.ts';
import { RolloutActions } from './rollout-actions.tsx';
import { StageLine } from './stage-line.tsx';
import { useStages } from './use-stages.ts';

const tones: Readonly<Record<Rollout['state'], string>> = {
  waiting: 'gray',
  running: 'accent',
  halted: 'danger',
  cancelled: 'danger',
  done: 'success',
};

/** How far the current version has come in its stages; nothing of one that goes to all at once. */
export function RolloutSection({ file }: { file: FileDetail }) {
  const { partner } = usePartnerSession();
  const stages = useStages(file);
  const current = stages?.current;
  // Only of a version that has stages there is something to ask again and again.
  const rollout = useApiQuery(
    rolloutRoutes.getRollout,
    { params: { pid: partner.id, id: file.id } },
    { enabled: Boolean(current?.rollout), refetchInterval: movesEvery },
  );
  const shown = rollout.data ?? current?.rollout;
  // What was told of the version before says nothing of this one.
  if (!current || !shown || shown.version !== current.version) return null;
  return <RolloutPanel file={file} rollout={shown} former={stages.former} />;
}

interface RolloutPanelProps {
  file: FileDetail;
  rollout: Rollout;
  /** The newest version that can be put back. */
  former: number | undefined;
}

function RolloutPanel({ file, former, rollout }: RolloutPanelProps) {
  const { t } = useTranslation('rollout');
  const may = useMay();
  const [isPuttingBack, setIsPuttingBack] = useState(false);
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
        {may('advanceRollout') && (
          <RolloutActions
            file={file}
            rollout={rollout}
            former={former}
            onPutBack={() => setIsPuttingBack(true)}
          />
        )}
      </Panel>
      <PutBack
        file={file}
        version={isPuttingBack && former !== undefined ? { version: former } : undefined}
        onClose={() => setIsPuttingBack(false)}
      />
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

/** Since when it stands still, and why. */
function HaltWords({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('rollout');
  const { dateTime, number } = useFormat();
  const { failures, haltedAt, haltedBy, reports, state } = rollout;
  const time = dateTime(haltedAt);
  const why =
    haltedBy === null
      ? t(state === 'halted' ? 'haltedByLimit' : 'cancelledAt', {
          time,
          failures: number(failures),
          reports: number(reports),
        })
      : t(state === 'halted' ? 'haltedBy' : 'cancelledBy', { time, name: haltedBy.name });
  return (
    <>
      <chakra.strong fontWeight="semibold">{why}</chakra.strong> {t('haltedEffect')}
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
