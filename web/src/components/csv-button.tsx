import { Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { saveBlob } from '../lib/download.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from '../ui/button.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';
import { MoreButton } from '../ui/more-button.tsx';

type Load = () => Promise<Response>;

interface CsvButtonProps {
  /** The call that streams the document. */
  load: Load;
  fileName: string;
  label?: string | undefined;
  /** The same document of other rows. */
  other?: { readonly label: string; readonly load: Load } | undefined;
}

/** Saves a CSV that one call streams. */
export function useCsvDownload(fileName: string) {
  const { showError } = useErrorModal();
  return useAction({
    mutationFn: async (load: Load) => (await load()).blob(),
    onSuccess: (blob) => saveBlob(blob, fileName),
    onError: showError,
  });
}

/** Downloads a CSV that one call streams. */
export function CsvButton({ load, fileName, label, other }: CsvButtonProps) {
  const { t } = useTranslation('ui');
  const download = useCsvDownload(fileName);
  return (
    <Flex gap="1">
      <Button
        variant="outline"
        colorPalette="gray"
        icon={<Download />}
        pending={download.isPending}
        onClick={() => download.mutate(load)}
      >
        {label ?? t('csv')}
      </Button>
      {other && (
        <MoreButton label={t('csvOther')}>
          {(close) => (
            <Button
              variant="ghost"
              icon={<Download />}
              onClick={() => {
                close();
                download.mutate(other.load);
              }}
            >
              {other.label}
            </Button>
          )}
        </MoreButton>
      )}
    </Flex>
  );
}
