import { chakra } from '@chakra-ui/react';
import { deliveryRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import type { FileDetail } from '../../../components/files/file.ts';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { AudienceCount } from './assign/audience-choice.tsx';
import { useFilesChanged } from './use-files-changed.ts';

interface PutBackProps {
  file: Pick<FileDetail, 'groups' | 'id' | 'name' | 'version'>;
  /** Undefined closes the dialog. */
  version: { readonly version: number } | undefined;
  onClose: () => void;
}

/** Tells whom it reaches, and makes the bytes of a former version the current ones again. */
export function PutBack({ file, onClose, version }: PutBackProps) {
  const { t } = useTranslation('files');
  const api = useApi();
  const filesChanged = useFilesChanged();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const number = version?.version ?? 0;
  const restoration = useAction({
    mutationFn: () =>
      api.call(deliveryRoutes.restoreVersion, {
        params: { pid: partner.id, id: file.id, version: number },
        body: {},
      }),
    async onSuccess(made) {
      toast({ tone: 'success', message: t('versions.done', { from: number, version: made.version }) });
      await filesChanged();
      onClose();
    },
    async onError(error) {
      showError(error);
      // It is not what it was when this page was read.
      await filesChanged();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open={version !== undefined}
      title={t('versions.confirmTitle', { version: number })}
      confirmLabel={t('versions.putBack')}
      tone="accent"
      pending={restoration.isPending}
      onConfirm={() => restoration.mutate()}
      onCancel={onClose}
    >
      <chakra.p mb="2">{t('versions.confirmText', { name: file.name, version: number })}</chakra.p>
      {file.groups.length === 0 ? (
        <p>{t('versions.reachesNobody')}</p>
      ) : (
        <AudienceCount groupIds={file.groups.map(({ id }) => id)} />
      )}
    </ConfirmDialog>
  );
}
