import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { DeleteRecords, oneByOne } from '../../../components/delete-records.tsx';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { readsOfFiles } from './use-files-changed.ts';

interface DeleteFilesProps {
  /** Those to delete; none closes the dialog. */
  files: readonly { id: number; name: string }[];
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteFiles({ files, onClose, onDeleted }: DeleteFilesProps) {
  const { t } = useTranslation('files');
  const api = useApi();
  const { partner } = usePartnerSession();
  return (
    <DeleteRecords
      records={files}
      remove={oneByOne((id) => api.call(fileRoutes.deleteFile, { params: { pid: partner.id, id } }))}
      own={(id) => [[fileRoutes.getFile.id, { id }]]}
      stale={readsOfFiles}
      texts={{
        title: t('deleteTitle'),
        one: (name) => t('deleteOne', { name }),
        many: (count) => t('deleteMany', { count }),
        done: (count) => t('deleted', { count }),
      }}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
