import { chakra, Flex } from '@chakra-ui/react';
import type { ApiError } from '@portal/api-client';
import { documentRoutes, type ImportMode, importModes, type RouteReply } from '@portal/contracts';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createSpeedometer } from '../../../components/upload/speedometer.ts';
import { asApiError, useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useReloadHold } from '../../../lib/reload-hold.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ProgressTrack } from '../../../ui/feedback/progress-track.tsx';
import { DropZone } from '../../../ui/upload/upload-panel.tsx';
import { importFileOf } from './import-file.ts';
import { useDatabase } from './open-database.ts';
import { sendingFetch } from './send-file.ts';
import { useDocumentsChanged } from './use-documents.ts';

type Result = RouteReply<typeof documentRoutes.importDocuments>;

type State =
  | { readonly step: 'choosing' }
  | { readonly step: 'running'; readonly sent: number; readonly speed: number | undefined }
  | { readonly step: 'done'; readonly result: Result }
  | { readonly step: 'failed'; readonly error: ApiError }
  | { readonly step: 'cancelled' };

/** An import may take as long as it likes; who waits can cancel it. */
const patience = 24 * 3_600_000;

interface ImportDialogProps {
  name: string;
  onClose: () => void;
}

/** Documents from a file: what is chosen, how far it is, and what came of it. */
export function ImportDialog({ name, onClose }: ImportDialogProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { db } = useDatabase();
  const api = useApi();
  const changed = useDocumentsChanged();
  const [file, setFile] = useState<File>();
  const [mode, setMode] = useState<ImportMode>('insert');
  const [allOrNothing, setAllOrNothing] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const [state, setState] = useState<State>({ step: 'choosing' });
  const stop = useRef<AbortController>(undefined);
  const isRunning = state.step === 'running';
  useReloadHold(isRunning);
  useUnsavedWork(
    () => isRunning,
    () => ({
      title: t('import.leaveTitle'),
      text: t('import.leaveText'),
      leaveLabel: t('import.leave'),
      onLeave: () => stop.current?.abort(),
    }),
  );

  async function run(): Promise<void> {
    if (!file) {
      setIsMissing(true);
      return;
    }
    const cancel = new AbortController();
    stop.current = cancel;
    const speedometer = createSpeedometer();
    setState({ step: 'running', sent: 0, speed: undefined });
    try {
      const { encoding, type } = await importFileOf(file);
      const result = await api.call(documentRoutes.importDocuments, {
        params: { db, name },
        query: { mode, ...(allOrNothing && { allOrNothing }) },
        body: { type, content: file },
        signal: cancel.signal,
        timeout: patience,
        fetch: sendingFetch((sent) => {
          speedometer.add(sent, Date.now());
          setState({ step: 'running', sent, speed: speedometer.speed() });
        }, encoding),
      });
      setState({ step: 'done', result });
    } catch (error) {
      setState(cancel.signal.aborted ? { step: 'cancelled' } : { step: 'failed', error: asApiError(error) });
    } finally {
      void changed();
    }
  }

  const again = () => {
    setFile(undefined);
    setState({ step: 'choosing' });
  };
  const close = (
    <Button variant="outline" colorPalette="gray" onClick={onClose}>
      {t('ui:close')}
    </Button>
  );
  return (
    <Dialog
      open
      persistent={isRunning}
      onClose={onClose}
      title={t('import.title', { name })}
      width="44rem"
      actions={
        state.step === 'choosing' ? (
          <>
            <Button variant="outline" colorPalette="gray" onClick={onClose}>
              {t('ui:cancel')}
            </Button>
            <Button icon={<Upload />} onClick={() => void run()}>
              {t('import.start')}
            </Button>
          </>
        ) : isRunning ? (
          <Button variant="outline" colorPalette="danger" onClick={() => stop.current?.abort()}>
            {t('import.cancel')}
          </Button>
        ) : (
          <>
            <Button variant="outline" onClick={again}>
              {t('import.again')}
            </Button>
            {close}
          </>
        )
      }
    >
      <chakra.div color="fg">
        {state.step === 'choosing' && (
          <>
            <DropZone
              label={t('import.file')}
              help={t('import.fileHelp')}
              accept=".json,.jsonl,.ndjson,.gz"
              file={file}
              onChange={(chosen) => {
                setFile(chosen);
                setIsMissing(false);
              }}
              error={isMissing ? t('import.noFile') : undefined}
            />
            <Modes mode={mode} onChoose={setMode} />
            <chakra.label mt="4" display="flex" alignItems="flex-start" gap="2" cursor="pointer">
              <chakra.input
                type="checkbox"
                mt="1"
                boxSize="4"
                flexShrink="0"
                accentColor="accent.solid"
                checked={allOrNothing}
                onChange={({ target }) => setAllOrNothing(target.checked)}
              />
              <span>
                {t('import.allOrNothing')}
                <chakra.span display="block" fontSize="xs" color="fg.muted">
                  {t('import.allOrNothingHelp')}
                </chakra.span>
              </span>
            </chakra.label>
          </>
        )}
        {isRunning && file && <Progress file={file} sent={state.sent} speed={state.speed} />}
        {state.step === 'cancelled' && <Notice tone="warning">{t('import.cancelled')}</Notice>}
        {state.step === 'failed' && (
          <Notice tone="error">
            <p>{state.error.message}</p>
            {state.error.fields.map(({ field, message }) => (
              <p key={field}>{message}</p>
            ))}
            <chakra.p mt="1" fontSize="xs">
              {t('import.failedText')}
            </chakra.p>
          </Notice>
        )}
        {state.step === 'done' && <Outcome result={state.result} allOrNothing={allOrNothing} />}
      </chakra.div>
    </Dialog>
  );
}

function Modes({ mode, onChoose }: { mode: ImportMode; onChoose: (mode: ImportMode) => void }) {
  const { t } = useTranslation('documents');
  return (
    <chakra.fieldset mt="5">
      <chakra.legend fontWeight="semibold" mb="1.5">
        {t('import.mode')}
      </chakra.legend>
      <Flex direction="column" gap="1.5">
        {importModes.map((one) => (
          <chakra.label key={one} display="flex" alignItems="flex-start" gap="2" cursor="pointer">
            <chakra.input
              type="radio"
              name="import-mode"
              mt="1"
              boxSize="4"
              flexShrink="0"
              accentColor="accent.solid"
              checked={one === mode}
              onChange={() => onChoose(one)}
            />
            <span>
              {t(`import.modes.${one}`)}
              <chakra.span display="block" fontSize="xs" color="fg.muted">
                {t(`import.modesHelp.${one}`)}
              </chakra.span>
            </span>
          </chakra.label>
        ))}
      </Flex>
    </chakra.fieldset>
  );
}

interface ProgressProps {
  file: File;
  sent: number;
  speed: number | undefined;
}

function Progress({ file, sent, speed }: ProgressProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const format = useFormat();
  const share = file.size === 0 ? 1 : Math.min(1, sent / file.size);
  const isSent = share >= 1;
  const left = speed && speed > 0 && !isSent ? (file.size - sent) / speed : undefined;
  return (
    <>
      <Flex justify="space-between" gap="3" mb="1.5">
        <chakra.span fontWeight="medium" overflowWrap="anywhere">
          {file.name}
        </chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums" fontWeight="medium">
          {format.percent(Math.floor(share * 100) / 100)}
        </chakra.span>
      </Flex>
      <ProgressTrack label={t('import.progress')} share={share} />
      <Flex mt="1.5" gap="3" wrap="wrap" fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
        <span role="status">{t(isSent ? 'import.storing' : 'import.sending')}</span>
        <chakra.span ms="auto">
          {format.fileSize(Math.min(sent, file.size))} / {format.fileSize(file.size)}
          {speed !== undefined && !isSent && ` · ${t('ui:speed', { speed: format.fileSize(speed) })}`}
          {left !== undefined && ` · ${t('ui:timeLeft', { time: format.duration(left) })}`}
        </chakra.span>
      </Flex>
    </>
  );
}

function Outcome({ allOrNothing, result }: { allOrNothing: boolean; result: Result }) {
  const { t } = useTranslation('documents');
  const { number } = useFormat();
  const { count, failed, lineErrors } = result;
  const isRefused = allOrNothing && failed > 0;
  return (
    <>
      <div role="status">
        <Notice tone={failed === 0 ? 'success' : 'warning'}>
          {isRefused ? t('import.refused', { failed: number(failed) }) : t('import.done', { count })}
          {failed > 0 && !isRefused && ` ${t('import.passedOver', { failed: number(failed) })}`}
        </Notice>
      </div>
      {lineErrors.length > 0 && (
        <chakra.div
          mt="4"
          maxH="16rem"
          overflow="auto"
          borderWidth="1px"
          borderRadius="md"
          tabIndex={0}
          role="region"
          aria-label={t('import.lineErrors')}
        >
          <chakra.table
            w="full"
            fontSize="sm"
            css={{
              '& :is(th, td)': { px: '3', py: '1.5', textAlign: 'start', verticalAlign: 'top' },
              '& thead th': { position: 'sticky', top: '0', bg: 'bg.subtle', fontSize: 'xs' },
              '& tbody tr + tr > *': { borderTopWidth: '1px', borderColor: 'border.muted' },
              '& tbody th': {
                fontWeight: 'normal',
                fontVariantNumeric: 'tabular-nums',
                whiteSpace: 'nowrap',
              },
              '& td': { overflowWrap: 'anywhere' },
            }}
          >
            <thead>
              <tr>
                <th scope="col">{t('import.line')}</th>
                <th scope="col">{t('import.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {lineErrors.map(({ line, message }) => (
                <tr key={`${line} ${message}`}>
                  <th scope="row">{number(line)}</th>
                  <td>{message}</td>
                </tr>
              ))}
            </tbody>
          </chakra.table>
        </chakra.div>
      )}
      {failed > lineErrors.length && (
        <chakra.p mt="1.5" fontSize="xs" color="fg.muted">
          {t('import.moreErrors', { count: number(failed - lineErrors.length) })}
        </chakra.p>
      )}
    </>
  );
}
