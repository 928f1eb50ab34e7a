import { useTranslation } from 'react-i18next';
import { failureOf } from '../../lib/contract-form.ts';
import { useAction } from '../../lib/use-action.ts';
import { useFlowForm } from '../../ui/flow/flow.tsx';
import { CheckboxField, PasswordField, TextField } from '../../ui/form/fields.tsx';
import { changedItem, type DescriptionItem } from '../../ui/page/description-list.tsx';
import { RecordForm } from '../record/record-form-pages.tsx';
import type { RecordPaths } from '../record/record-paths.ts';
import {
  adminSchema,
  adminWithoutEmailSchema,
  type CompanyAdmin,
  type CompanyAdminValues,
} from './admin-rules.ts';

function useAdminLabels() {
  const { t } = useTranslation('companyAdmins');
  return {
    name: t('name'),
    email: t('email'),
    password: t('password'),
    createUserFlag: t('createUserFlag'),
  };
}

export interface CompanyAdminFormProps {
  initial: CompanyAdminValues;
  record?: CompanyAdmin | undefined;
  paths: RecordPaths;
  /** Asks the server, before the confirmation, whether it would take a password. */
  isAccepted: (password: string) => Promise<boolean>;
}

/** The form of a new company admin, and of one who is edited. */
export function CompanyAdminForm({ initial, isAccepted, record: admin, paths }: CompanyAdminFormProps) {
  const { t } = useTranslation('companyAdmins');
  const hasEmail = admin?.email !== null;
  const form = useFlowForm<CompanyAdminValues>(
    hasEmail ? adminSchema : adminWithoutEmailSchema,
    initial,
    useAdminLabels(),
  );

  const toConfirm = useAction({
    mutationFn: ({ password }: CompanyAdminValues) => isAccepted(password),
    async onSuccess(accepted, values) {
      if (accepted) return form.flow.confirm(values);
      await form.reject('password', 'guessablePassword');
      form.form.setFocus('password');
    },
    onError: (error) => form.fail(failureOf(error)),
  });

  return (
    <RecordForm
      form={form}
      paths={paths}
      pending={toConfirm.isPending}
      onSubmit={(values) => toConfirm.mutate(values)}
    >
      <TextField {...form.field('name')} required />
      {hasEmail && <TextField {...form.field('email')} required type="email" inputMode="email" />}
      <PasswordField
        {...form.field('password')}
        autoComplete="new-password"
        help={admin ? t('passwordEditHelp') : t('passwordHelp')}
      />
      {!admin && <CheckboxField {...form.field('createUserFlag')} help={t('createUserFlagHelp')} />}
    </RecordForm>
  );
}

/** What the confirmation shows; with what was before, changes are marked. */
export function useAdminItems(
  values: CompanyAdminValues,
  before?: CompanyAdminValues,
  admin?: CompanyAdmin,
): DescriptionItem[] {
  const { t } = useTranslation('companyAdmins');
  const labels = useAdminLabels();
  const asIs = (value: string) => value;
  const password = (() => {
    if (admin) return values.password === '' ? t('passwordKept') : t('passwordChanged');
    return values.password === '' ? t('passwordByMail') : t('passwordHidden');
  })();
  return [
    changedItem(labels.name, values.name, before?.name, asIs),
    admin?.email === null
      ? { label: t('loginUserId'), value: admin.loginUserId }
      : changedItem(labels.email, values.email, before?.email, asIs),
    { label: labels.password, value: password, changed: admin !== undefined && values.password !== '' },
    ...(admin ? [] : [{ label: t('userColumn'), value: t(values.createUserFlag ? 'isUser' : 'isNoUser') }]),
  ];
}
