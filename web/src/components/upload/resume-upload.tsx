import { chakra, Flex } from '@chakra-ui/react';
import { packageExtensions } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { DropZone } from '../../ui/upload/upload-panel.tsx';
import { type ChosenFile, isSameFile } from './chosen-file.ts';

/** The file that is chosen in the place of one that was being sent. */
interface ChosenAgain {
  readonly file: File | undefined;
  /** Undefined while it is compared. */
  readonly isSame: boolean | undefined;
  choose(file: File | undefined): void;
}

function useChosenAgain(wanted: ChosenFile): ChosenAgain {
  const [state, setState] = useState<{ file: File; isSame: boolean | undefined }>();
  return {
    file: state?.file,
    isSame: state?.isSame,
    choose(file) {
      setState(file && { file, isSame: undefined });
      if (!file) return;
      const told = (isSame: boolean) =>
        // Another may have been chosen meanwhile.
        setState((now) => (now?.file === file ? { file, isSame } : now));
      // What cannot be read is not the same.
      isSameFile(file, wanted).then(told, () => told(false));
    },
  };
}

interface ChoiceProps {
  wanted: ChosenFile;
  chosen: ChosenAgain;
  label: string;
}

function FileChoice({ wanted, chosen, label }: ChoiceProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { choose, file, isSame } = chosen;
  const about = { name: wanted.fileName, size: format.fileSize(wanted.fileSize) };
  const looksSame = file?.name === wanted.fileName && file.size === wanted.fileSize;
  return (
    <DropZone
      label={label}
      help={t('upload.sameFile', about)}
      accept={packageExtensions.join(',')}
      file={file}
      onChange={choose}
      error={isSame === false ? t(looksSame ? 'upload.otherContent' : 'upload.notSame', about) : undefined}
    />
  );
}

interface ResumeUploadProps {
  pending: ChosenFile;
  /** What is stored of it, in bytes. */
  storedBytes: number;
  onResume: (file: File) => void;
  onDiscard: () => void;
}

/** After a reload, or on another computer, the browser has no file any more: it is asked for again. */
export function ResumeUpload({ pending, storedBytes, onResume, onDiscard }: ResumeUploadProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const chosen = useChosenAgain(pending);
  const [discarding, setDiscarding] = useState(false);
  const size = format.fileSize(pending.fileSize);
  return (
    <Panel as="section" maxW="form" mb="5" p={{ base: '4', md: '6' }} aria-labelledby="resume-upload">
      <chakra.h2 id="resume-upload" fontSize="md" fontWeight="semibold" mb="3">
        {t('upload.resumeTitle')}
      </chakra.h2>
      <Notice tone="warning">
        {t('upload.resumeText', { name: pending.fileName, size })}
        {` ${t('state.stored', { stored: format.fileSize(storedBytes), size })}`}
      </Notice>
      <chakra.div mt="4">
        <FileChoice wanted={pending} chosen={chosen} label={t('file')} />
      </chakra.div>
      <Flex mt="5" gap="2" wrap="wrap">
        <Button
          size="md"
          disabled={chosen.isSame !== true}
          onClick={() => chosen.file && onResume(chosen.file)}
        >
          {t('upload.resume')}
        </Button>
        <Button size="md" variant="outline" colorPalette="danger" onClick={() => setDiscarding(true)}>
          {t('upload.discard')}
        </Button>
      </Flex>
      <ConfirmDialog
        open={discarding}
        title={t('upload.cancelTitle')}
        confirmLabel={t('upload.cancel')}
        onConfirm={() => {
          setDiscarding(false);
          onDiscard();
        }}
        onCancel={() => setDiscarding(false)}
      >
        {t('upload.cancelText', { name: pending.fileName })}
      </ConfirmDialog>
    </Panel>
  );
}
