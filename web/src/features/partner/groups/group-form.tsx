import { groupRole, limits, requiredText, text, userRoleBits } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ButtonLink } from '../../../ui/button.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { RadioField, TextareaField, TextField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { type GroupValues, groupListPath } from './group-flows.ts';

const schema = z.object({
  name: requiredText(limits.nameMaxLength),
  note: text(limits.noteMaxLength),
  role: groupRole,
});

function useGroupLabels() {
  const { t } = useTranslation('groups');
  return { name: t('name'), note: t('note'), role: t('role') };
}

export function useRoleName(): (role: number) => string {
  const { t } = useTranslation('groups');
  return (role) => (role === userRoleBits.admin ? t('roles.admin') : t('roles.user'));
}

/** The form of a new group and of one that is edited. */
export function GroupForm({ initial }: { initial: GroupValues }) {
  const { t } = useTranslation(['groups', 'ui']);
  const roleName = useRoleName();
  const form = useFlowForm<GroupValues>(schema, initial, useGroupLabels());
  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      onSubmit={form.flow.confirm}
      cancel={
        <ButtonLink to={groupListPath} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection>
        <TextField {...form.field('name')} required help={t('nameHelp')} />
        <TextareaField {...form.field('note')} />
        <RadioField
          {...form.field('role')}
          numeric
          required
          help={t('roleHelp')}
          options={[0, userRoleBits.admin].map((role) => ({ value: String(role), label: roleName(role) }))}
        />
      </FormSection>
    </Form>
  );
}

/** What the confirmation shows; with `before`, changes are marked. */
export function useGroupItems(values: GroupValues | undefined, before?: GroupValues): DescriptionItem[] {
  const { t } = useTranslation('ui');
  const labels = useGroupLabels();
  const roleName = useRoleName();
  if (!values) return [];
  const textOrNone = (value: string) => (value === '' ? t('none') : value);
  return [
    changedItem(labels.name, values.name, before?.name, textOrNone),
    changedItem(labels.note, values.note, before?.note, textOrNone),
    changedItem(labels.role, values.role, before?.role, roleName),
  ];
}
