import { chakra } from '@chakra-ui/react';
import { identityRoutes, loginUserId, presentedPassword, requiredText } from '@portal/contracts';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { SignInSteps } from '../../../components/sign-in-steps.tsx';
import { useBegin } from '../../../components/use-begin.ts';
import { useChallenge } from '../../../components/use-challenge.ts';
import { useToldLogin } from '../../../components/use-told-login.ts';
import { useApi } from '../../../lib/api.ts';
import { failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { loadTexts } from '../../../lib/i18n.ts';
import { partnerCodeOf, resetMailPath } from '../../../lib/partner-code.ts';
import { useAction } from '../../../lib/use-action.ts';
import { PasswordField, TextField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { Link } from '../../../ui/link.tsx';

/** Of few installations, and not needed before the form is there. */
const IdentitySignIn = lazy(async () => ({
  default: (await import('../../../components/identity-sign-in.tsx')).IdentitySignIn,
}));

/** Of companies that have it. */
const SsoSignIn = lazy(async () => {
  const [{ SsoSignIn }] = await Promise.all([
    import('../../../components/sso-sign-in.tsx'),
    loadTexts(['ssoSignIn']),
  ]);
  return { default: SsoSignIn };
});

const isEmail = (identifier: string) => identifier.includes('@');

const schema = z.object({
  partnerCode: requiredText(64),
  identifier: requiredText(254).refine(
    (value) => value.trim() === '' || isEmail(value) || loginUserId.safeParse(value).success,
    { error: 'invaliduserid' },
  ),
  password: presentedPassword,
});
type Login = z.input<typeof schema>;

export function PartnerLoginPage() {
  const { t } = useTranslation('auth');
  const { search } = useLocation();
  const api = useApi();
  const begin = useBegin();
  const form = useContractForm<Login>(
    schema,
    { partnerCode: partnerCodeOf(search), identifier: '', password: '' },
    { partnerCode: t('partnerCode'), identifier: t('identifier'), password: t('password') },
  );
  const challenge = useChallenge(form.form, 'password');

  const login = useAction({
    mutationFn: ({ partnerCode, identifier, password }: Login) =>
      api.call(identityRoutes.partnerLogin, {
        body: {
          partnerCode,
          password,
          ...(isEmail(identifier) ? { email: identifier } : { loginUserId: identifier }),
        },
      }),
    onSuccess: begin.partner,
    onError: (error) =>
      challenge.take(error) ||
      form.fail(failureOf(error), { email: 'identifier', loginUserId: 'identifier' }),
  });

  return (
    <SignInSteps
      kind="partner"
      title={t('partnerLogin')}
      lead={t('partnerLead')}
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
          <TextField {...form.field('partnerCode')} required autoComplete="organization" />
          <TextField {...form.field('identifier')} required autoComplete="username" />
          <PasswordField {...form.field('password')} required autoComplete="current-password" />
        </FormSection>
      </Form>
      <Suspense fallback={null}>
        <SsoSignIn
          begin={begin}
          challenge={challenge}
          partnerCode={form.form.watch('partnerCode')}
          isRefused={form.failure?.code === 'E40301'}
        />
      </Suspense>
      <Suspense fallback={null}>
        <IdentitySignIn begin={begin} />
      </Suspense>
      <chakra.p mt="6">
        <Link to={resetMailPath('partner', search)}>{t('forgottenLink')}</Link>
      </chakra.p>
      <chakra.p mt="3">
        <Link to="/trial">{t('toTrial')}</Link>
      </chakra.p>
      <chakra.p mt="3">
        <Link to="/signup">{t('toFree')}</Link>
      </chakra.p>
      <chakra.p mt="3">
        <Link to="/admin/login">{t('toAdminLogin')}</Link>
      </chakra.p>
    </SignInSteps>
  );
}
