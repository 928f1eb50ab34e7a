import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { ConfirmChanges } from '../../../components/effect/confirm-changes.tsx';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import type { FileRow } from '../../../components/files/file.ts';
import { useForgetRecords } from '../../../components/use-forget-records.ts';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useFilesChanged } from './use-files-changed.ts';

interface DeleteFilesProps {
  /** Those to delete; none closes the dialog. */
  files: readonly Pick<FileRow, 'groups' | 'id' | 'name'>[];
  onClose: () => void;
  /** Where it leaves the page of a file, it resolves when that is gone. */
  onDeleted: () => void | Promise<void>;
}

/** Asks, with who loses them, and deletes files. */
export function DeleteFiles({ files, onClose, onDeleted }: DeleteFilesProps) {
  const { t } = useTranslation(['files', 'ui']);
  const { number } = useFormat();
  const api = useApi();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const filesChanged = useFilesChanged();
  const forget = useForgetRecords();
  const twoPeopleDecide = useTwoPeopleDecide();
  if (files.length === 0) return null;
  return (
    <ConfirmChanges
      files={files}
      changeOf={() => ({ what: 'deletion' })}
      apply={({ id }, previewToken) =>
        api.call(fileRoutes.deleteFile, { params: { pid: partner.id, id }, query: { previewToken } })
      }
      waits={twoPeopleDecide && files.some(({ groups }) => groups.length > 0)}
      title={t('deleteTitle')}
      confirmLabel={t('ui:delete')}
      onClose={onClose}
      onDone={async ({ changed }) => {
        if (changed.length > 0) {
          toast({ tone: 'success', message: t('deleted', { count: changed.length }) });
          await onDeleted();
          forget(changed.map(({ id }) => [fileRoutes.getFile.id, { id }]));
        }
        await filesChanged();
      }}
    >
      {files.length === 1
        ? t('deleteOne', { name: files[0]?.name ?? '' })
        : t('deleteMany', { count: number(files.length) })}
    </ConfirmChanges>
  );
}
