import { Flex } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../../../components/tenant.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { useSsoCalls } from './use-sso.ts';

/** Takes single sign-on away from a company, once that is confirmed. */
export function DeleteSso() {
  const { t } = useTranslation('sso');
  const { name } = useTenant();
  const { changed, remove } = useSsoCalls();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const deletion = useAction({
    mutationFn: remove,
    async onSuccess() {
      setAsking(false);
      await changed();
      toast({ tone: 'success', message: t('deleted', { name }) });
    },
    onError(error) {
      setAsking(false);
      showError(error);
    },
  });
  if (!may('deletePartnerSso')) return null;
  return (
    <Flex>
      <Button variant="outline" colorPalette="danger" icon={<Trash2 />} onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('deleteTitle')}
        confirmLabel={t('delete')}
        pending={deletion.isPending}
        onConfirm={() => deletion.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t('deleteText', { name })}
      </ConfirmDialog>
    </Flex>
  );
}
