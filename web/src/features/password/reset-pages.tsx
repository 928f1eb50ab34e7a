import { ApiError } from '@portal/api-client';
import { identityRoutes, newPassword, type RouteReply } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { useApi, useApiQuery } from '../../lib/api.ts';
import { failureOf, useContractForm } from '../../lib/contract-form.ts';
import { done } from '../../lib/done.ts';
import { useAction } from '../../lib/use-action.ts';
import { ErrorState, PageSpinner } from '../../ui/feedback/states.tsx';
import { PasswordField } from '../../ui/form/fields.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { type Area, useArea } from './area.ts';
import { useResetToken } from './use-reset-token.ts';

const schema = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    error: 'passwordUnmatch',
  });

/** Another password, by the link of a mail. */
export function ResetPage() {
  const { t } = useTranslation('password');
  const { base, reset } = useArea();
  const over = `${base}/reset-session-expired`;
  return (
    <ByLink reset={reset} title={t('reset')} lead={t('resetLead')} base={base} expired={over} over={over} />
  );
}

/** The first password, by the link of a mail. */
export function InitPage() {
  const { t } = useTranslation('password');
  const { base, name } = useArea();
  const over = `${base}/init-notcompleted`;
  return (
    <ByLink
      reset={identityRoutes.initUserPassword}
      title={t('init')}
      lead={t('initLead')}
      base={base}
      // Who has signed up gets no other mail.
      expired={name === 'partner' ? over : `${base}/reset-session-expired`}
      over={over}
    />
  );
}

interface ByLinkProps extends Pick<Area, 'base' | 'reset'> {
  title: string;
  lead: string;
  /** Where a link leads that is over. */
  expired: string;
  /** Where the flow leads if the link expires while the form is filled in. */
  over: string;
}

function ByLink({ title, lead, base, expired, over, reset }: ByLinkProps) {
  const token = useResetToken();
  const toExpired = <Navigate to={expired} replace />;
  if (token === undefined) return toExpired;
  return (
    <Checked token={token} title={title} expired={toExpired}>
      {(signInPlaces) => (
        <>
          <PageHeader title={title} lead={lead} />
          <ChoosePassword
            token={token}
            reset={reset}
            complete={`${base}/reset-complete`}
            over={over}
            signInPlaces={signInPlaces}
          />
        </>
      )}
    </Checked>
  );
}

/** Where the owner of the link signs in, and with what code; neither for an administrator, for whom the area says it. */
type SignInPlaces = Pick<
  RouteReply<typeof identityRoutes.checkPasswordLink>,
  'partnerCode' | 'player' | 'portal'
>;

interface CheckedProps {
  token: string;
  title: string;
  expired: ReactNode;
  children: (signInPlaces: SignInPlaces) => ReactNode;
}

/** Shows `children` once the server has found the link good. */
function Checked({ token, title, expired, children }: CheckedProps) {
  const { data, error, refetch } = useApiQuery(identityRoutes.checkPasswordLink, {
    query: { resetToken: token },
  });
  if (data) return data.status ? children(data) : expired;
  return (
    <>
      <PageHeader title={title} />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageSpinner />}
    </>
  );
}

interface ChoosePasswordProps extends Pick<Area, 'reset'> {
  token: string;
  complete: string;
  over: string;
  signInPlaces: SignInPlaces;
}

function ChoosePassword({ token, reset, complete, over, signInPlaces }: ChoosePasswordProps) {
  const { t } = useTranslation(['password', 'auth']);
  const api = useApi();
  const navigate = useNavigate();
  const form = useContractForm(
    schema,
    { password: '', confirmation: '' },
    { password: t('auth:newPassword'), confirmation: t('auth:confirmPassword') },
  );
  const set = useAction({
    mutationFn: (password: string) => api.call(reset, { body: { resetToken: token, password } }),
    onSuccess: () => navigate(complete, { replace: true, state: { ...done, ...signInPlaces } }),
    onError(error) {
      if (error instanceof ApiError && error.code === 'E40004') void navigate(over, { replace: true });
      else form.fail(failureOf(error));
    },
  });
  return (
    <Form
      form={form}
      submitLabel={t('set')}
      pending={set.isPending}
      onSubmit={({ password }) => set.mutate(password)}
    >
      <FormSection>
        <PasswordField
          {...form.field('password')}
          required
          autoComplete="new-password"
          help={t('auth:passwordHelp')}
        />
        <PasswordField {...form.field('confirmation')} required autoComplete="new-password" />
      </FormSection>
    </Form>
  );
}
