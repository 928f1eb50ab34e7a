import { Flex } from '@chakra-ui/react';
import { rolloutRoutes } from '@portal/contracts';
import { Ban, ChevronsRight, OctagonPause, Play, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { approvalOf, useSentForApproval } from '../../../../components/effect/use-sent-for-approval.ts';
import type { FileDetail } from '../../../../components/files/file.ts';
import { useApi } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { Button } from '../../../../ui/button.tsx';
import { useAnnouncer } from '../../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { useFilesChanged } from '../use-files-changed.ts';
import type { Rollout } from './rollout.ts';

type Action = 'advance' | 'halt' | 'resume' | 'cancel';

/** What can be done at this moment, the most likely first. */
function actionsIn({ stage, stages, state }: Rollout): readonly Action[] {
  if (state === 'halted') return ['resume', 'cancel'];
  if (state === 'running') return stage < stages.length ? ['advance', 'halt', 'cancel'] : ['halt', 'cancel'];
  if (state === 'done') return ['halt', 'cancel'];
  return state === 'waiting' ? ['cancel'] : [];
}

const icons = { advance: ChevronsRight, halt: OctagonPause, resume: Play, cancel: Ban };
const tones = { advance: 'accent', halt: 'danger', resume: 'accent', cancel: 'danger' } as const;

interface RolloutActionsProps {
  file: FileDetail;
  rollout: Rollout;
  /** The newest version that can be put back. */
  former: number | undefined;
  onPutBack: () => void;
}

/** Going on, standing still, going on again and ending, each with its effect told first; and the version before as the way out. */
export function RolloutActions({ file, former, onPutBack, rollout }: RolloutActionsProps) {
  const { t } = useTranslation('rollout');
  const { number, percent } = useFormat();
  const api = useApi();
  const filesChanged = useFilesChanged();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const sentForApproval = useSentForApproval();
  const [asked, setAsked] = useState<Action>();
  const params = { pid: partner.id, id: file.id };
  const next = rollout.stages[rollout.stage];
  const isStopped = rollout.state === 'halted' || rollout.state === 'cancelled';

  const change = useAction({
    mutationFn(action: Action) {
      // The stage that was shown, so that nobody begins two at once.
      if (action === 'advance') {
        return api.call(rolloutRoutes.advanceRollout, { params, body: { stage: rollout.stage + 1 } });
      }
      const calls = {
        halt: rolloutRoutes.haltRollout,
        resume: rolloutRoutes.resumeRollout,
        cancel: rolloutRoutes.cancelRollout,
      };
      return api.call(calls[action], { params });
    },
    onSuccess(reply, action) {
      const approvalId = approvalOf(reply);
      if (approvalId === undefined) toast({ tone: 'success', message: t(`done.${action}`) });
      else sentForApproval([approvalId]);
    },
    // It is not what it was when this page was read.
    onError: showError,
    async onSettled() {
      setAsked(undefined);
      await filesChanged();
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
            name: file.name,
            version: rollout.version,
            stage: number(rollout.stage + 1),
            percent: percent((next?.percent ?? 100) / 100),
          })}
      </ConfirmDialog>
    </Flex>
  );
}
