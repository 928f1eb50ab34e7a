import { groupRole, type groupRoles, limits, requiredLine, text, userRoleBits } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useRoleName } from '../../../components/groups/group.ts';
import { RecordForm } from '../../../components/record/record-form-pages.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { RadioField, TextareaField, TextField } from '../../../ui/form/fields.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { groupPaths } from './group-paths.ts';

export type GroupValues = { name: string; note: string; role: (typeof groupRoles)[number] };

const schema = z.object({
  name: requiredLine(limits.nameMaxLength),
  note: text(limits.noteMaxLength),
  role: groupRole,
});

function useGroupLabels() {
  const { t } = useTranslation('groups');
  return { name: t('name'), note: t('note'), role: t('role') };
}

/** The form of a new group and of one that is edited. */
export function GroupForm({ initial }: { initial: GroupValues }) {
  const { t } = useTranslation('groups');
  const roleName = useRoleName();
  const form = useFlowForm<GroupValues>(schema, initial, useGroupLabels());
  return (
    <RecordForm form={form} paths={groupPaths}>
      <TextField {...form.field('name')} required help={t('nameHelp')} />
      <TextareaField {...form.field('note')} />
      <RadioField
        {...form.field('role')}
        numeric
        required
        help={t('roleHelp')}
        options={[0, userRoleBits.admin].map((role) => ({ value: String(role), label: roleName(role) }))}
      />
    </RecordForm>
  );
}

/** What the confirmation shows; with `before`, changes are marked. */
export function useGroupItems(values: GroupValues, before?: GroupValues): DescriptionItem[] {
  const { t } = useTranslation('ui');
  const labels = useGroupLabels();
  const roleName = useRoleName();
  const textOrNone = (value: string) => (value === '' ? t('none') : value);
  return [
    changedItem(labels.name, values.name, before?.name, textOrNone),
    changedItem(labels.note, values.note, before?.note, textOrNone),
    changedItem(labels.role, values.role, before?.role, roleName),
  ];
}
