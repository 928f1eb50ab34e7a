import { chakra } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';

interface DeleteFilesProps {
  /** Those to delete; none closes the dialog. */
  files: readonly { id: number; name: string }[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks, naming the files, and deletes them one by one up to the first that is refused. */
export function DeleteFiles({ files, onClose, onDeleted }: DeleteFilesProps) {
  const { t } = useTranslation(['files', 'ui']);
  const { number } = useFormat();
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();

  const remove = useMutation({
    async mutationFn() {
      for (const { id } of files) {
        await api.call(fileRoutes.deleteFile, { params: { pid: partner.id, id } });
      }
      return files.length;
    },
    onSuccess(count) {
      toast({ tone: 'success', message: t('deleted', { count: number(count) }) });
      onDeleted();
    },
    onError: showError,
    onSettled() {
      onClose();
      return queries.invalidateQueries({ queryKey: [fileRoutes.listFiles.id] });
    },
  });

  return (
    <ConfirmDialog
      open={files.length > 0}
      title={t('deleteTitle')}
      confirmLabel={t('ui:delete')}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      {files.length === 1 ? (
        t('deleteOne', { name: files[0]?.name })
      ) : (
        <>
          {t('deleteMany', { count: number(files.length) })}
          <chakra.ul mt="2" ps="5" listStyleType="disc" maxH="12rem" overflowY="auto">
            {files.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </chakra.ul>
        </>
      )}
    </ConfirmDialog>
  );
}
