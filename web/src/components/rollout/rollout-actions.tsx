import { Flex } from '@chakra-ui/react';
import { Ban, ChevronsRight, OctagonPause, Play, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import type { Rollout } from './rollout.ts';
import { type RolloutAction, tones } from './use-action-words.ts';

/** What can be done at this moment, the most likely first. */
function actionsIn({ stage, stages, state }: Rollout): readonly RolloutAction[] {
  if (state === 'halted') return ['resume', 'cancel'];
  if (state === 'running') return stage < stages.length ? ['advance', 'halt', 'cancel'] : ['halt', 'cancel'];
  if (state === 'done') return ['halt', 'cancel'];
  return state === 'waiting' ? ['cancel'] : [];
}

const icons = { advance: ChevronsRight, halt: OctagonPause, resume: Play, cancel: Ban };

interface RolloutActionsProps {
  rollout: Rollout;
  /** The newest version that can be put back. */
  former: number | undefined;
  onPutBack: () => void;
  /** Asks for confirmation. */
  onAsk: (action: RolloutAction) => void;
}

/** Going on, standing still, going on again and ending; and the version before as the way out. */
export function RolloutActions({ former, onAsk, onPutBack, rollout }: RolloutActionsProps) {
  const { t } = useTranslation('rollout');
  const { percent } = useFormat();
  const next = rollout.stages[rollout.stage];
  const isStopped = rollout.state === 'halted' || rollout.state === 'cancelled';
  const offered = actionsIn(rollout);
  if (offered.length === 0 && !(isStopped && former !== undefined)) return null;
  return (
    <Flex mt="5" gap="2" wrap="wrap">
      {isStopped && former !== undefined && (
        <Button size="sm" icon={<Undo2 />} onClick={onPutBack}>
          {t('putBack', { version: former })}
        </Button>
      )}
      {offered.map((action) => {
        const Icon = icons[action];
        return (
          <Button
            key={action}
            size="sm"
            variant="outline"
            colorPalette={tones[action]}
            icon={<Icon />}
            onClick={() => onAsk(action)}
          >
            {action === 'advance' && next
              ? t('actions.advanceTo', { percent: percent(next.percent / 100) })
              : t(`actions.${action}`)}
          </Button>
        );
      })}
    </Flex>
  );
}
