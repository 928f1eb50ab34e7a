import { hasAnyRole, limits, requiredLine, text, userRoleBits } from '@portal/contracts';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { packageFault } from '../../../components/files/package-rules.ts';
import type { PickableGroup } from '../../../components/groups/group-picker.tsx';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { StorageNotice } from '../../../components/storage-use.tsx';
import { useUploads } from '../../../components/upload/uploads.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { ErrorText, fieldId } from '../../../ui/form/field.tsx';
import { DateTimeField, TextareaField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { AudienceChoice } from './assign/audience-choice.tsx';
import { NoticeChoice } from './assign/notice-choice.tsx';
import { withFiles } from './chosen-files.ts';
import { audienceKinds, type FileCreateValues, fileListPath } from './file-flows.ts';
import { FilesField } from './files-field.tsx';
import { useAudienceKinds } from './use-may-distribute.ts';

/** So many are registered at once; a tenant can have a few times as many open uploads. */
export const mostAtOnce = 20;

const empty: FileCreateValues = {
  files: [],
  names: [''],
  note: '',
  to: 'nobody',
  groupIds: [],
  notifyEmail: false,
  notifyPush: false,
  deliverReservationAt: '',
};

/** A group that has gone meanwhile can't be seen, so it can't be meant. Until the groups are known, each is taken for one. */
const presentOf = (ids: readonly number[], groups: readonly PickableGroup[] | undefined): number[] =>
  ids.filter((id) => !groups || groups.some((group) => group.id === id));

const createSchema = (kind: string, groups: readonly PickableGroup[] | undefined) =>
  z
    .object({
      files: z.array(z.instanceof(File)).superRefine((files, context) => {
        const refuse = (message: string, path: number[] = [], params = {}) =>
          context.addIssue({ code: 'custom', message, path, params });
        if (files.length === 0) refuse('fileRequired', [], { kind });
        if (files.length > mostAtOnce) refuse('tooManyFiles', [], { max: mostAtOnce });
        for (const [index, file] of files.entries()) {
          const fault = packageFault(file);
          if (fault) refuse(fault, [index]);
        }
      }),
      names: z.array(requiredLine(limits.nameMaxLength)),
      note: text(limits.noteMaxLength),
      to: z.enum(audienceKinds),
      groupIds: z.array(z.number()),
      notifyEmail: z.boolean(),
      notifyPush: z.boolean(),
      deliverReservationAt: z.string(),
    })
    .superRefine(({ groupIds, to }, context) => {
      if (to === 'groups' && presentOf(groupIds, groups).length === 0)
        context.addIssue({ code: 'custom', message: 'groupRequired', path: ['groupIds'] });
    });

export function FileCreateForm() {
  const { t } = useTranslation(['files', 'ui']);
  const uploads = useUploads();
  const { user } = usePartnerSession();
  const mayDistribute = hasAnyRole(user.role, userRoleBits.admin);
  const kind = t('kinds.package');
  const groups = usePickableGroups();
  // Each render makes the groups anew: they are others where their ids are.
  const known = groups.data?.map(({ id }) => id).join();
  const schema = useMemo(() => createSchema(kind, groups.data), [kind, known]);
  const flowForm = useFlowForm<FileCreateValues>(schema, empty, {
    files: t('file'),
    names: t('name'),
    note: t('note'),
    to: t('assignPage.to'),
    groupIds: t('assignPage.groups'),
    notifyEmail: t('assignPage.notifyEmail'),
    notifyPush: t('assignPage.notifyPush'),
    deliverReservationAt: t('deliverReservationAt'),
  });
  const { form } = flowForm;
  const files = form.watch('files');
  // The summary of what is wrong names each file.
  const ofFiles = files.flatMap(({ name }, index) => [
    [`files.${index}`, name] as const,
    [`names.${index}`, files.length > 1 ? t('nameOf', { name }) : t('name')] as const,
  ]);
  const labels = { ...flowForm.labels, 'names.0': t('name'), ...Object.fromEntries(ofFiles) };

  // Once, when the form opens: what was dropped on the list. The code of the upload comes meanwhile.
  useEffect(() => {
    const dropped = uploads.take();
    if (dropped.length > 0) {
      const chosen = withFiles(form.getValues(), dropped);
      form.setValue('names', chosen.names, { shouldDirty: true });
      form.setValue('files', chosen.files, { shouldDirty: true });
    }
    void uploads.open().catch(() => undefined);
  }, []);

  return (
    <Form
      form={{ ...flowForm, labels }}
      submitLabel={t('ui:toConfirm')}
      onSubmit={(values) =>
        flowForm.flow.confirm({ ...values, groupIds: presentOf(values.groupIds, groups.data) })
      }
      cancel={
        <ButtonLink to={fileListPath} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection title={t('sections.file')}>
        <StorageNotice />
        <FilesField />
        <TextareaField {...flowForm.field('note')} />
      </FormSection>
      {mayDistribute && (
        <FormSection title={t('audience.title')}>
          <AudienceField form={form} groups={groups} />
        </FormSection>
      )}
      <FormSection title={t('sections.delivery')}>
        <DateTimeField {...flowForm.field('deliverReservationAt')} help={t('deliverHelp')} />
      </FormSection>
    </Form>
  );
}

type Watched = 'to' | 'groupIds' | 'notifyEmail' | 'notifyPush';

interface AudienceFieldProps {
  form: ReturnType<typeof useFlowForm<FileCreateValues>>['form'];
  groups: ReturnType<typeof usePickableGroups>;
}

function AudienceField({ form, groups }: AudienceFieldProps) {
  const { t } = useTranslation('files');
  const kinds = useAudienceKinds(audienceKinds);
  const [to, chosen, notifyEmail, notifyPush] = form.watch(['to', 'groupIds', 'notifyEmail', 'notifyPush']);
  const set = <K extends Watched>(name: K, value: FileCreateValues[K]) => {
    form.setValue<Watched>(name, value, { shouldDirty: true });
    if (form.formState.isSubmitted) void form.trigger('groupIds');
  };
  if (groups.error && !groups.data) {
    return <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />;
  }
  return (
    <>
      <AudienceChoice
        kinds={kinds}
        to={to}
        onTo={(kind) => set('to', kind)}
        groups={groups.data}
        chosen={presentOf(chosen, groups.data)}
        onChosen={(ids) => set('groupIds', [...ids])}
        pickerId={fieldId('groupIds')}
      />
      <ErrorText id={`${fieldId('groupIds')}-error`}>
        {form.getFieldState('groupIds', form.formState).error?.message}
      </ErrorText>
      {to !== 'nobody' && (
        <NoticeChoice
          notices={{ notifyEmail, notifyPush }}
          help={t('assignPage.notifyHelp')}
          onChange={(change) => {
            if (change.notifyEmail !== undefined) set('notifyEmail', change.notifyEmail);
            if (change.notifyPush !== undefined) set('notifyPush', change.notifyPush);
          }}
        />
      )}
    </>
  );
}
