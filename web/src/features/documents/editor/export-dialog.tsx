import { chakra, Flex } from '@chakra-ui/react';
import type { ApiError } from '@portal/api-client';
import { documentRoutes } from '@portal/contracts';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asApiError, useApi } from '../../../lib/api.ts';
import { saveBlob } from '../../../lib/download.ts';
import { useFormat } from '../../../lib/format.ts';
import { useReloadHold } from '../../../lib/reload-hold.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ProgressTrack } from '../../../ui/feedback/progress-track.tsx';
import { useDatabase } from './open-database.ts';

const patience = 24 * 3_600_000;
/** Bytes that are kept apart until they are handed to the browser, which may put them on the disk. */
const portion = 8 * 1024 * 1024;

const formats = ['lines', 'array'] as const;
type Format = (typeof formats)[number];

interface ExportDialogProps {
  name: string;
  filter: string | undefined;
  /** How many the filter shows, and how many there are. */
  count: number;
  total: number;
  onClose: () => void;
}

/** The documents as a file: all of them, or those that the filter shows. */
export function ExportDialog({ count, filter, name, onClose, total }: ExportDialogProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { fileSize, number } = useFormat();
  const { db } = useDatabase();
  const { toast } = useAnnouncer();
  const api = useApi();
  const [format, setFormat] = useState<Format>('lines');
  const [isFiltered, setIsFiltered] = useState(filter !== undefined);
  const [progress, setProgress] = useState<{ documents: number; bytes: number }>();
  const [error, setError] = useState<ApiError>();
  const stop = useRef<AbortController>(undefined);
  const isRunning = progress !== undefined;
  useReloadHold(isRunning);
  useUnsavedWork(
    () => isRunning,
    () => ({
      title: t('export.leaveTitle'),
      text: t('export.leaveText'),
      leaveLabel: t('export.leave'),
      onLeave: () => stop.current?.abort(),
    }),
  );

  async function run(): Promise<void> {
    const cancel = new AbortController();
    stop.current = cancel;
    setError(undefined);
    setProgress({ documents: 0, bytes: 0 });
    try {
      const response = await api.send(documentRoutes.exportDocuments, {
        params: { db, name },
        query: { format, ...(isFiltered && { filter }) },
        signal: cancel.signal,
        timeout: patience,
      });
      const { blob, documents } = await received(response, setProgress);
      saveBlob(blob, `${name}.${format === 'lines' ? 'jsonl' : 'json'}`);
      toast({
        tone: 'success',
        message: format === 'lines' ? t('export.done', { count: documents }) : t('export.doneArray'),
      });
      onClose();
    } catch (cause) {
      setProgress(undefined);
      if (!cancel.signal.aborted) setError(asApiError(cause));
    }
  }

  const whole = isFiltered ? count : total;
  // What others write meanwhile is not known: the share is of what was counted.
  const share = Math.min(1, (progress?.documents ?? 0) / Math.max(1, whole));
  return (
    <Dialog
      open
      persistent={isRunning}
      onClose={onClose}
      title={t('export.title', { name })}
      width="32rem"
      actions={
        isRunning ? (
          <Button variant="outline" colorPalette="danger" onClick={() => stop.current?.abort()}>
            {t('export.cancel')}
          </Button>
        ) : (
          <>
            <Button variant="outline" colorPalette="gray" onClick={onClose}>
              {t('ui:cancel')}
            </Button>
            <Button icon={<Download />} onClick={() => void run()}>
              {t('export.start')}
            </Button>
          </>
        )
      }
    >
      <chakra.div color="fg">
        {error && (
          <chakra.div mb="3">
            <Notice tone="error">{error.message}</Notice>
          </chakra.div>
        )}
        {progress ? (
          <>
            <ProgressTrack label={t('export.progress')} share={share} />
            <chakra.p role="status" mt="1.5" fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
              {t('export.received', {
                documents: number(progress.documents),
                size: fileSize(progress.bytes),
              })}
            </chakra.p>
          </>
        ) : (
          <Flex direction="column" gap="4">
            {filter !== undefined && (
              <Radios
                legend={t('export.which')}
                name="export-which"
                options={[
                  { value: 'filtered', label: t('export.filtered', { count: number(count) }) },
                  { value: 'all', label: t('export.all') },
                ]}
                value={isFiltered ? 'filtered' : 'all'}
                onChoose={(value) => setIsFiltered(value === 'filtered')}
              />
            )}
            <Radios
              legend={t('export.format')}
              name="export-format"
              options={formats.map((value) => ({ value, label: t(`export.formats.${value}`) }))}
              value={format}
              onChoose={setFormat}
            />
          </Flex>
        )}
      </chakra.div>
    </Dialog>
  );
}

/** Reads the answer to its end, in portions: it may be larger than what should stay in memory. */
async function received(
  response: Response,
  onProgress: (progress: { documents: number; bytes: number }) => void,
): Promise<{ blob: Blob; documents: number }> {
  const reader = response.body?.getReader();
  let blob = new Blob();
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let bytes = 0;
  let documents = 0;
  let told = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    parts.push(value);
    waiting += value.length;
    bytes += value.length;
    for (const byte of value) if (byte === 10) documents += 1;
    if (waiting >= portion) {
      blob = new Blob([blob, ...parts]);
      parts = [];
      waiting = 0;
    }
    if (Date.now() - told > 100) {
      told = Date.now();
      onProgress({ documents, bytes });
    }
  }
  return { blob: new Blob([blob, ...parts]), documents };
}

interface RadiosProps<V extends string> {
  legend: string;
  name: string;
  options: readonly { readonly value: V; readonly label: string }[];
  value: V;
  onChoose: (value: V) => void;
}

function Radios<V extends string>({ legend, name, onChoose, options, value }: RadiosProps<V>) {
  return (
    <chakra.fieldset>
      <chakra.legend fontWeight="semibold" mb="1.5">
        {legend}
      </chakra.legend>
      {options.map((option) => (
        <chakra.label key={option.value} display="flex" alignItems="center" gap="2" minH="7" cursor="pointer">
          <chakra.input
            type="radio"
            name={name}
            boxSize="4"
            accentColor="accent.solid"
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          {option.label}
        </chakra.label>
      ))}
    </chakra.fieldset>
  );
}
