import { chakra } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { applyEach, nothingYet, type Outcome } from './apply-each.ts';
import { EffectList } from './effect-list.tsx';
import { PreviewedEffect } from './previewed-effect.tsx';
import { isOutdated, type PreviewedChange } from './use-preview.ts';
import { usePreviews } from './use-previews.ts';
import { useSentForApproval } from './use-sent-for-approval.ts';

/** The effects of so many are told before: each counts as a call of its own. */
const mostTold = 100;

interface ConfirmChangesProps<F extends { readonly id: number; readonly name: string }> {
  /** At least one. */
  files: readonly F[];
  changeOf: (file: F) => PreviewedChange;
  /** Makes the change of one file, with the effect of this token if there is one. */
  apply: (file: F, previewToken: string | undefined) => Promise<object>;
  /** The change of one of them becomes a request, which another administrator decides. */
  waits: boolean;
  title: string;
  confirmLabel: string;
  tone?: 'accent' | 'danger';
  /** What is asked. */
  children: ReactNode;
  /** Told what was done before `onClose`, if anything was. */
  onDone: (outcome: Outcome<F>) => unknown;
  onClose: () => void;
}

/** Asks before one or several files are changed, with the effect of each, and changes one after the other. */
export function ConfirmChanges<F extends { readonly id: number; readonly name: string }>({
  apply,
  changeOf,
  children,
  confirmLabel,
  files,
  onClose,
  onDone,
  title,
  tone = 'danger',
  waits,
}: ConfirmChangesProps<F>) {
  const { t } = useTranslation(['effect', 'ui']);
  const { number } = useFormat();
  const { showError } = useErrorModal();
  const tellSent = useSentForApproval();
  const [outcome, setOutcome] = useState<Outcome<F>>(nothingYet);
  const [done, setDone] = useState(0);
  /** How often the effects have turned out to be others. */
  const [round, setRound] = useState(0);

  const left = files.filter((file) => !outcome.changed.includes(file) && !outcome.sent.includes(file));
  const asksEffects = left.length <= mostTold;
  const asked = left.map((file) => ({ fileId: file.id, change: changeOf(file) }));
  const { counted, error, retry, told } = usePreviews(asksEffects ? asked : [], round);
  const toldOf = ({ id }: F) => told?.get(id);
  // Those whose change would be refused stay as they are: the list says why.
  const possible = left.filter((file) => toldOf(file)?.refusal === undefined);
  const isReady = (!asksEffects || told !== undefined) && possible.length > 0;

  /** Which of them it was, and what has become of the others. */
  function showRefusal({ changed, refused, sent }: Outcome<F>): void {
    if (!refused) return;
    if (files.length === 1) {
      showError(refused.error);
      return;
    }
    const { message: reason, requestId, status } = refused.error;
    const ended = changed.length + sent.length;
    const counts = { done: number(ended), left: number(files.length - ended) };
    showError({ message: t('refusedAt', { name: refused.file.name, reason, ...counts }), requestId, status });
  }

  async function end(ended: Outcome<F>): Promise<void> {
    if (ended.approvals.length > 0) tellSent(ended.approvals);
    if (ended.changed.length + ended.sent.length > 0) await onDone(ended);
    onClose();
  }

  const action = useAction({
    mutationFn: () =>
      applyEach(outcome, possible, (file) => apply(file, toldOf(file)?.effect?.previewToken), setDone),
    async onSuccess(ended) {
      setOutcome(ended);
      if (isOutdated(ended.refused?.error)) {
        setRound(round + 1);
        return;
      }
      showRefusal(ended);
      await end(ended);
    },
  });

  const [only] = files.length === 1 ? files : [];
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={
        action.isPending && !only
          ? t('running', { done: number(done), count: number(files.length) })
          : waits
            ? t('ask')
            : confirmLabel
      }
      tone={tone}
      pending={action.isPending}
      disabled={!isReady}
      onConfirm={() => action.mutate()}
      onCancel={() => void end(outcome)}
    >
      {children}
      {only ? (
        <PreviewedEffect
          preview={{
            effect: toldOf(only)?.effect,
            error: toldOf(only)?.refusal ?? error,
            hasChanged: round > 0,
            retry,
          }}
        />
      ) : (
        <EffectList
          files={left}
          told={told}
          counted={counted}
          error={error}
          hasChanged={round > 0}
          retry={retry}
        />
      )}
      {!asksEffects && (
        <chakra.div mt="4">
          <Notice tone="warning">{t('tooMany', { count: mostTold })}</Notice>
        </chakra.div>
      )}
      {waits && (
        <chakra.div mt="3">
          <Notice tone="info">{t('waits')}</Notice>
        </chakra.div>
      )}
    </ConfirmDialog>
  );
}
