import { chakra } from '@chakra-ui/react';
import { userRoutes } from '@portal/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';

interface DeleteGroupsProps {
  /** Those to delete; none closes the dialog. */
  groups: readonly { id: number; name: string }[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks, naming the groups, and deletes them one by one up to the first that is refused. */
export function DeleteGroups({ groups, onClose, onDeleted }: DeleteGroupsProps) {
  const { t } = useTranslation(['groups', 'ui']);
  const { number } = useFormat();
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();

  const remove = useMutation({
    async mutationFn() {
      for (const { id } of groups) {
        await api.call(userRoutes.deleteGroup, { params: { pid: partner.id, id } });
      }
      return groups.length;
    },
    onSuccess(count) {
      toast({ tone: 'success', message: t('deleted', { count: number(count) }) });
      onDeleted();
    },
    onError: showError,
    onSettled() {
      onClose();
      return queries.invalidateQueries({ queryKey: [userRoutes.listGroups.id] });
    },
  });

  return (
    <ConfirmDialog
      open={groups.length > 0}
      title={t('deleteTitle')}
      confirmLabel={t('ui:delete')}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      {groups.length === 1 ? (
        t('deleteOne', { name: groups[0]?.name })
      ) : (
        <>
          {t('deleteMany', { count: number(groups.length) })}
          <chakra.ul mt="2" ps="5" listStyleType="disc" maxH="12rem" overflowY="auto">
            {groups.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </chakra.ul>
        </>
      )}
    </ConfirmDialog>
  );
}
