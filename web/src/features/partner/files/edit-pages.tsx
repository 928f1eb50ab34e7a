import { fileRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { type FileDetail, isResumable, isUpdatePending } from '../../../components/files/file.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useIsUploadedHere } from '../../../components/upload/use-is-uploaded-here.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { editLink, idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { editValuesOf, FileEditForm, reservationFaultOf } from './edit-form.tsx';
import { type FileEditValues, fileGroupsPath, fileListPath } from './file-flows.ts';
import { saveEditedFile } from './save-edited-file.ts';
import { ResumeStoredUpload } from './upload/resume-stored-upload.tsx';
import { useBeginUpload } from './upload/use-begin-upload.ts';
import { useFileCrumbs } from './use-file-crumbs.ts';
import { useFilesChanged } from './use-files-changed.ts';
import { useMayChangeDelivery } from './use-may-distribute.ts';

function useFile() {
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  return useApiQuery(fileRoutes.getFile, { params: { pid: partner.id, id: idOf(params) } });
}

export function FileEditPage() {
  const { t } = useTranslation('files');
  const file = useFile();
  return (
    <>
      <PageHeader
        title={file.data ? t('editOf', { name: file.data.name }) : t('edit')}
        crumbs={useFileCrumbs(t('edit'))}
      />
      {file.data ? (
        <EditOrResume file={file.data} />
      ) : (
        <RecordLoader
          queries={[file]}
          rows={8}
          action={<ButtonLink to={fileListPath}>{t('toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

function EditOrResume({ file }: { file: FileDetail }) {
  const mayChangeDelivery = useMayChangeDelivery();
  const isUploadedHere = useIsUploadedHere();
  return (
    <>
      {isResumable(file) && !isUploadedHere(file) && mayChangeDelivery(file) && (
        <ResumeStoredUpload key={file.upload.uploadId} file={file} />
      )}
      <FileEditForm file={file} />
    </>
  );
}

function useChanges(values: FileEditValues | undefined, file: FileDetail | undefined): DescriptionItem[] {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  if (!values || !file) return [];
  const before = editValuesOf(file);
  const textOrNone = (value: string) => (value === '' ? t('ui:none') : value);
  const timeOrNone = (value: string) => format.dateTimeWithZone(value === '' ? null : value);
  const chosen = (label: string, replaced: string, value: File | undefined): DescriptionItem =>
    value
      ? {
          label,
          value: t('newFile', { name: value.name, size: format.fileSize(value.size) }),
          before: replaced,
        }
      : { label, value: t('unchangedFile') };
  const noteOf = (label: string, bytes: File | undefined, note: string): DescriptionItem[] =>
    bytes && note !== '' ? [{ label, value: note }] : [];
  return [
    changedItem(t('name'), values.name, before.name, textOrNone),
    changedItem(t('note'), values.note, before.note, textOrNone),
    chosen(
      t('newVersion'),
      t('newFile', { name: file.fileName, size: format.fileSize(file.fileSize) }),
      values.file,
    ),
    ...noteOf(t('versions.note'), values.file, values.versionNote),
    changedItem(
      t('deliverReservationAt'),
      values.deliverReservationAt,
      before.deliverReservationAt,
      timeOrNone,
    ),
    changedItem(t('updateReservationAt'), values.updateReservationAt, before.updateReservationAt, timeOrNone),
    chosen(t('updateFile'), file.updateReservationFileName ?? t('ui:none'), values.updateFile),
    ...noteOf(t('versions.reservedNote'), values.updateFile, values.updateNote),
  ];
}

export function FileEditConfirmPage() {
  const { t } = useTranslation(['files', 'ui']);
  const api = useApi();
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  const file = useFile();

  const begin = useBeginUpload();
  const filesChanged = useFilesChanged();
  const flow = useFlow<FileEditValues>();
  const submit = useAction({
    async mutationFn(edited: FileEditValues) {
      const id = idOf(params);
      // The confirmation may have been reached before the record was loaded again.
      const current = file.data ?? (await api.call(fileRoutes.getFile, { params: { pid: partner.id, id } }));
      return saveEditedFile(
        api,
        {
          pid: partner.id,
          id,
          updatePending: isUpdatePending(current),
          begin,
          onBegun: () => flow.draft({ ...edited, file: undefined }, true),
        },
        edited,
      );
    },
    onSuccess: (id, { name }) => flow.finish(name, id),
    onError: flow.fail,
    onSettled: filesChanged,
  });

  const { values } = flow;
  const refused =
    values !== undefined && file.data !== undefined && reservationFaultOf(file.data, values) !== undefined;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useFileCrumbs(t('edit'))}
      items={useChanges(values, file.data)}
      warning={refused && t('pastReservation')}
      refused={refused}
      submitLabel={t('ui:save')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function FileEditCompletePage() {
  const { t } = useTranslation('files');
  const { partner } = usePartnerSession();
  const { result, resultId } = useFlow<FileEditValues>();
  const isUploadedHere = useIsUploadedHere();
  const goesOn = resultId !== undefined && isUploadedHere({ id: resultId });
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useFileCrumbs(t('edit'))}
      message={t(goesOn ? 'updatedUploading' : 'updatedMessage', { name: result })}
      next={
        <>
          <ButtonLink to={fileListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <ButtonLink to={editLink(fileGroupsPath, resultId, partner.name)} variant="outline">
              {t('assign')}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
