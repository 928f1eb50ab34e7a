import { rolloutRoutes } from '@portal/contracts';
import type { Rollout } from '../../../components/rollout/rollout.ts';
import { type RolloutAction, useActionWords } from '../../../components/rollout/use-action-words.ts';
import { useApi } from '../../../lib/api.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import type { Application } from './application-rules.ts';
import { useApplicationChanged } from './use-application-changed.ts';

interface ConfirmStagesProps {
  application: Application;
  rollout: Rollout;
  /** Undefined closes the dialog. */
  action: RolloutAction | undefined;
  onClose: () => void;
}

/** Asks before the stages of an application go on, stand still or end: whom that reaches is known to its companies alone. */
export function ConfirmStages({ action, application, onClose, rollout }: ConfirmStagesProps) {
  const words = useActionWords(application.name, rollout);
  const api = useApi();
  const changed = useApplicationChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const params = { id: application.id };

  function act(made: RolloutAction): Promise<object> {
    if (made === 'advance') {
      // Of the next stage with its number, as it was shown, so that nobody begins two at once.
      const body = { stage: rollout.stage + 1 };
      return api.call(rolloutRoutes.advanceApplicationRollout, { params, body });
    }
    const calls = {
      halt: rolloutRoutes.haltApplicationRollout,
      resume: rolloutRoutes.resumeApplicationRollout,
      cancel: rolloutRoutes.cancelApplicationRollout,
    };
    return api.call(calls[made], { params });
  }

  const change = useAction({
    mutationFn: act,
    onSuccess: (_, made) => toast({ tone: 'success', message: words.done(made) }),
    // It is not what it was when this page was read.
    onError: showError,
    async onSettled() {
      onClose();
      await changed();
    },
  });

  return (
    <ConfirmDialog
      open={action !== undefined}
      {...words.dialog(action)}
      pending={change.isPending}
      onConfirm={() => action && change.mutate(action)}
      onCancel={onClose}
    >
      {action && words.text(action)}
    </ConfirmDialog>
  );
}
