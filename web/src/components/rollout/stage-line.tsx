import { Box, chakra } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { useGroupOptions } from '../groups/use-pickable-groups.ts';
import { useWaitWords } from './plan-words.ts';
import type { Rollout } from './rollout.ts';

type Stage = Rollout['stages'][number];

/** The stages beside each other, on narrow screens below each other: which have begun, and when the next does. */
export function StageLine({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('rollout');
  const { stages } = rollout;
  return (
    <chakra.ol
      aria-label={t('title')}
      display="grid"
      gap={{ base: '3', md: '0' }}
      gridTemplateColumns={{ base: '1fr', md: `repeat(${stages.length}, minmax(0, 1fr))` }}
    >
      {stages.map((stage) => (
        <StageItem key={stage.stage} stage={stage} rollout={rollout} />
      ))}
    </chakra.ol>
  );
}

function StageItem({ rollout, stage: shown }: { rollout: Rollout; stage: Stage }) {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const { groupIds, stage } = shown;
  const hasBegun = stage <= rollout.stage;
  const isLatest = stage === rollout.stage;
  const isStopped = rollout.state === 'halted' || rollout.state === 'cancelled';
  const palette = hasBegun ? (isStopped && isLatest ? 'danger' : isLatest ? 'accent' : 'success') : 'gray';
  return (
    <chakra.li
      aria-current={isLatest ? 'step' : undefined}
      colorPalette={palette}
      position="relative"
      display={{ base: 'grid', md: 'block' }}
      gridTemplateColumns="2.5rem 1fr"
      pe="3"
    >
      {/* The way to the next one. */}
      {stage < rollout.stages.length && (
        <Box
          aria-hidden
          hideBelow="md"
          position="absolute"
          top="3.5"
          insetStart="7"
          insetEnd="0"
          h="2px"
          bg={stage < rollout.stage ? 'success.solid' : 'bg.emphasized'}
        />
      )}
      <Box
        position="relative"
        display="grid"
        placeItems="center"
        boxSize="7"
        borderRadius="full"
        borderWidth="2px"
        borderColor={hasBegun ? 'colorPalette.solid' : 'border.control'}
        bg={hasBegun ? 'colorPalette.solid' : 'bg.panel'}
        color={hasBegun ? 'colorPalette.contrast' : 'fg.muted'}
        fontSize="xs"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        aria-hidden
      >
        {hasBegun && !isLatest ? <Check size={14} /> : number(stage)}
      </Box>
      <Box mt={{ base: '0', md: '2' }} minW="0">
        <chakra.p fontWeight="semibold" fontVariantNumeric="tabular-nums">
          <chakra.span srOnly>{t('stage', { stage })}: </chakra.span>
          {percent(shown.percent / 100)}
        </chakra.p>
        {groupIds && <PilotNames groupIds={groupIds} />}
        <chakra.p fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          <StageTime rollout={rollout} stage={shown} />
        </chakra.p>
      </Box>
    </chakra.li>
  );
}

/** When it began, or what begins it. */
function StageTime({
  rollout,
  stage: { after, dueAt, stage, startedAt },
}: {
  rollout: Rollout;
  stage: Stage;
}) {
  const { t } = useTranslation('rollout');
  const { dateTime } = useFormat();
  const waitWords = useWaitWords();
  if (startedAt !== null) return t('begun', { time: dateTime(startedAt) });
  if (dueAt !== null) return t('due', { time: dateTime(dueAt) });
  if (stage === 1) return t('withDelivery');
  return rollout.state === 'cancelled' ? t('never') : waitWords(after);
}

function PilotNames({ groupIds }: { groupIds: readonly number[] }) {
  const { t } = useTranslation(['rollout', 'files']);
  const may = useMay();
  return (
    <chakra.p fontSize="xs" overflowWrap="anywhere">
      {may('listGroups') ? <GroupNames groupIds={groupIds} /> : t('pilotGroups', { count: groupIds.length })}
    </chakra.p>
  );
}

function GroupNames({ groupIds }: { groupIds: readonly number[] }) {
  const { t } = useTranslation(['rollout', 'files']);
  const options = useGroupOptions();
  const names = groupIds.map((id) => options.find(({ value }) => value === String(id))?.label ?? `#${id}`);
  return t('pilotOf', { groups: names.join(t('files:listSeparator')) });
}
