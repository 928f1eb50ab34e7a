import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { ErrorState } from '../../ui/feedback/states.tsx';
import { GroupPicker } from './group-picker.tsx';
import { usePickableGroups } from './use-pickable-groups.ts';

interface ChooseGroupsDialogProps {
  title: string;
  /** What the button does, or how far it is. */
  applyLabel: string;
  /** Somebody loses something by it. */
  isLoss: boolean;
  pending: boolean;
  onApply: (groupIds: readonly number[]) => void;
  onClose: () => void;
  /** What the groups are chosen for. */
  children: ReactNode;
}

/** Asks for groups, at least one, before several records are changed. */
export function ChooseGroupsDialog({
  title,
  applyLabel,
  isLoss,
  pending,
  onApply,
  onClose,
  children,
}: ChooseGroupsDialogProps) {
  const { t } = useTranslation('ui');
  const groups = usePickableGroups();
  const [groupIds, setGroupIds] = useState<readonly number[]>([]);
  return (
    <Dialog
      open
      onClose={onClose}
      persistent={pending}
      title={title}
      width="36rem"
      actions={
        <>
          <Button variant="outline" colorPalette="gray" disabled={pending} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            colorPalette={isLoss ? 'danger' : undefined}
            pending={pending}
            disabled={groupIds.length === 0}
            onClick={() => onApply(groupIds)}
          >
            {applyLabel}
          </Button>
        </>
      }
    >
      {children}
      {groups.error && <ErrorState error={groups.error} onRetry={groups.refetch} />}
      {groups.data && <GroupPicker groups={groups.data} chosen={groupIds} onChange={setGroupIds} />}
    </Dialog>
  );
}
