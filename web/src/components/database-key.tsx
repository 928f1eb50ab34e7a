import { chakra, Flex } from '@chakra-ui/react';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../lib/use-action.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';
import { Panel } from '../ui/page/panel.tsx';

interface DatabaseKeyProps {
  apiKey: string;
  /** Has another made, and shows that. */
  renew: () => Promise<unknown>;
}

/** The key of a document database: hidden from who looks over a shoulder, to be copied, and to be replaced. */
export function DatabaseKey({ apiKey, renew }: DatabaseKeyProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [isShown, setIsShown] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const renewal = useAction({
    mutationFn: () => renew(),
    onSuccess: () => void toast({ tone: 'success', message: t('key.renewed') }),
    onError: showError,
    onSettled: () => setIsAsking(false),
  });
  return (
    <Panel p="4">
      <chakra.code
        display="block"
        mb="3"
        fontFamily="mono"
        overflowWrap="anywhere"
        userSelect={isShown ? 'all' : 'none'}
        aria-label={isShown ? undefined : t('key.hidden')}
        role={isShown ? undefined : 'img'}
      >
        {isShown ? apiKey : '•'.repeat(32)}
      </chakra.code>
      <Flex gap="2" wrap="wrap">
        <Button
          variant="outline"
          colorPalette="gray"
          aria-pressed={isShown}
          icon={isShown ? <EyeOff /> : <Eye />}
          onClick={() => setIsShown(!isShown)}
        >
          {t(isShown ? 'key.hide' : 'key.show')}
        </Button>
        <CopyButton text={apiKey} label={t('key.copy')} />
        <Button variant="ghost" colorPalette="danger" icon={<RefreshCw />} onClick={() => setIsAsking(true)}>
          {t('key.renew')}
        </Button>
      </Flex>
      <ConfirmDialog
        open={isAsking}
        title={t('key.renewTitle')}
        confirmLabel={t('key.renew')}
        pending={renewal.isPending}
        onConfirm={() => renewal.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        {t('docdb.recycleapikeyconfirm')}
      </ConfirmDialog>
    </Panel>
  );
}
