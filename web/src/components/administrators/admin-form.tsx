import { chakra, Flex } from '@chakra-ui/react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useAdminSession } from '../../lib/session/use-session.ts';
import { useFlowForm } from '../../ui/flow/flow.tsx';
import { type FieldProps, Fieldset, fieldId } from '../../ui/form/field.tsx';
import { FixedField, PasswordField, TextField } from '../../ui/form/fields.tsx';
import { changedItem, type DescriptionItem } from '../../ui/page/description-list.tsx';
import { RecordForm } from '../record/record-form-pages.tsx';
import type { RecordPaths } from '../record/record-paths.ts';
import {
  type Administrator,
  type AdminRole,
  type AdminValues,
  editedAdminSchema,
  newAdminSchema,
} from './admin-rules.ts';
import { roleNameOf, rolesToGive } from './role.ts';
import { useIsSelf } from './use-is-self.ts';

type Of = 'platform' | 'unit';

function useLabels() {
  const { t } = useTranslation('administrators');
  return { name: t('name'), email: t('email'), password: t('password'), role: t('role') };
}

interface AdministratorFormProps {
  initial: AdminValues;
  record?: Administrator | undefined;
  paths: RecordPaths;
  of: Of;
}

/** The form of a new administrator, and of one who is edited. */
export function AdministratorForm({ initial, record: admin, paths, of }: AdministratorFormProps) {
  const { t } = useTranslation('administrators');
  const isSelf = useIsSelf();
  const labels = useLabels();
  const form = useFlowForm<AdminValues>(admin ? editedAdminSchema : newAdminSchema, initial, labels);
  const isOwn = admin !== undefined && isSelf(admin);
  return (
    <RecordForm form={form} paths={paths}>
      <TextField {...form.field('name')} required />
      {admin ? (
        <FixedField label={labels.email} value={admin.email} help={t('emailFixed')} />
      ) : (
        <TextField {...form.field('email')} required type="email" inputMode="email" help={t('emailHelp')} />
      )}
      <PasswordField
        {...form.field('password')}
        required={!admin}
        autoComplete="new-password"
        help={t(isOwn ? 'ownPasswordHelp' : admin ? 'passwordEditHelp' : 'passwordHelp')}
      />
      {isOwn ? (
        <FixedField label={labels.role} value={t(`roles.${roleNameOf(admin.role)}`)} help={t('ownRole')} />
      ) : (
        <RoleField {...form.field('role')} of={of} />
      )}
    </RecordForm>
  );
}

/** The roles that the giver may give, each with what it lets somebody do. */
function RoleField({ of, ...question }: FieldProps & { of: Of }) {
  const { t } = useTranslation('administrators');
  const { control } = useFormContext();
  const { role: giver } = useAdminSession();
  const means = (role: AdminRole) => {
    const name = roleNameOf(role);
    return t(of === 'platform' && name === 'unitadmin' ? 'means.unitadminOfPlatform' : `means.${name}`);
  };
  return (
    <Fieldset {...question} required help={t('roleHelp')}>
      <Controller
        control={control}
        name={question.name}
        render={({ field }) => (
          <Flex direction="column" gap="2">
            {rolesToGive(giver, of).map((role, index) => (
              <chakra.label key={role} display="flex" gap="2" cursor="pointer">
                <chakra.input
                  type="radio"
                  boxSize="4"
                  mt="0.5"
                  flexShrink="0"
                  accentColor="accent.solid"
                  id={index === 0 ? fieldId(question.name) : undefined}
                  name={question.name}
                  value={role}
                  checked={field.value === role}
                  onChange={() => field.onChange(role)}
                  onBlur={field.onBlur}
                />
                <span>
                  {t(`roles.${roleNameOf(role)}`)}
                  <chakra.span display="block" fontSize="xs" color="fg.muted">
                    {means(role)}
                  </chakra.span>
                </span>
              </chakra.label>
            ))}
          </Flex>
        )}
      />
    </Fieldset>
  );
}

/** What the confirmation shows; with what was before, changes are marked. */
export function useAdministratorItems(values: AdminValues, before?: AdminValues): DescriptionItem[] {
  const { t } = useTranslation('administrators');
  const labels = useLabels();
  const asIs = (value: string) => value;
  const password = () => {
    if (!before) return t('passwordHidden');
    return t(values.password === '' ? 'passwordKept' : 'passwordChanged');
  };
  return [
    changedItem(labels.name, values.name, before?.name, asIs),
    { label: labels.email, value: values.email },
    { label: labels.password, value: password(), changed: before !== undefined && values.password !== '' },
    changedItem(labels.role, values.role, before?.role, (role) => t(`roles.${roleNameOf(role)}`)),
  ];
}
