import { chakra } from '@chakra-ui/react';
import { fileRoutes, previewRoutes } from '@portal/contracts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { approvalLink } from '../../../components/approval-paths.ts';
import { hasSameEffect } from '../../../components/effect/effect.tsx';
import { PreviewedEffect } from '../../../components/effect/previewed-effect.tsx';
import {
  type AskedChange,
  isOutdated,
  type PreviewedChange,
  usePreview,
} from '../../../components/effect/use-preview.ts';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import { type FileDetail, isResumable } from '../../../components/files/file.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import type { PlanValues } from '../../../components/rollout/plan-values.ts';
import { usePlanWords } from '../../../components/rollout/plan-words.ts';
import { useIsUploadedHere } from '../../../components/upload/use-is-uploaded-here.ts';
import { useIsFresh } from '../../../components/use-is-fresh.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { editLink, idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { type EditBodies, editBodiesOf } from './edit-bodies.ts';
import { FileEditForm, reservationFaultOf } from './edit-form.tsx';
import { type FileEditValues, fileGroupsPath, fileListPath } from './file-flows.ts';
import { saveEditedFile } from './save-edited-file.ts';
import { ResumeStoredUpload } from './upload/resume-stored-upload.tsx';
import { useBeginUpload } from './upload/use-begin-upload.ts';
import { useDraftsWatched } from './use-drafts-watched.ts';
import { useFileCrumbs } from './use-file-crumbs.ts';
import { useFilesChanged } from './use-files-changed.ts';
import { useMayChangeDelivery, useMayDistribute } from './use-may-distribute.ts';

function useFile() {
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  return useApiQuery(fileRoutes.getFile, { params: { pid: partner.id, id: idOf(params) } });
}

export function FileEditPage() {
  const { t } = useTranslation('files');
  const file = useFile();
  const isFresh = useIsFresh(file);
  return (
    <>
      <PageHeader
        title={file.data ? t('editOf', { name: file.data.name }) : t('edit')}
        crumbs={useFileCrumbs(t('edit'))}
      />
      {file.data && isFresh ? (
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
  useDraftsWatched([file]);
  return (
    <>
      {isResumable(file) && !isUploadedHere(file) && mayChangeDelivery(file) && (
        <ResumeStoredUpload key={file.upload.uploadId} file={file} />
      )}
      <FileEditForm file={file} />
    </>
  );
}

function useChanges(
  values: FileEditValues | undefined,
  before: FileEditValues | undefined,
  file: FileDetail | undefined,
): DescriptionItem[] {
  const { t } = useTranslation(['files', 'rollout', 'ui']);
  const format = useFormat();
  const planWords = usePlanWords();
  if (!values || !before || !file) return [];
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
  // Who gets it at once, or as was said before, is no change.
  const stagesOf = (isSaid: boolean, plan: PlanValues): DescriptionItem[] =>
    isSaid && file.groups.length > 0 && plan.way !== 'keep'
      ? [{ label: t('rollout:how'), value: planWords(plan) }]
      : [];
  return [
    changedItem(t('name'), values.name, before.name, textOrNone),
    changedItem(t('note'), values.note, before.note, textOrNone),
    chosen(
      t('newVersion'),
      t('newFile', { name: file.fileName, size: format.fileSize(file.fileSize) }),
      values.file,
    ),
    ...noteOf(t('versions.note'), values.file, values.versionNote),
    ...stagesOf(values.file !== undefined, values.rollout),
    changedItem(
      t('deliverReservationAt'),
      values.deliverReservationAt,
      before.deliverReservationAt,
      timeOrNone,
    ),
    changedItem(t('updateReservationAt'), values.updateReservationAt, before.updateReservationAt, timeOrNone),
    chosen(t('updateFile'), file.updateReservationFileName ?? t('ui:none'), values.updateFile),
    ...noteOf(t('versions.reservedNote'), values.updateFile, values.updateNote),
    ...stagesOf(values.updateReservationAt !== '', values.updateRollout),
  ];
}

export function FileEditConfirmPage() {
  const { t } = useTranslation('files');
  const file = useFile();
  const { before, values } = useFlow<FileEditValues>();
  // The confirmation may be reached before the record is loaded again, and is left before the completion opens.
  const [stored, setStored] = useState(file.data);
  if (!stored && file.data) setStored(file.data);
  if (!stored && file.error) {
    return (
      <RecordLoader
        queries={[file]}
        rows={8}
        action={<ButtonLink to={fileListPath}>{t('toList')}</ButtonLink>}
      />
    );
  }
  return <Confirmation file={stored} before={before} values={values} />;
}

interface ConfirmationProps {
  /** As it is stored, before the change. */
  file: FileDetail | undefined;
  /** What the form was filled with. */
  before: FileEditValues | undefined;
  values: FileEditValues | undefined;
}

function Confirmation({ before, file, values }: ConfirmationProps) {
  const { t } = useTranslation(['files', 'effect', 'ui']);
  const api = useApi();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const twoPeopleDecide = useTwoPeopleDecide();
  const begin = useBeginUpload();
  const filesChanged = useFilesChanged();
  const flow = useFlow<FileEditValues>();
  const bodies = useEditBodies(file, before, values, flow.fail);
  const isSaved = useRef(false);
  const asked = (change: PreviewedChange): AskedChange | undefined => file && { fileId: file.id, change };
  const replacement = usePreview(
    bodies?.changesDelivery ? asked({ what: 'file', body: bodies.file }) : undefined,
  );
  const reservation = usePreview(
    bodies?.reservation && asked({ what: 'reservation', body: bodies.reservation }),
  );

  /** Good for the effect that was told; saving the file itself may have changed what it was counted from. */
  async function reservationToken(saved: EditBodies, fileId: number): Promise<string | undefined> {
    const { effect } = reservation;
    if (!saved.reservation || !saved.changesDelivery || !effect) return effect?.previewToken;
    const body = { what: 'reservation' as const, body: saved.reservation };
    const params = { pid: partner.id, id: fileId };
    const again = await api.call(previewRoutes.previewChange, { params, body });
    return hasSameEffect(again, effect) ? again.previewToken : effect.previewToken;
  }

  const submit = useAction({
    mutationFn: ({ edited, id, saved }: { edited: FileEditValues; id: number; saved: EditBodies }) =>
      saveEditedFile(
        api,
        {
          pid: partner.id,
          id,
          bodies: saved,
          previewToken: replacement.effect?.previewToken,
          reservationToken: () => reservationToken(saved, id),
          begin,
          onSaved() {
            if (!saved.reservation) return;
            const { deliverReservationAt, name, note } = edited;
            isSaved.current = true;
            flow.draft({ ...edited, file: undefined }, true);
            flow.settle({ deliverReservationAt, name, note });
          },
        },
        edited,
      ),
    onSuccess: (approvals, { edited, id }) => flow.finish(edited.name, id, { notes: approvals.map(String) }),
    async onError(error) {
      if (!isOutdated(error)) return flow.fail(error);
      if (isSaved.current) {
        // What is left of it is confirmed anew.
        toast({ tone: 'warning', message: t('effect:changed') });
        return flow.fail(error);
      }
      replacement.isOutdatedBy(error);
      reservation.isOutdatedBy(error);
    },
    onSettled: filesChanged,
  });

  const refused =
    values !== undefined && file !== undefined && reservationFaultOf(file, values, before) !== undefined;
  const isTold =
    bodies !== undefined &&
    (!bodies.changesDelivery || replacement.effect !== undefined) &&
    (!bodies.reservation || reservation.effect !== undefined);
  const waits =
    twoPeopleDecide &&
    file !== undefined &&
    file.groups.length > 0 &&
    (bodies?.changesDelivery || bodies?.reservation !== undefined);
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useFileCrumbs(t('edit'))}
      items={useChanges(values, before, file)}
      warning={refused && t('pastReservation')}
      refused={refused}
      disabled={!isTold}
      submitLabel={waits ? t('effect:ask') : t('ui:save')}
      pending={submit.isPending}
      onSubmit={() =>
        values && file && bodies && submit.mutate({ edited: values, id: file.id, saved: bodies })
      }
      onBack={flow.back}
    >
      {bodies?.changesDelivery && <PreviewedEffect preview={replacement} />}
      {bodies?.reservation && <PreviewedEffect preview={reservation} title={t('reservationEffect')} />}
      {waits && (
        <chakra.div mt="4">
          <Notice tone="info">{t('effect:waits')}</Notice>
        </chakra.div>
      )}
    </ConfirmPage>
  );
}

/** What the calls will be told: of the chosen files that takes a moment. */
function useEditBodies(
  file: FileDetail | undefined,
  before: FileEditValues | undefined,
  values: FileEditValues | undefined,
  onFailure: (error: unknown) => unknown,
): EditBodies | undefined {
  const [bodies, setBodies] = useState<EditBodies>();
  useEffect(() => {
    // While the completion opens there is nothing to confirm any more.
    if (!file || !before || !values) return;
    let isOver = false;
    editBodiesOf(file, values, before).then(
      (known) => {
        if (!isOver) setBodies(known);
      },
      (error: unknown) => {
        if (!isOver) onFailure(error);
      },
    );
    return () => {
      isOver = true;
    };
  }, [before, file, values]);
  return bodies;
}

export function FileEditCompletePage() {
  const { t } = useTranslation(['files', 'effect']);
  const { partner } = usePartnerSession();
  const { notes, result, resultId } = useFlow<FileEditValues>();
  const mayDistribute = useMayDistribute();
  const isUploadedHere = useIsUploadedHere();
  const goesOn = resultId !== undefined && isUploadedHere({ id: resultId });
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useFileCrumbs(t('edit'))}
      message={t(notes.length > 0 ? 'updateWaits' : goesOn ? 'updatedUploading' : 'updatedMessage', {
        name: result,
      })}
      next={
        <>
          {notes.map((approval) => (
            <ButtonLink key={approval} to={approvalLink(Number(approval), partner.name)}>
              {t('effect:toApproval')}
            </ButtonLink>
          ))}
          <ButtonLink to={fileListPath} variant={notes.length > 0 ? 'outline' : 'solid'}>
            {t('toList')}
          </ButtonLink>
          {mayDistribute && resultId !== undefined && (
            <ButtonLink to={editLink(fileGroupsPath, resultId, partner.name)} variant="outline">
              {t('assign')}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
