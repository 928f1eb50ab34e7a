import { chakra, Flex } from '@chakra-ui/react';
import { packageExtensions } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ChosenFile,
  isSameFile,
  type PendingUpload,
} from '../../../../components/upload/pending-upload.ts';
import { useFormat } from '../../../../lib/format.ts';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { DropZone } from '../../../../ui/upload/upload-panel.tsx';

interface ChoiceProps {
  wanted: ChosenFile;
  file: File | undefined;
  onChange: (file: File | undefined) => void;
  label: string;
}

function FileChoice({ wanted, file, onChange, label }: ChoiceProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const about = { name: wanted.fileName, size: format.fileSize(wanted.fileSize) };
  const wrong = file !== undefined && !isSameFile(file, wanted);
  return (
    <DropZone
      label={label}
      help={t('upload.sameFile', about)}
      accept={packageExtensions.join(',')}
      file={file}
      onChange={onChange}
      error={wrong ? t('upload.notSame', about) : undefined}
    />
  );
}

interface ResumeUploadProps {
  pending: PendingUpload;
  /** `next` is the file that follows, where one does. */
  onResume: (file: File, next: File | undefined) => void;
  onDiscard: () => void;
}

/** After a reload in the middle of an upload the browser has no file any more: it is asked for again. */
export function ResumeUpload({ pending, onResume, onDiscard }: ResumeUploadProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const [file, setFile] = useState<File>();
  const [next, setNext] = useState<File>();
  const ready =
    file !== undefined &&
    isSameFile(file, pending) &&
    (pending.next === undefined || (next !== undefined && isSameFile(next, pending.next)));
  return (
    <Panel as="section" maxW="form" p={{ base: '4', md: '6' }} aria-labelledby="resume-upload">
      <chakra.h2 id="resume-upload" fontSize="md" fontWeight="semibold" mb="3">
        {t('upload.resumeTitle')}
      </chakra.h2>
      <Notice tone="warning">
        {t('upload.resumeText', { name: pending.fileName, size: format.fileSize(pending.fileSize) })}
      </Notice>
      <chakra.div mt="4">
        <FileChoice wanted={pending} file={file} onChange={setFile} label={t('file')} />
      </chakra.div>
      {pending.next && (
        <chakra.div mt="4">
          <chakra.p mb="2">{t('upload.otherFile', { name: pending.next.fileName })}</chakra.p>
          <FileChoice wanted={pending.next} file={next} onChange={setNext} label={t('updateFile')} />
        </chakra.div>
      )}
      <Flex mt="5" gap="2" wrap="wrap">
        <Button size="md" disabled={!ready} onClick={() => file && onResume(file, next)}>
          {t('upload.resume')}
        </Button>
        <Button size="md" variant="outline" colorPalette="danger" onClick={onDiscard}>
          {t('upload.discard')}
        </Button>
      </Flex>
    </Panel>
  );
}
