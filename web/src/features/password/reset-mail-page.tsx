import { chakra } from '@chakra-ui/react';
import { identityRoutes } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { z } from 'zod';
import { useToldLogin } from '../../components/use-told-login.ts';
import { useApi } from '../../lib/api.ts';
import { bodyOf, failureOf, useContractForm } from '../../lib/contract-form.ts';
import { done } from '../../lib/done.ts';
import { partnerCodeOf } from '../../lib/partner-code.ts';
import { useAction } from '../../lib/use-action.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { useArea } from './area.ts';

const adminBody = bodyOf(identityRoutes.sendAdminResetMail);
const accountBody = bodyOf(identityRoutes.sendPartnerResetMail);

/** A forgotten password: asks for the mail with the link. */
export function ResetMailPage() {
  const { name } = useArea();
  return name === 'admin' ? <AdminResetMail /> : <AccountResetMail />;
}

function AdminResetMail() {
  const { t } = useTranslation(['password', 'auth']);
  const api = useApi();
  const form = useContractForm<z.input<typeof adminBody>>(
    adminBody,
    { email: '' },
    { email: t('auth:email') },
  );
  const send = useSending(
    (body: z.input<typeof adminBody>) => api.call(identityRoutes.sendAdminResetMail, { body }),
    (error) => form.fail(failureOf(error)),
  );
  return (
    <Page>
      <Form
        form={form}
        submitLabel={t('send')}
        pending={send.isPending}
        onSubmit={(body) => send.mutate(body)}
      >
        <FormSection>
          <TextField {...form.field('email')} required type="email" autoComplete="email" />
        </FormSection>
      </Form>
    </Page>
  );
}

function AccountResetMail() {
  const { t } = useTranslation(['password', 'auth']);
  const { search } = useLocation();
  const { name } = useArea();
  const api = useApi();
  const route = name === 'user' ? identityRoutes.sendUserResetMail : identityRoutes.sendPartnerResetMail;
  const form = useContractForm<z.input<typeof accountBody>>(
    accountBody,
    { partnerCode: partnerCodeOf(search), email: '' },
    { partnerCode: t('auth:partnerCode'), email: t('auth:email') },
  );
  const send = useSending(
    (body: z.input<typeof accountBody>) => api.call(route, { body }),
    (error) => form.fail(failureOf(error)),
  );
  return (
    <Page>
      <Form
        form={useToldLogin(form)}
        submitLabel={t('send')}
        pending={send.isPending}
        onSubmit={(body) => send.mutate(body)}
      >
        <FormSection>
          <TextField {...form.field('partnerCode')} required autoComplete="organization" />
          <TextField
            {...form.field('email')}
            required
            type="email"
            autoComplete="email"
            help={t('noAddress')}
          />
        </FormSection>
      </Form>
    </Page>
  );
}

function useSending<B>(send: (body: B) => Promise<unknown>, onError: (error: Error) => void) {
  const navigate = useNavigate();
  const { base } = useArea();
  return useAction({
    mutationFn: send,
    onSuccess: () => navigate(`${base}/reset-mail-complete`, { replace: true, state: done }),
    onError,
  });
}

function Page({ children }: { children: ReactNode }) {
  const { t } = useTranslation('password');
  const { login } = useArea();
  return (
    <>
      <PageHeader title={t('forgotten')} lead={t('forgottenLead')} />
      {children}
      {login !== undefined && (
        <chakra.p mt="6">
          <Link to={login}>{t('toLogin')}</Link>
        </chakra.p>
      )}
    </>
  );
}
