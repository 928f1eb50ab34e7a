import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { saveBlob } from '../lib/download.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from '../ui/button.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';

interface CsvButtonProps {
  /** The call that streams the document. */
  load: () => Promise<Response>;
  fileName: string;
  label?: string;
}

/** Downloads a CSV that one call streams. */
export function CsvButton({ load, fileName, label }: CsvButtonProps) {
  const { t } = useTranslation('ui');
  const { showError } = useErrorModal();
  const download = useAction({
    mutationFn: async () => (await load()).blob(),
    onSuccess: (blob) => saveBlob(blob, fileName),
    onError: showError,
  });
  return (
    <Button
      variant="outline"
      colorPalette="gray"
      icon={<Download />}
      pending={download.isPending}
      onClick={() => download.mutate()}
    >
      {label ?? t('csv')}
    </Button>
  );
}
