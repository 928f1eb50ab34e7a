import { chakra, Flex, Textarea } from '@chakra-ui/react';
import { approvalRoutes, limits } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Undo2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Effect } from '../../../components/effect/effect.tsx';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { RequiredMark } from '../../../ui/form/field.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import type { Approval } from './approval-parts.tsx';

type Kind = 'approve' | 'decline' | 'takeBack';

/** What somebody can do about a request that waits: another administrator decides, who asked can take it back. */
export function Decision({ approval }: { approval: Approval }) {
  const { t } = useTranslation('approvals');
  const { dateTime } = useFormat();
  const { user } = usePartnerSession();
  const [kind, setKind] = useState<Kind>();
  const isOwn = approval.by.id === user.id;
  return (
    <Panel p="5" mb="7">
      <chakra.p fontWeight="semibold">
        {isOwn ? t('own.title') : t('decide.title', { name: approval.by.name })}
      </chakra.p>
      <chakra.p mt="1" color="fg.muted">
        {t(isOwn ? 'own.text' : 'decide.text', { time: dateTime(approval.expiresAt) })}
      </chakra.p>
      <Flex mt="4" gap="2" wrap="wrap">
        {isOwn ? (
          <Button
            variant="outline"
            colorPalette="danger"
            icon={<Undo2 />}
            onClick={() => setKind('takeBack')}
          >
            {t('takeBack.action')}
          </Button>
        ) : (
          <>
            <Button icon={<Check />} onClick={() => setKind('approve')}>
              {t('approve.action')}
            </Button>
            <Button variant="outline" colorPalette="danger" icon={<X />} onClick={() => setKind('decline')}>
              {t('decline.action')}
            </Button>
          </>
        )}
      </Flex>
      {kind && <DecisionDialog approval={approval} kind={kind} onClose={() => setKind(undefined)} />}
    </Panel>
  );
}

/** How what is approved takes effect: at times that it names, or at once, with a preview or without. */
function comingOf({ at, body, preview }: Approval): 'timed' | 'previewed' | 'plain' {
  if (preview === null) return 'plain';
  const times = [body['update_reservation_at'], body['deliver_reservation_at']];
  // A time that was over when it was asked for holds nothing up: what was to come then comes at once.
  const isAhead = (time: unknown) => typeof time === 'string' && new Date(time) > new Date(at);
  return times.some(isAhead) ? 'timed' : 'previewed';
}

interface DecisionDialogProps {
  approval: Approval;
  kind: Kind;
  onClose: () => void;
}

function DecisionDialog({ approval, kind, onClose }: DecisionDialogProps) {
  const { t } = useTranslation('approvals');
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const fieldId = useId();
  const [comment, setComment] = useState('');
  const params = { pid: partner.id, id: approval.id };
  const said = comment.trim();
  const isRequired = kind !== 'approve';

  const decision = useAction({
    mutationFn: () =>
      kind === 'approve'
        ? api.call(approvalRoutes.approveChange, { params, body: { comment: said || null } })
        : api.call(approvalRoutes.declineChange, { params, body: { comment: said } }),
    onSuccess: () => {
      toast({ tone: 'success', message: t(`${kind}.done`) });
    },
    onError(error) {
      // It was decided already, or has another effect by now: the page says which.
      if (error.code === 'E40034') toast({ tone: 'warning', message: t('notDone') });
      else showError(error);
    },
    async onSettled() {
      onClose();
      // Whatever it was about is another by now.
      await queries.invalidateQueries();
    },
  });

  return (
    <ConfirmDialog
      open
      title={t(`${kind}.title`)}
      confirmLabel={t(`${kind}.action`)}
      tone={kind === 'approve' ? 'accent' : 'danger'}
      pending={decision.isPending}
      disabled={isRequired && said === ''}
      onConfirm={() => decision.mutate()}
      onCancel={onClose}
    >
      <chakra.p mb="3">
        {t(kind === 'approve' ? `approve.texts.${comingOf(approval)}` : `${kind}.text`)}
      </chakra.p>
      {kind === 'approve' && approval.preview && <Effect effect={approval.preview} />}
      <chakra.label htmlFor={fieldId} display="block" mt="4" mb="1.5" color="fg" fontWeight="medium">
        {t('comment')}
        <RequiredMark required={isRequired} />
      </chakra.label>
      <Textarea
        id={fieldId}
        rows={3}
        maxLength={limits.approvalCommentMaxLength}
        aria-required={isRequired}
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
    </ConfirmDialog>
  );
}
