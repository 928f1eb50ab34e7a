import { chakra } from '@chakra-ui/react';
import { identityRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SignInSteps } from '../../../components/sign-in-steps.tsx';
import { useBegin } from '../../../components/use-begin.ts';
import { useChallenge } from '../../../components/use-challenge.ts';
import { useToldLogin } from '../../../components/use-told-login.ts';
import { useApi } from '../../../lib/api.ts';
import { bodyOf, failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { partnerLoginPath, resetMailPath } from '../../../lib/partner-code.ts';
import { useAction } from '../../../lib/use-action.ts';
import { PasswordField, TextField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { Link } from '../../../ui/link.tsx';

const schema = bodyOf(identityRoutes.adminLogin);
type Login = z.input<typeof schema>;

export function AdminLoginPage() {
  const { t } = useTranslation('auth');
  const api = useApi();
  const begin = useBegin();
  const form = useContractForm<Login>(
    schema,
    { email: '', password: '' },
    { email: t('email'), password: t('password') },
  );
  const challenge = useChallenge(form.form, 'password');

  const login = useAction({
    mutationFn: (body: Login) => api.call(identityRoutes.adminLogin, { body }),
    onSuccess: begin.admin,
    onError: (error) => challenge.take(error) || form.fail(failureOf(error)),
  });

  return (
    <SignInSteps
      kind="admin"
      title={t('adminLogin')}
      lead={t('adminLead')}
      challenge={challenge}
      begin={begin}
    >
      <Form
        form={useToldLogin(form)}
        submitLabel={t('login')}
        pending={login.isPending}
        onSubmit={(values) => login.mutate(values)}
      >
        <FormSection>
          <TextField {...form.field('email')} required type="email" autoComplete="username" />
          <PasswordField {...form.field('password')} required autoComplete="current-password" />
        </FormSection>
      </Form>
      <chakra.p mt="6">
        <Link to={resetMailPath('admin')}>{t('forgottenLink')}</Link>
      </chakra.p>
      <chakra.p mt="3">
        <Link to={partnerLoginPath()}>{t('toPartnerLogin')}</Link>
      </chakra.p>
    </SignInSteps>
  );
}
