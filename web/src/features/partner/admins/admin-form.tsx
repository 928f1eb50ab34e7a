import { useTranslation } from 'react-i18next';
import { failureOf } from '../../../lib/contract-form.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { CheckboxField, PasswordField, TextField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { usePasswordCheck } from '../use-password-check.ts';
import { adminListPath, type CompanyAdmin, type CompanyAdminValues } from './admin-flows.ts';
import { adminSchema, adminValuesOf, adminWithoutEmailSchema, emptyAdmin } from './admin-rules.ts';

function useAdminLabels() {
  const { t } = useTranslation('companyAdmins');
  return {
    name: t('name'),
    email: t('email'),
    password: t('password'),
    createUserFlag: t('createUserFlag'),
  };
}

/** The form of a new company admin, and of `admin` who is edited. */
export function CompanyAdminForm({ admin }: { admin?: CompanyAdmin }) {
  const { t } = useTranslation(['companyAdmins', 'ui']);
  const isAccepted = usePasswordCheck();
  const hasEmail = admin?.email !== null;
  const form = useFlowForm<CompanyAdminValues>(
    hasEmail ? adminSchema : adminWithoutEmailSchema,
    admin ? adminValuesOf(admin) : emptyAdmin,
    useAdminLabels(),
  );

  const toConfirm = useAction({
    mutationFn: ({ password }: CompanyAdminValues) => isAccepted(password),
    onSuccess(accepted, values) {
      if (accepted) return form.flow.confirm(values);
      form.reject('password', 'guessablePassword');
      form.form.setFocus('password');
    },
    onError: (error) => form.fail(failureOf(error)),
  });

  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      pending={toConfirm.isPending}
      onSubmit={(values) => toConfirm.mutate(values)}
      cancel={
        <ButtonLink to={adminListPath} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection>
        <TextField {...form.field('name')} required />
        {hasEmail && <TextField {...form.field('email')} required type="email" inputMode="email" />}
        <PasswordField
          {...form.field('password')}
          autoComplete="new-password"
          help={admin ? t('passwordEditHelp') : t('passwordHelp')}
        />
        {!admin && <CheckboxField {...form.field('createUserFlag')} help={t('createUserFlagHelp')} />}
      </FormSection>
    </Form>
  );
}

/** What the confirmation shows; with the admin before, changes are marked. */
export function useAdminItems(
  values: CompanyAdminValues | undefined,
  admin?: CompanyAdmin,
): DescriptionItem[] {
  const { t } = useTranslation(['companyAdmins', 'ui']);
  const labels = useAdminLabels();
  if (!values) return [];
  const before = admin && adminValuesOf(admin);
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
