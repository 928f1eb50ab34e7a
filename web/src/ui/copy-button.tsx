import { chakra } from '@chakra-ui/react';
import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import { useAnnouncer } from './feedback/announcer.tsx';

function useCopy(text: string): () => Promise<void> {
  const { t } = useTranslation('ui');
  const { toast } = useAnnouncer();
  /** Browsers give no clipboard to a page that came without TLS, or to whom it is forbidden. */
  return async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ tone: 'success', message: t('copied') });
    } catch {
      toast({ tone: 'error', message: t('notCopied') });
    }
  };
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = useCopy(text);
  return (
    <Button variant="outline" icon={<Copy />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}

/** A value that is entered somewhere else as it is; `label` is what its button does. */
export function CopyValue({ text, label }: { text: string; label: string }) {
  const copy = useCopy(text);
  return (
    <chakra.span display="inline-flex" alignItems="flex-start" gap="1" maxW="full">
      <chakra.code fontFamily="mono" overflowWrap="anywhere" py="0.5" userSelect="all">
        {text}
      </chakra.code>
      <IconButton size="xs" flexShrink="0" label={label} icon={<Copy />} onClick={() => void copy()} />
    </chakra.span>
  );
}
