import { chakra } from '@chakra-ui/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';

interface DeleteRecordsProps {
  /** Those to delete; none closes the dialog. */
  records: readonly { id: number; name: string }[];
  /** Deletes one. */
  remove: (id: number) => Promise<unknown>;
  /** The name of the list's operation, which is read anew afterwards. */
  listId: string;
  texts: {
    title: string;
    one: (name: string) => string;
    many: (count: string) => string;
    done: (count: string) => string;
  };
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks, naming the records, and deletes them one by one up to the first that is refused. */
export function DeleteRecords({ records, remove, listId, texts, onClose, onDeleted }: DeleteRecordsProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const queries = useQueryClient();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();

  const removal = useMutation({
    async mutationFn() {
      for (const { id } of records) await remove(id);
      return records.length;
    },
    onSuccess(count) {
      toast({ tone: 'success', message: texts.done(number(count)) });
      onDeleted();
    },
    onError: showError,
    onSettled() {
      onClose();
      return queries.invalidateQueries({ queryKey: [listId] });
    },
  });

  return (
    <ConfirmDialog
      open={records.length > 0}
      title={texts.title}
      confirmLabel={t('delete')}
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      {records.length === 1 ? (
        texts.one(records[0]?.name ?? '')
      ) : (
        <>
          {texts.many(number(records.length))}
          <chakra.ul mt="2" ps="5" listStyleType="disc" maxH="12rem" overflowY="auto">
            {records.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </chakra.ul>
        </>
      )}
    </ConfirmDialog>
  );
}
