import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** Names the things that it is about. */
  children: ReactNode;
  /** A verb: what the button does. */
  confirmLabel: string;
  /** What the other button does, unless it is to cancel. */
  cancelLabel?: string;
  tone?: 'accent' | 'danger';
  /** Under way: too late to cancel, so the dialog stays until the end. */
  pending?: boolean;
  /** Something is to be done first. */
  disabled?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel,
  tone = 'danger',
  pending = false,
  disabled = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const { t } = useTranslation('ui');
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      persistent={pending}
      title={title}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" disabled={pending} onClick={onCancel}>
            {cancelLabel ?? t('cancel')}
          </Button>
          <Button colorPalette={tone} pending={pending} disabled={disabled} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
