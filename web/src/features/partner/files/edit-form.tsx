import { chakra, Flex } from '@chakra-ui/react';
import { fileRoutes, limits, packageExtensions, requiredLine, text } from '@portal/contracts';
import { useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ConfirmChange } from '../../../components/effect/confirm-change.tsx';
import { useChange } from '../../../components/effect/use-change.ts';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import { type FileDetail, isUpdatePending } from '../../../components/files/file.ts';
import { FileIcon } from '../../../components/files/file-parts.tsx';
import { packageFile } from '../../../components/files/package-rules.ts';
import { initialPlan, planField, ways } from '../../../components/rollout/plan-values.ts';
import { RolloutField } from '../../../components/rollout/rollout-field.tsx';
import { StorageNotice } from '../../../components/storage-use.tsx';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { DateTimeField, TextareaField, TextField } from '../../../ui/form/fields.tsx';
import { FileField } from '../../../ui/form/file-field.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { type FileEditValues, fileListPath } from './file-flows.ts';
import { reservationFault } from './reservation-rules.ts';
import { useFilesChanged } from './use-files-changed.ts';
import { useMayChangeDelivery } from './use-may-distribute.ts';

export function editValuesOf(file: FileDetail): FileEditValues {
  return {
    name: file.name,
    note: file.note,
    file: undefined,
    versionNote: '',
    rollout: initialPlan('atOnce'),
    deliverReservationAt: file.deliverReservationAt ?? '',
    updateFile: undefined,
    updateNote: '',
    // Whoever changes the time alone says nothing of stages.
    updateRollout: initialPlan(isUpdatePending(file) ? 'keep' : 'atOnce'),
    updateReservationAt: isUpdatePending(file) ? (file.updateReservationAt ?? '') : '',
  };
}

function editSchema(file: FileDetail, updateKind: string) {
  return z
    .object({
      name: requiredLine(limits.nameMaxLength),
      note: text(limits.noteMaxLength),
      file: packageFile({ sameNameAs: file.fileName }),
      versionNote: text(limits.noteMaxLength),
      rollout: planField,
      deliverReservationAt: z.string(),
      updateFile: packageFile({ sameNameAs: file.fileName }),
      updateNote: text(limits.noteMaxLength),
      updateRollout: planField,
      updateReservationAt: z.string(),
    })
    .superRefine((values, context) => {
      const { updateFile, updateReservationAt } = values;
      const updatePending = isUpdatePending(file);
      if (updateReservationAt !== '' && !updatePending && !updateFile) {
        context.addIssue({
          code: 'custom',
          path: ['updateFile'],
          message: 'fileRequired',
          params: { kind: updateKind },
        });
      }
      const fault = reservationFaultOf(file, values);
      if (fault) context.addIssue({ code: 'custom', path: ['updateReservationAt'], message: fault });
    });
}

/** What is wrong with the reservations by now: a time that was ahead in the form may have passed since. */
export function reservationFaultOf(
  file: FileDetail,
  values: FileEditValues,
  before: FileEditValues = editValuesOf(file),
) {
  return reservationFault(
    { deliverAt: values.deliverReservationAt, updateAt: values.updateReservationAt },
    {
      before: { deliverAt: before.deliverReservationAt, updateAt: before.updateReservationAt },
      updatePending: isUpdatePending(file),
      withUpdateFile: values.updateFile !== undefined,
      now: new Date(),
    },
  );
}

export function FileEditForm({ file }: { file: FileDetail }) {
  const { t } = useTranslation(['files', 'rollout', 'ui']);
  const format = useFormat();
  const updateKind = t('kinds.update');
  const schema = useMemo(() => editSchema(file, updateKind), [file, updateKind]);
  const form = useFlowForm<FileEditValues>(schema, editValuesOf(file), {
    name: t('name'),
    note: t('note'),
    file: t('newVersion'),
    versionNote: t('versions.note'),
    rollout: t('rollout:how'),
    deliverReservationAt: t('deliverReservationAt'),
    updateFile: t('updateFile'),
    updateNote: t('versions.reservedNote'),
    updateRollout: t('rollout:how'),
    updateReservationAt: t('updateReservationAt'),
  });
  const [newFile, newUpdateFile, updateAt] = useWatch({
    control: form.form.control,
    name: ['file', 'updateFile', 'updateReservationAt'],
  });
  const isDelivered = file.groups.length > 0;
  const accept = packageExtensions.join(',');
  const time = format.dateTimeWithZone(file.updateReservationAt);
  const mayChangeDelivery = useMayChangeDelivery()(file);

  /** Without the reservation there are no stages to keep, and nothing that would replace it. */
  function forgetReservation(): void {
    const { setValue } = form.form;
    form.flow.settle({ updateReservationAt: '' });
    setValue('updateReservationAt', '');
    setValue('updateFile', undefined);
    setValue('updateNote', '');
    setValue('updateRollout', initialPlan('atOnce'));
  }

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
      <FormSection title={t('sections.about')}>
        <TextField {...form.field('name')} required help={t('nameHelp')} />
        <TextareaField {...form.field('note')} />
      </FormSection>
      <FormSection title={t('sections.file')}>
        <CurrentFile file={file} />
        {mayChangeDelivery && <StorageNotice />}
        {mayChangeDelivery && (
          <FileField
            {...form.field('file')}
            help={t('newVersionHelp', { name: file.fileName })}
            accept={accept}
          />
        )}
        {newFile && <TextareaField {...form.field('versionNote')} help={t('versions.noteHelp')} />}
        {newFile && isDelivered && <RolloutField {...form.field('rollout')} offered={['atOnce', 'stages']} />}
      </FormSection>
      {!mayChangeDelivery && <Notice tone="info">{t('deliveredByAdmins')}</Notice>}
      {mayChangeDelivery && (
        <>
          <FormSection title={t('sections.delivery')}>
            <DateTimeField {...form.field('deliverReservationAt')} help={t('deliverHelp')} />
          </FormSection>
          <FormSection title={t('sections.update')}>
            {isUpdatePending(file) ? (
              <ReservedUpdate file={file} onCancelled={forgetReservation} />
            ) : (
              file.updateReservationAt !== null && <Notice tone="info">{t('updateDone', { time })}</Notice>
            )}
            <DateTimeField {...form.field('updateReservationAt')} help={t('updateHelp')} />
            <FileField
              {...form.field('updateFile')}
              help={t('updateFileHelp', { name: file.fileName })}
              accept={accept}
            />
            {newUpdateFile && <TextareaField {...form.field('updateNote')} help={t('versions.noteHelp')} />}
            {updateAt !== '' && (newUpdateFile || isUpdatePending(file)) && (
              <RolloutField
                {...form.field('updateRollout')}
                offered={isUpdatePending(file) ? ways : ['atOnce', 'stages']}
              />
            )}
          </FormSection>
        </>
      )}
    </Form>
  );
}

function CurrentFile({ file }: { file: FileDetail }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  return (
    <div>
      <chakra.p fontWeight="semibold" mb="1.5">
        {t('currentFile')}
      </chakra.p>
      <Flex align="center" gap="3">
        <FileIcon file={file} />
        <div>
          <chakra.p overflowWrap="anywhere">{file.fileName}</chakra.p>
          <chakra.p fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
            {format.fileSize(file.fileSize)} · {t('version')} {format.number(file.version)}
          </chakra.p>
        </div>
      </Flex>
    </div>
  );
}

interface ReservedUpdateProps {
  file: FileDetail;
  onCancelled: () => void;
}

/** The update that waits for its time, and the way to take it back. */
function ReservedUpdate({ file, onCancelled }: ReservedUpdateProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const api = useApi();
  const filesChanged = useFilesChanged();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [asking, setAsking] = useState(false);
  const twoPeopleDecide = useTwoPeopleDecide();
  const time = format.dateTimeWithZone(file.updateReservationAt);

  const cancel = useChange({
    asked: asking ? { fileId: file.id, change: { what: 'cancel_reservation' } } : undefined,
    apply: (previewToken) =>
      api.call(fileRoutes.cancelUpdate, {
        params: { pid: partner.id, id: file.id },
        query: { previewToken },
      }),
    async onDone() {
      toast({ tone: 'success', message: t('reservationCancelled') });
      setAsking(false);
      onCancelled();
      await filesChanged();
    },
    onSent: () => setAsking(false),
    async onError(error) {
      showError(error);
      setAsking(false);
      await filesChanged();
    },
  });

  return (
    <Notice tone="info">
      <Flex justify="space-between" align="flex-start" gap="3" wrap="wrap">
        <chakra.div flex="1" minW="14rem">
          <p>{t('updateReservedNow', { time })}</p>
          <chakra.p fontSize="xs" color="fg.muted">
            {t('updateReplace')}
          </chakra.p>
        </chakra.div>
        <Button size="xs" variant="outline" colorPalette="danger" onClick={() => setAsking(true)}>
          {t('cancelReservation')}
        </Button>
      </Flex>
      <ConfirmChange
        open={asking}
        title={t('cancelReservationTitle')}
        confirmLabel={t('cancelReservation')}
        change={cancel}
        waits={twoPeopleDecide && file.groups.length > 0}
        onCancel={() => setAsking(false)}
      >
        {t('cancelReservationText', { name: file.name, time })}
      </ConfirmChange>
    </Notice>
  );
}
