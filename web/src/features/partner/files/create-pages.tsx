import { newTraceId } from '@portal/api-client';
import {
  fileRoutes,
  hasAnyRole,
  limits,
  packageExtensions,
  requiredText,
  text,
  userRoleBits,
} from '@portal/contracts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { StorageNotice } from '../../../components/storage-use.tsx';
import { chosenFileOf } from '../../../components/upload/pending-upload.ts';
import { usePendingStore } from '../../../components/upload/use-file-upload.ts';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow, useFlowForm } from '../../../ui/flow/flow.tsx';
import { DateTimeField, TextareaField, TextField } from '../../../ui/form/fields.tsx';
import { FileField } from '../../../ui/form/file-field.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { atFields, ofFile } from './field-errors.ts';
import { type FileCreateValues, fileCreateFlow, fileGroupsPath, fileListPath } from './file-flows.ts';
import { packageFile } from './package-rules.ts';
import { ResumeUpload } from './upload/resume-upload.tsx';
import { RunningUploadPanel } from './upload/running-upload-panel.tsx';
import { useDiscard } from './upload/use-discard.ts';
import { useFileCrumbs } from './use-file-crumbs.ts';
import { useSaveWithUpload } from './use-save-with-upload.ts';

const empty: FileCreateValues = { name: '', note: '', file: undefined, deliverReservationAt: '' };

export function FileCreatePage() {
  const { t } = useTranslation('files');
  const flow = useFlow<FileCreateValues>();
  const store = usePendingStore(fileCreateFlow.name);
  const discard = useDiscard(store);
  const [pending, setPending] = useState(store.get);
  return (
    <>
      <PageHeader title={t('create')} crumbs={useFileCrumbs(t('create'))} />
      {pending ? (
        <ResumeUpload
          pending={pending}
          onResume={(file) => flow.confirm({ ...empty, name: pending.fileName, ...flow.values, file })}
          onDiscard={() => {
            discard();
            setPending(undefined);
          }}
        />
      ) : (
        <FileCreateForm />
      )}
    </>
  );
}

function FileCreateForm() {
  const { t } = useTranslation(['files', 'ui']);
  const kind = t('kinds.package');
  const schema = useMemo(
    () =>
      z.object({
        name: requiredText(limits.nameMaxLength),
        note: text(limits.noteMaxLength),
        file: packageFile({ requiredKind: kind }),
        deliverReservationAt: z.string(),
      }),
    [kind],
  );
  const form = useFlowForm<FileCreateValues>(schema, empty, {
    file: t('file'),
    name: t('name'),
    note: t('note'),
    deliverReservationAt: t('deliverReservationAt'),
  });

  const suggestName = ({ name }: File) => {
    if (form.form.getValues('name') !== '') return;
    form.form.setValue('name', name.replace(/\.[^.]+$/, ''), { shouldDirty: true });
  };

  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      onSubmit={form.flow.confirm}
      cancel={
        <ButtonLink to={fileListPath} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection title={t('sections.file')}>
        <StorageNotice />
        <FileField
          {...form.field('file')}
          required
          help={t('fileHelp')}
          accept={packageExtensions.join(',')}
          onChosen={suggestName}
        />
      </FormSection>
      <FormSection title={t('sections.about')}>
        <TextField {...form.field('name')} required help={t('nameHelp')} />
        <TextareaField {...form.field('note')} />
      </FormSection>
      <FormSection title={t('sections.delivery')}>
        <DateTimeField {...form.field('deliverReservationAt')} help={t('deliverHelp')} />
      </FormSection>
    </Form>
  );
}

/** Of a reservation that was made in the form, while the confirmation stood there. */
const isPast = (time = '') => time !== '' && new Date(time) <= new Date();

export function FileCreateConfirmPage() {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  const api = useApi();
  const { partner } = usePartnerSession();

  const { flow, submit, running } = useSaveWithUpload<FileCreateValues>(
    fileCreateFlow.name,
    async ({ file, name, note, deliverReservationAt }, { flow, pending, uploads }) => {
      if (!file) throw new Error('The form lets nobody pass without a file');
      const register = async () => {
        const traceId = newTraceId();
        const chosen = await chosenFileOf(file);
        const body = {
          name,
          note,
          ...chosen,
          deliverReservationAt: deliverReservationAt || null,
        };
        const { partnerFileId, uploadId, partSize } = await api.call(fileRoutes.createFile, {
          params: { pid: partner.id },
          body,
          idempotencyKey: flow.idempotencyKey,
          traceId,
        });
        const slot = 'current' as const;
        return { fileId: partnerFileId, uploadId, partSize, slot, traceId, ...chosen };
      };
      return atFields(ofFile, async () => {
        const upload = pending.get() ?? (await register());
        await uploads.send(file, upload);
        return upload.fileId;
      });
    },
  );

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useFileCrumbs(t('create'))}
      items={
        values
          ? [
              { label: t('file'), value: values.file?.name },
              { label: t('size'), value: format.fileSize(values.file?.size ?? 0) },
              { label: t('name'), value: values.name },
              { label: t('note'), value: values.note || t('ui:none') },
              {
                label: t('deliverReservationAt'),
                value: format.dateTimeWithZone(values.deliverReservationAt || null),
              },
            ]
          : []
      }
      warning={isPast(values?.deliverReservationAt) && t('pastDelivery')}
      submitLabel={t('submitCreate')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
      running={running && <RunningUploadPanel key={running.upload.uploadId} running={running} />}
    />
  );
}

export function FileCreateCompletePage() {
  const { t } = useTranslation('files');
  const { partner, user } = usePartnerSession();
  const { result, resultId } = useFlow<FileCreateValues>();
  const canAssign = hasAnyRole(user.role, userRoleBits.admin) && resultId !== undefined;
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useFileCrumbs(t('create'))}
      message={
        <>
          {t('created', { name: result })}
          {canAssign && (
            <>
              <br />
              {t('createdNext')}
            </>
          )}
        </>
      }
      next={
        <>
          {canAssign && (
            <ButtonLink to={editLink(fileGroupsPath, resultId, partner.name)}>{t('assign')}</ButtonLink>
          )}
          <ButtonLink to={fileListPath} variant={canAssign ? 'outline' : 'solid'}>
            {t('toList')}
          </ButtonLink>
          <ButtonLink to={fileCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}
