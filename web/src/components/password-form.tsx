import { isValidPassword, newPassword, presentedPassword } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { failureOf, useContractForm } from '../lib/contract-form.ts';
import { done, useIsDone } from '../lib/done.ts';
import { useAction } from '../lib/use-action.ts';
import { ButtonLink } from '../ui/button.tsx';
import { useAnnouncer } from '../ui/feedback/announcer.tsx';
import { PasswordField } from '../ui/form/fields.tsx';
import { Form, FormSection } from '../ui/form/form.tsx';
import { CompletePage } from '../ui/page/complete-page.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';

const schema = z
  .object({ currentPassword: presentedPassword, password: newPassword, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    error: 'passwordUnmatch',
  });

const empty = { currentPassword: '', password: '', confirmation: '' };

export interface PasswordChange {
  currentPassword: string;
  password: string;
}

interface PasswordFormProps {
  home: string;
  complete: string;
  change: (body: PasswordChange) => Promise<unknown>;
  /** Asks the server whether it would take the new password. */
  validate?: (password: string) => Promise<boolean>;
}

/** The password change of administrators and of the people of a tenant. */
export function PasswordForm({ home, complete, change, validate }: PasswordFormProps) {
  const { t } = useTranslation(['auth', 'ui']);
  const navigate = useNavigate();
  const { announce } = useAnnouncer();
  const form = useContractForm(schema, empty, {
    currentPassword: t('currentPassword'),
    password: t('newPassword'),
    confirmation: t('confirmPassword'),
  });

  const isAccepted = async (password: string) => !validate || (await validate(password));

  const submit = useAction({
    mutationFn: async ({ currentPassword, password }: z.input<typeof schema>) => {
      if (!(await isAccepted(password))) return 'refused' as const;
      await change({ currentPassword, password });
      return 'changed' as const;
    },
    async onSuccess(outcome) {
      if (outcome === 'refused') {
        await form.reject('password', 'guessablePassword');
        return;
      }
      form.form.reset();
      announce(t('changed'));
      void navigate(complete, { replace: true, state: done });
    },
    onError: (error) => form.fail(failureOf(error)),
  });

  const check = useAction({
    mutationFn: isAccepted,
    onSuccess: async (accepted, password) => {
      if (!accepted)
        await form.reject('password', isValidPassword(password) ? 'guessablePassword' : 'password8char');
    },
  });

  return (
    <>
      <PageHeader
        title={t('changePassword')}
        crumbs={[{ label: t('menuTitle'), to: home }, { label: t('changePassword') }]}
      />
      <Form
        form={form}
        submitLabel={t('change')}
        pending={submit.isPending}
        onSubmit={(values) => submit.mutate(values)}
        cancel={
          <ButtonLink to={home} size="md" variant="outline" colorPalette="gray">
            {t('ui:cancel')}
          </ButtonLink>
        }
      >
        <FormSection>
          <PasswordField {...form.field('currentPassword')} required autoComplete="current-password" />
          <PasswordField
            {...form.field('password')}
            required
            autoComplete="new-password"
            help={t('passwordHelp')}
            onBlur={() => {
              const password = form.form.getValues('password');
              if (validate && password !== '') check.mutate(password);
            }}
          />
          <PasswordField {...form.field('confirmation')} required autoComplete="new-password" />
        </FormSection>
      </Form>
    </>
  );
}

/** Who has changed nothing is led to `form`. */
export function PasswordComplete({ home, form }: { home: string; form: string }) {
  const { t } = useTranslation('auth');
  if (!useIsDone()) return <Navigate to={form} replace />;
  return (
    <CompletePage
      title={t('changePassword')}
      crumbs={[{ label: t('menuTitle'), to: home }, { label: t('changePassword') }]}
      message={t('changed')}
      next={<ButtonLink to={home}>{t('toMenu')}</ButtonLink>}
    />
  );
}
