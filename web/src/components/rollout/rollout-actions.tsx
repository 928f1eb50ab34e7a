import { Flex } from '@chakra-ui/react';
import { Ban, ChevronsRight, OctagonPause, Play, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import type { Rollout } from './rollout.ts';

export type RolloutAction = 'advance' | 'halt' | 'resume' | 'cancel';

/** What can be done at this moment, the most likely first. */
function actionsIn({ stage, stages, state }: Rollout): readonly RolloutAction[] {
  if (state === 'halted') return ['resume', 'cancel'];
  if (state === 'running') return stage < stages.length ? ['advance', 'halt', 'cancel'] : ['halt', 'cancel'];
  if (state === 'done') return ['halt', 'cancel'];
  return state === 'waiting' ? ['cancel'] : [];
}

const icons = { advance: ChevronsRight, halt: OctagonPause, resume: Play, cancel: Ban };
const tones = { advance: 'accent', halt: 'danger', resume: 'accent', cancel: 'danger' } as const;

interface RolloutActionsProps {
  /** Of what is going out. */
  name: string;
  rollout: Rollout;
  /** The newest version that can be put back. */
  former: number | undefined;
  onPutBack: () => void;
  /** Makes the call: of the next stage with its number, as it was shown, so that nobody begins two at once. */
  act: (action: RolloutAction, stage: number) => Promise<object>;
  /** Whether an answer is told in another way than that it is done. */
  isToldOtherwise?: (reply: object) => boolean;
  /** Asks again for what has changed. */
  changed: () => Promise<unknown>;
}

/** Going on, standing still, going on again and ending, each with its effect told first; and the version before as the way out. */
export function RolloutActions({
  act,
  changed,
  former,
  isToldOtherwise = () => false,
  name,
  onPutBack,
  rollout,
}: RolloutActionsProps) {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [asked, setAsked] = useState<RolloutAction>();
  const next = rollout.stages[rollout.stage];
  const isStopped = rollout.state === 'halted' || rollout.state === 'cancelled';

  const change = useAction({
    mutationFn: (action: RolloutAction) => act(action, rollout.stage + 1),
    onSuccess(reply, action) {
      if (!isToldOtherwise(reply)) toast({ tone: 'success', message: t(`done.${action}`) });
    },
    // It is not what it was when this page was read.
    onError: showError,
    async onSettled() {
      setAsked(undefined);
      await changed();
    },
  });

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
            onClick={() => setAsked(action)}
          >
            {action === 'advance' && next
              ? t('actions.advanceTo', { percent: percent(next.percent / 100) })
              : t(`actions.${action}`)}
          </Button>
        );
      })}
      <ConfirmDialog
        open={asked !== undefined}
        title={asked ? t(`confirm.${asked}.title`) : ''}
        confirmLabel={asked ? t(`actions.${asked}`) : ''}
        tone={asked ? tones[asked] : 'accent'}
        pending={change.isPending}
        onConfirm={() => asked && change.mutate(asked)}
        onCancel={() => setAsked(undefined)}
      >
        {asked &&
          t(`confirm.${asked}.text`, {
            name,
            version: rollout.version,
            stage: number(rollout.stage + 1),
            percent: percent((next?.percent ?? 100) / 100),
          })}
      </ConfirmDialog>
    </Flex>
  );
}
