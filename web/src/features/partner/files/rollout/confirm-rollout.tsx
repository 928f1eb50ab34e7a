import { rolloutRoutes } from '@portal/contracts';
import { ConfirmChange } from '../../../../components/effect/confirm-change.tsx';
import { useChange } from '../../../../components/effect/use-change.ts';
import { useTwoPeopleDecide } from '../../../../components/effect/use-two-people-decide.ts';
import type { FileDetail } from '../../../../components/files/file.ts';
import type { Rollout } from '../../../../components/rollout/rollout.ts';
import { type RolloutAction, useActionWords } from '../../../../components/rollout/use-action-words.ts';
import { useApi } from '../../../../lib/api.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAnnouncer } from '../../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { useFilesChanged } from '../use-files-changed.ts';

interface ConfirmRolloutProps {
  file: FileDetail;
  rollout: Rollout;
  /** Undefined closes the dialog. */
  action: RolloutAction | undefined;
  onClose: () => void;
}

/** Asks before the stages of a file go on, stand still or end, with the effect on its people. */
export function ConfirmRollout({ action, file, onClose, rollout }: ConfirmRolloutProps) {
  const words = useActionWords(file.name, rollout);
  const api = useApi();
  const { partner } = usePartnerSession();
  const filesChanged = useFilesChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const twoPeopleDecide = useTwoPeopleDecide();
  // What does harm is halted at once: by one person, and also while its effect is still counted.
  const isUrgent = action === 'halt';
  const params = { pid: partner.id, id: file.id };
  // Of the next stage with its number, as it was shown, so that nobody begins two at once.
  const stage = rollout.stage + 1;

  function act(previewToken: string | undefined) {
    switch (action) {
      case undefined:
        throw new Error('Nothing is asked');
      case 'advance':
        return api.call(rolloutRoutes.advanceRollout, { params, body: { stage, previewToken } });
      case 'halt':
        return api.call(rolloutRoutes.haltRollout, { params });
      case 'resume':
        return api.call(rolloutRoutes.resumeRollout, { params, query: { previewToken } });
      case 'cancel':
        return api.call(rolloutRoutes.cancelRollout, { params, query: { previewToken } });
    }
  }

  async function close() {
    onClose();
    await filesChanged();
  }

  const change = useChange({
    asked: action && {
      fileId: file.id,
      change: { what: 'rollout', body: action === 'advance' ? { action, stage } : { action } },
    },
    isUrgent,
    apply: async (previewToken) => act(previewToken),
    async onDone() {
      if (action) toast({ tone: 'success', message: words.done(action) });
      await close();
    },
    onSent: close,
    async onError(error) {
      // It is not what it was when this page was read.
      showError(error);
      await close();
    },
  });

  return (
    <ConfirmChange
      open={action !== undefined}
      {...words.dialog(action)}
      change={change}
      waits={twoPeopleDecide && file.groups.length > 0 && !isUrgent}
      onCancel={onClose}
    >
      {action && words.text(action)}
    </ConfirmChange>
  );
}
