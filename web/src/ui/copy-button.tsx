import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { useAnnouncer } from './feedback/announcer.tsx';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('ui');
  const { toast } = useAnnouncer();

  /** Browsers give no clipboard to a page that came without TLS, or to whom it is forbidden. */
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toast({ tone: 'success', message: t('copied') });
    } catch {
      toast({ tone: 'error', message: t('notCopied') });
    }
  }

  return (
    <Button variant="outline" icon={<Copy />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}
