import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';

interface Discarded {
  readonly uploadId: string;
  /** What people know it by. */
  readonly name: string;
}

interface DiscardOptions {
  onDiscarded(uploadId: string): unknown;
  /** Asks again for what has the upload: it has none any more, discarded or complete. */
  changed(): Promise<unknown>;
}

/** Gives up an upload that stopped here. It may have gone on elsewhere, until that is too late. */
export function useDiscard({ changed, onDiscarded }: DiscardOptions) {
  const { t } = useTranslation('files');
  const api = useApi();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  return useAction({
    mutationFn: ({ uploadId }: Discarded) => api.call(fileRoutes.abortUpload, { params: { uploadId } }),
    async onSuccess(_, { uploadId }) {
      await onDiscarded(uploadId);
      await changed();
    },
    async onError(error, { name }) {
      if (error.code !== 'E40034') return showError(error);
      toast({ tone: 'warning', message: t('uploads.tooLate', { name }) });
      await changed();
    },
  });
}
