import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog, type ConfirmDialogProps } from '../../ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PreviewedEffect } from './previewed-effect.tsx';
import type { Change } from './use-change.ts';

interface ConfirmChangeProps extends Omit<ConfirmDialogProps, 'disabled' | 'onConfirm' | 'pending'> {
  change: Change;
  /** It becomes a request, which another administrator decides. */
  waits: boolean;
}

/** Asks before a change of what people get, with its effect. */
export function ConfirmChange({ change, children, confirmLabel, waits, ...dialog }: ConfirmChangeProps) {
  const { t } = useTranslation('effect');
  const { canConfirm, confirm, isPending, preview } = change;
  return (
    <ConfirmDialog
      {...dialog}
      confirmLabel={waits ? t('ask') : confirmLabel}
      pending={isPending}
      disabled={!canConfirm}
      onConfirm={confirm}
    >
      {children}
      <PreviewedEffect preview={preview} />
      {waits && (
        <chakra.div mt="3">
          <Notice tone="info">{t('waits')}</Notice>
        </chakra.div>
      )}
    </ConfirmDialog>
  );
}
