import { chakra, Flex } from '@chakra-ui/react';
import { FileUp, Pause, Play, Trash2, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button, IconButton } from '../button.tsx';
import { ProgressTrack } from '../feedback/progress-track.tsx';

interface DropAreaProps {
  label: string;
  /** What may be dropped here, in words. */
  help: string;
  /** Extensions with their dots, as in `<input accept>`. */
  accept: string;
  /** Several at once. */
  multiple?: boolean;
  /** At least one. */
  onChosen: (files: readonly File[]) => void;
  error?: string | undefined;
  id?: string | undefined;
  children: ReactNode;
}

/** Chooses files, by dropping them or by the button. */
export function DropArea({
  label,
  help,
  accept,
  multiple = false,
  onChosen,
  error,
  id,
  children,
}: DropAreaProps) {
  const { t } = useTranslation('ui');
  const input = useRef<HTMLInputElement>(null);
  const base = useId();
  const [over, setOver] = useState(false);
  const choose = (files: FileList | null) => {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0) onChosen(multiple ? chosen : chosen.slice(0, 1));
  };
  const chooseLabel = t(multiple ? 'chooseFiles' : 'chooseFile');
  return (
    <div>
      <Flex
        direction="column"
        align="center"
        gap="2"
        p="6"
        textAlign="center"
        borderWidth="1px"
        borderStyle="dashed"
        borderColor={error ? 'border.error' : over ? 'accent.solid' : 'border.control'}
        borderRadius="md"
        bg={over ? 'accent.subtle' : 'bg.subtle'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          choose(event.dataTransfer.files);
        }}
      >
        <chakra.span color="fg.subtle">
          <FileUp size={28} strokeWidth={1.5} aria-hidden />
        </chakra.span>
        {children}
        <Button
          id={id}
          variant="outline"
          aria-describedby={`${base}-help${error ? ` ${base}-error` : ''}`}
          aria-label={`${label}: ${chooseLabel}`}
          onClick={() => input.current?.click()}
        >
          {chooseLabel}
        </Button>
        <chakra.p id={`${base}-help`} fontSize="xs" color="fg.muted" maxW="full" overflowWrap="anywhere">
          {help}
        </chakra.p>
        <chakra.input
          ref={input}
          type="file"
          accept={accept}
          multiple={multiple}
          aria-label={label}
          tabIndex={-1}
          srOnly
          onChange={(event) => {
            choose(event.target.files);
            event.target.value = '';
          }}
        />
      </Flex>
      {error && (
        <chakra.p id={`${base}-error`} mt="1.5" fontSize="xs" fontWeight="medium" color="fg.error">
          {error}
        </chakra.p>
      )}
    </div>
  );
}

interface ChosenFileLineProps {
  file: File;
  /** What removes it, where there are several. */
  removeLabel?: string;
  /** Of what removes it, where something leads to the file. */
  id?: string;
  onRemove: () => void;
}

export function ChosenFileLine({ file, removeLabel, id, onRemove }: ChosenFileLineProps) {
  const { t } = useTranslation('ui');
  const format = useFormat();
  return (
    <Flex align="center" gap="2" maxW="full">
      <chakra.span fontWeight="medium" overflowWrap="anywhere">
        {file.name}
      </chakra.span>
      <chakra.span color="fg.muted" whiteSpace="nowrap">
        {format.fileSize(file.size)}
      </chakra.span>
      <IconButton
        id={id}
        size="xs"
        label={removeLabel ?? t('removeFile')}
        icon={<Trash2 />}
        onClick={onRemove}
      />
    </Flex>
  );
}

interface DropZoneProps extends Omit<DropAreaProps, 'multiple' | 'onChosen' | 'children'> {
  file: File | undefined;
  onChange: (file: File | undefined) => void;
}

/** Chooses one file. */
export function DropZone({ file, onChange, ...area }: DropZoneProps) {
  const { t } = useTranslation('ui');
  return (
    <DropArea {...area} onChosen={([chosen]) => onChange(chosen)}>
      {file ? (
        <ChosenFileLine file={file} onRemove={() => onChange(undefined)} />
      ) : (
        <span>{t('dropHere')}</span>
      )}
    </DropArea>
  );
}

export interface UploadProgress {
  readonly status: 'waiting' | 'uploading' | 'paused' | 'finishing' | 'complete' | 'failed';
  readonly sent: number;
  readonly total: number;
  /** Bytes a second, once known. */
  readonly speed: number | undefined;
}

interface UploadPanelProps {
  fileName: string;
  progress: UploadProgress;
  /** Why it failed or waits, in words. */
  message?: string | undefined;
  /** The buttons name the file, where there are several uploads. */
  named?: boolean;
  onPause: () => void;
  onResume: () => void;
  onCancel: () => void;
}

/** An upload under way. What happens on pause, resume and cancel is the caller's. */
export function UploadPanel({
  fileName,
  progress,
  message,
  named = false,
  onPause,
  onResume,
  onCancel,
}: UploadPanelProps) {
  const { t } = useTranslation('ui');
  const format = useFormat();
  const { status, sent, total, speed } = progress;
  const share = total === 0 ? 0 : Math.min(1, sent / total);
  const percent = Math.floor(share * 100);
  const left = speed && speed > 0 ? (total - sent) / speed : undefined;
  const failed = status === 'failed';
  const nameOf = (action: string) => (named ? t('actionOn', { action, name: fileName }) : undefined);
  return (
    <div>
      <Flex justify="space-between" gap="3" mb="1.5">
        <chakra.span fontWeight="medium" overflowWrap="anywhere">
          {fileName}
        </chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums" fontWeight="medium">
          {format.percent(percent / 100)}
        </chakra.span>
      </Flex>
      <ProgressTrack
        label={t('uploadOf', { name: fileName })}
        share={share}
        colour={failed ? 'danger' : status === 'paused' ? 'warning' : 'accent'}
      />
      <Flex mt="1.5" justify="space-between" gap="3" wrap="wrap" minH="8" align="center">
        <chakra.p
          fontSize="xs"
          color={failed ? 'fg.error' : 'fg.muted'}
          fontVariantNumeric="tabular-nums"
          role="status"
        >
          {message ?? t(`upload.${status}`)}
        </chakra.p>
        <chakra.p fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums" ms="auto">
          {format.fileSize(sent)} / {format.fileSize(total)}
          {status === 'uploading' &&
            speed !== undefined &&
            ` · ${t('speed', { speed: format.fileSize(speed) })}`}
          {status === 'uploading' &&
            left !== undefined &&
            ` · ${t('timeLeft', { time: format.duration(left) })}`}
        </chakra.p>
        <Flex gap="1">
          {status === 'uploading' && (
            <Button
              size="xs"
              variant="outline"
              colorPalette="gray"
              aria-label={nameOf(t('pause'))}
              icon={<Pause />}
              onClick={onPause}
            >
              {t('pause')}
            </Button>
          )}
          {(status === 'paused' || failed) && (
            <Button
              size="xs"
              variant="outline"
              aria-label={nameOf(t('resume'))}
              icon={<Play />}
              onClick={onResume}
            >
              {t('resume')}
            </Button>
          )}
          {status !== 'complete' && status !== 'finishing' && (
            <Button
              size="xs"
              variant="ghost"
              colorPalette="danger"
              aria-label={nameOf(t('cancelUpload'))}
              icon={<X />}
              onClick={onCancel}
            >
              {t('cancelUpload')}
            </Button>
          )}
        </Flex>
      </Flex>
    </div>
  );
}
