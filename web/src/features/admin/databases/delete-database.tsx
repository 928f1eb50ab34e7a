import { databaseRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { TypedConfirm } from '../../../ui/feedback/typed-confirm.tsx';
import { type Database, useDatabasesChanged } from './use-databases.ts';

interface DeleteDatabaseProps {
  database: Database;
  onClose: () => void;
  /** Where it leaves the page of the database. */
  onDeleted?: () => void;
}

/** Asks for the name of the company before its database goes with all documents. */
export function DeleteDatabase({ database, onClose, onDeleted }: DeleteDatabaseProps) {
  const { t } = useTranslation('databases');
  const { number } = useFormat();
  const api = useApi();
  const changed = useDatabasesChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const { documentCount, partnerId: pid, partnerName: name } = database;
  const removal = useAction({
    mutationFn: () => api.call(databaseRoutes.deleteDatabase, { params: { pid } }),
    onSuccess() {
      toast({ tone: 'success', message: t('deleted', { name }) });
      onDeleted?.();
    },
    onError: showError,
    onSettled() {
      onClose();
      return changed();
    },
  });
  return (
    <TypedConfirm
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      pending={removal.isPending}
      word={name}
      typeLabel={t('typeName', { name })}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{t('deleteText', { name, count: number(documentCount) })}</p>
    </TypedConfirm>
  );
}
