import { chakra, Flex } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { Download, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvExportCalls, type CsvExportState, useCsvExport } from '../lib/csv-export.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';

interface CsvExportButtonProps {
  /** Tells the exports of a tab apart. */
  name: string;
  calls: CsvExportCalls;
  label?: string;
  /** Another form of the same file, offered beside the usual one. */
  other?: { readonly label: string; readonly help: string; readonly create: CsvExportCalls['create'] };
}

/** Asks for an export, shows how far it is, and downloads it when it is there. */
export function CsvExportButton({ calls, label, name, other }: CsvExportButtonProps) {
  const { t } = useTranslation('ui');
  const { announce, toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const csv = useCsvExport(name, calls, {
    onComplete: (rowCount) => toast({ tone: 'success', message: t('csvComplete', { count: rowCount }) }),
    onFailed: (failure) => showError(failure instanceof ApiError ? failure : { message: t(failure) }),
  });
  const isRunning = csv.step !== 'idle';
  const helpId = useId();
  const button = useRef<HTMLButtonElement>(null);
  // What stops the export goes away with it.
  const focus = useKeptFocus<HTMLDivElement>({ otherwise: 'button' });

  function begin(create?: CsvExportCalls['create']): void {
    announce(t('csvBegun'));
    csv.start(create);
  }

  return (
    <Flex {...focus} align="center" gap="1">
      <Button
        ref={button}
        variant="outline"
        colorPalette="gray"
        icon={<Download />}
        pending={isRunning}
        onClick={() => begin()}
      >
        {isRunning ? <CsvExportProgress state={csv} /> : (label ?? t('csv'))}
      </Button>
      {other && !isRunning && (
        <MoreButton label={t('csvOther')}>
          {(close) => (
            <>
              <Button
                variant="ghost"
                icon={<Download />}
                aria-describedby={helpId}
                onClick={() => {
                  close();
                  // What was opened goes away while the export runs.
                  button.current?.focus();
                  begin(other.create);
                }}
              >
                {other.label}
              </Button>
              <chakra.p id={helpId} px="3" pb="2" fontSize="xs" color="fg.muted">
                {other.help}
              </chakra.p>
            </>
          )}
        </MoreButton>
      )}
      {isRunning && (
        <IconButton
          label={t('csvCancel')}
          icon={<X />}
          onClick={() => {
            csv.cancel();
            announce(t('csvCancelled'));
          }}
        />
      )}
    </Flex>
  );
}

export function CsvExportProgress({ state }: { state: CsvExportState }) {
  const { t } = useTranslation('ui');
  const percent = Math.round(state.progress * 100);
  return (
    <chakra.span
      role="progressbar"
      aria-label={t('csvRunning')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      fontVariantNumeric="tabular-nums"
    >
      {t('csvRunning')} {percent > 0 && `${percent}%`}
    </chakra.span>
  );
}
