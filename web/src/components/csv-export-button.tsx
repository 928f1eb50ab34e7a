import { chakra, Flex } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { Download, X } from 'lucide-react';
import { Fragment, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvExport, type CsvExportCalls, type CsvExportState, useCsvExport } from '../lib/csv-export.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import { useErrorModal } from '../ui/feedback/error-modal.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';

/** The same file of other rows or in another form, offered beside the usual one. */
export interface OtherCsv {
  readonly label: string;
  readonly help?: string | undefined;
  readonly create: CsvExportCalls['create'];
}

interface CsvExportControlProps {
  csv: CsvExport;
  label?: string | undefined;
  others?: readonly OtherCsv[] | undefined;
}

interface CsvExportButtonProps extends Omit<CsvExportControlProps, 'csv'> {
  /** Tells the exports of a tab apart. */
  name: string;
  calls: CsvExportCalls;
}

/** An export whose end and failure are told, wherever on the page it is begun. */
export function useToldExport(name: string, calls: CsvExportCalls): CsvExport {
  const { t } = useTranslation('ui');
  const { announce, toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const csv = useCsvExport(name, calls, {
    onComplete: (rowCount) => toast({ tone: 'success', message: t('csvComplete', { count: rowCount }) }),
    onFailed: (failure) => showError(failure instanceof ApiError ? failure : { message: t(failure) }),
  });
  return {
    ...csv,
    start(create) {
      announce(t('csvBegun'));
      csv.start(create);
    },
  };
}

/** Asks for an export, shows how far it is, and downloads it when it is there. */
export function CsvExportButton({ name, calls, ...props }: CsvExportButtonProps) {
  return <CsvExportControl csv={useToldExport(name, calls)} {...props} />;
}

/** Begins an export, and shows how far it is. */
export function CsvExportControl({ csv, label, others = [] }: CsvExportControlProps) {
  const { t } = useTranslation('ui');
  const { announce } = useAnnouncer();
  const isRunning = csv.step !== 'idle';
  const helpId = useId();
  const button = useRef<HTMLButtonElement>(null);
  // What stops the export goes away with it.
  const focus = useKeptFocus<HTMLDivElement>({ otherwise: 'button' });

  return (
    <Flex {...focus} align="center" gap="1">
      <Button
        ref={button}
        variant="outline"
        colorPalette="gray"
        icon={<Download />}
        pending={isRunning}
        onClick={() => csv.start()}
      >
        {isRunning ? <CsvExportProgress state={csv} /> : (label ?? t('csv'))}
      </Button>
      {others.length > 0 && !isRunning && (
        <MoreButton label={t('csvOther')}>
          {(close) =>
            others.map((other, index) => (
              <Fragment key={other.label}>
                <Button
                  variant="ghost"
                  icon={<Download />}
                  aria-describedby={other.help === undefined ? undefined : `${helpId}-${index}`}
                  onClick={() => {
                    close();
                    // What was opened goes away while the export runs.
                    button.current?.focus();
                    csv.start(other.create);
                  }}
                >
                  {other.label}
                </Button>
                {other.help !== undefined && (
                  <chakra.p id={`${helpId}-${index}`} px="3" pb="2" fontSize="xs" color="fg.muted">
                    {other.help}
                  </chakra.p>
                )}
              </Fragment>
            ))
          }
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
