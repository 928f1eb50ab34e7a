import { chakra, Flex } from '@chakra-ui/react';
import { newTraceId } from '@portal/api-client';
import { fileRoutes, packageExtensions } from '@portal/contracts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileDetailPath } from '../../../../components/files/file.ts';
import { forgetUpload } from '../../../../components/upload/begun-uploads.ts';
import { uploadOwner } from '../../../../components/upload/begun-uploads-key.ts';
import { isSameFile, wantedFileOf } from '../../../../components/upload/chosen-file.ts';
import { useDiscard } from '../../../../components/upload/use-discard.ts';
import { useApi } from '../../../../lib/api.ts';
import { editLink } from '../../../../lib/edit-link.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { Link } from '../../../../ui/link.tsx';
import { useFilesChanged } from '../use-files-changed.ts';
import { useBeginUpload } from './use-begin-upload.ts';
import type { LeftUpload as Left } from './use-left-uploads.ts';

/** An upload that stopped: it goes on with the same file, or without one where only its groups are missing. */
export function LeftUpload({ upload: { begun, file } }: { upload: Left }) {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  const begin = useBeginUpload();
  const { fileId, uploadId } = begun;
  return (
    <chakra.div overflowWrap="anywhere">
      <Link to={editLink(fileDetailPath, fileId, partner.name)} fontWeight="medium">
        {file.name}
      </Link>
      {file.upload ? (
        <Interrupted begun={begun} file={file} upload={file.upload} />
      ) : (
        <>
          <chakra.p mt="0.5" fontSize="xs" color="fg.warning">
            {t('uploads.unassigned')}
          </chakra.p>
          <Button
            size="xs"
            mt="2"
            onClick={() =>
              void begin({ ...begun, uploadId, name: file.name, bytes: undefined, traceId: newTraceId() })
            }
          >
            {t('uploads.followAgain')}
          </Button>
        </>
      )}
    </chakra.div>
  );
}

interface InterruptedProps extends Left {
  upload: NonNullable<Left['file']['upload']>;
}

function Interrupted({ begun, file, upload }: InterruptedProps) {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  const api = useApi();
  const filesChanged = useFilesChanged();
  const session = usePartnerSession();
  const begin = useBeginUpload();
  const { showError } = useErrorModal();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const [discarding, setDiscarding] = useState(false);
  const { fileName, storedBytes, uploadId } = upload;
  const fileSize = upload.fileSize ?? storedBytes;
  const size = format.fileSize(fileSize);
  const params = { uploadId };

  const resume = useAction({
    async mutationFn(chosen: File) {
      setRefusal(undefined);
      // What cannot be read is not the same.
      if (!(await isSameFile(chosen, wantedFileOf({ ...upload, fileSize })).catch(() => false))) {
        const looksSame = chosen.name === fileName && chosen.size === fileSize;
        setRefusal(t(looksSame ? 'upload.otherContent' : 'upload.notSame', { name: fileName, size }));
        return;
      }
      const traceId = newTraceId();
      const { partSize } = await api.call(fileRoutes.getUpload, { params, traceId });
      const bytes = { file: chosen, partSize, traceId, storedBytes };
      await begin({ ...begun, name: file.name, bytes, traceId });
    },
    onError: showError,
  });
  const discard = useDiscard({
    onDiscarded: () => forgetUpload(uploadOwner(session), uploadId),
    changed: filesChanged,
  });

  return (
    <>
      <chakra.p mt="0.5" fontSize="xs" color="fg.warning" fontVariantNumeric="tabular-nums">
        {t('uploads.interrupted', { stored: format.fileSize(storedBytes), size })}
      </chakra.p>
      {refusal && (
        <chakra.p mt="1" fontSize="xs" color="fg.error" role="alert">
          {refusal}
        </chakra.p>
      )}
      <Flex mt="2" gap="2" wrap="wrap">
        <Button
          size="xs"
          pending={resume.isPending}
          aria-label={t('ui:actionOn', { action: t('uploads.chooseAgain'), name: file.name })}
          onClick={() => input.current?.click()}
        >
          {t('uploads.chooseAgain')}
        </Button>
        <Button
          size="xs"
          variant="ghost"
          colorPalette="danger"
          aria-label={t('ui:actionOn', { action: t('ui:cancelUpload'), name: file.name })}
          onClick={() => setDiscarding(true)}
        >
          {t('ui:cancelUpload')}
        </Button>
      </Flex>
      <chakra.input
        ref={input}
        type="file"
        accept={packageExtensions.join(',')}
        aria-label={t('ui:actionOn', { action: t('uploads.chooseAgain'), name: file.name })}
        tabIndex={-1}
        srOnly
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          if (chosen) resume.mutate(chosen);
        }}
      />
      <ConfirmDialog
        open={discarding}
        title={t('upload.cancelTitle')}
        confirmLabel={t('upload.cancel')}
        cancelLabel={t('ui:cancel')}
        onConfirm={() => {
          setDiscarding(false);
          discard.mutate({ uploadId, name: file.name });
        }}
        onCancel={() => setDiscarding(false)}
      >
        {t('upload.cancelText', { name: file.name })}
      </ConfirmDialog>
    </>
  );
}
