import { Box, chakra } from '@chakra-ui/react';
import { signUpPurposes, signUpRoutes, socialRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { IdentityButtons } from '../../components/identity-buttons.tsx';
import { useApi } from '../../lib/api.ts';
import { emailIn } from '../../lib/identity-return.ts';
import { partnerLoginPath, rememberPartnerCode } from '../../lib/partner-code.ts';
import { useAction } from '../../lib/use-action.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ConfirmPage } from '../../ui/flow/confirm-page.tsx';
import { useFlow, useFlowForm } from '../../ui/flow/flow.tsx';
import { CheckboxField, PasswordField, RadioField, TextField } from '../../ui/form/fields.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { ExternalLink, Link } from '../../ui/link.tsx';
import { CompletePage } from '../../ui/page/complete-page.tsx';
import type { DescriptionItem } from '../../ui/page/description-list.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { forgetReturned, returnedFrom } from './returned.ts';
import { type SignUpKind, type SignUpValues, signUpFlows } from './sign-up-flows.ts';
import { type OpenSignUp, WhereOpen } from './sign-up-open.tsx';
import { signUpBody, signUpSchemas } from './sign-up-rules.ts';

const empty: SignUpValues = {
  companyName: '',
  tel: '',
  lastName: '',
  firstName: '',
  email: '',
  password: '',
  confirmation: '',
  purpose: '',
  partnerCode: '',
  agreedToTerms: false,
};

/** What the completion tells besides. */
const usableAtOnce = 'usableAtOnce';

function useKind(): SignUpKind {
  return useLocation().pathname.startsWith('/trial') ? 'trial' : 'free';
}

export function SignUpPage() {
  const { t } = useTranslation('signUp');
  const kind = useKind();
  const { search } = useLocation();
  const other = kind === 'trial' ? 'free' : 'trial';
  return (
    <>
      <PageHeader title={t(`${kind}.title`)} lead={t(`${kind}.lead`)} />
      <WhereOpen>
        {(settings) => (
          <>
            {/* Each has a draft of its own. */}
            {kind === 'free' && <FromProvider />}
            <SignUpForm key={kind} kind={kind} settings={settings} />
            <chakra.p mt="6">
              <Link to={signUpFlows[other].paths.form + search}>
                {t(other === 'trial' ? 'toTrial' : 'toFree')}
              </Link>
            </chakra.p>
            <chakra.p mt="3">
              <Link to={partnerLoginPath()}>{t('toLogin')}</Link>
            </chakra.p>
          </>
        )}
      </WhereOpen>
    </>
  );
}

/** The way to an identity provider, and what became of it. */
function FromProvider() {
  const { t } = useTranslation(['signUp', 'auth']);
  const returned = returnedFrom();
  if (returned && !('error' in returned)) {
    return (
      <Box mb="6">
        <Notice tone="info">{t('free.proved')}</Notice>
      </Box>
    );
  }
  return (
    <Box mb="6">
      {returned && <Notice tone="error">{t('auth:identityFailed')}</Notice>}
      <IdentityButtons page="/signup" text="signUpWithProvider" />
    </Box>
  );
}

function SignUpForm({ kind, settings }: { kind: SignUpKind; settings: OpenSignUp }) {
  const { t } = useTranslation(['signUp', 'auth']);
  const returned = kind === 'free' ? returnedFrom() : undefined;
  const email = returned && !('error' in returned) ? emailIn(returned.idToken) : '';
  const form = useFlowForm(
    signUpSchemas[kind],
    { ...empty, email },
    {
      companyName: t('companyName'),
      tel: t('tel'),
      lastName: t('lastName'),
      firstName: t('firstName'),
      email: t('email'),
      password: t('password'),
      confirmation: t('confirmation'),
      purpose: t('purpose'),
      partnerCode: t('partnerCode'),
      agreedToTerms: t('agreedToTerms'),
    },
  );
  const { termsUrl } = settings;
  return (
    <Form form={form} submitLabel={t('next')} onSubmit={form.flow.confirm}>
      <FormSection title={t('person')}>
        <TextField {...form.field('lastName')} required autoComplete="family-name" />
        <TextField {...form.field('firstName')} required autoComplete="given-name" />
        <TextField
          {...form.field('email')}
          required
          type="email"
          autoComplete="email"
          help={t('emailHelp')}
        />
        {kind === 'trial' && (
          <>
            <PasswordField
              {...form.field('password')}
              required
              autoComplete="new-password"
              help={t('auth:passwordHelp')}
            />
            <PasswordField {...form.field('confirmation')} required autoComplete="new-password" />
          </>
        )}
      </FormSection>
      <FormSection title={t('company')}>
        <TextField {...form.field('companyName')} required autoComplete="organization" />
        <TextField {...form.field('tel')} required type="tel" autoComplete="tel" help={t('telHelp')} />
        <RadioField
          {...form.field('purpose')}
          required
          options={signUpPurposes.map((value) => ({ value, label: t(`purposes.${value}`) }))}
        />
        <TextField {...form.field('partnerCode')} inputMode="numeric" help={t('partnerCodeHelp')} />
        <div>
          {termsUrl !== null && (
            <chakra.p mb="2">
              <ExternalLink href={termsUrl}>{t('terms')}</ExternalLink>
            </chakra.p>
          )}
          <CheckboxField {...form.field('agreedToTerms')} />
        </div>
      </FormSection>
    </Form>
  );
}

export function SignUpConfirmPage() {
  const { t } = useTranslation('signUp');
  const kind = useKind();
  return (
    <WhereOpen>
      {(settings) => <Confirm key={kind} kind={kind} settings={settings} title={t(`${kind}.confirm`)} />}
    </WhereOpen>
  );
}

interface ConfirmProps {
  kind: SignUpKind;
  settings: OpenSignUp;
  title: string;
}

function Confirm({ kind, settings: { signupKey: apiKey }, title }: ConfirmProps) {
  const { t } = useTranslation('signUp');
  const { search } = useLocation();
  const api = useApi();
  const flow = useFlow<SignUpValues>();
  const { values } = flow;
  const items = useItems(kind, values);
  const returned = kind === 'free' ? returnedFrom() : undefined;
  const proved = returned && !('error' in returned) ? returned : undefined;
  const submit = useAction({
    mutationFn: (given: SignUpValues) => {
      const body = signUpBody(given, new URLSearchParams(search));
      const options = { apiKey, idempotencyKey: flow.idempotencyKey };
      if (proved) {
        const { provider: identityProvider, ...tokens } = proved;
        return api.call(socialRoutes.signUpSocial, {
          body: { ...body, ...tokens, identityProvider },
          ...options,
        });
      }
      return kind === 'trial'
        ? api.call(signUpRoutes.signUpTrial, { body: { ...body, password: given.password }, ...options })
        : api.call(signUpRoutes.signUpFree, { body, ...options });
    },
    async onSuccess({ partnerCode }, { email }) {
      // Whoever follows the link of the mail here signs in to it next.
      rememberPartnerCode(partnerCode);
      await flow.finish(partnerCode, undefined, { notes: [email.trim(), ...(proved ? [usableAtOnce] : [])] });
      forgetReturned();
    },
    onError: flow.fail,
  });
  return (
    <ConfirmPage
      title={title}
      crumbs={[]}
      items={items}
      submitLabel={t('submit')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={() => void flow.back()}
    />
  );
}

function useItems(kind: SignUpKind, values: SignUpValues | undefined): readonly DescriptionItem[] {
  const { t } = useTranslation('signUp');
  if (!values) return [];
  const { companyName, email, firstName, lastName, partnerCode, purpose, tel } = values;
  return [
    { label: t('lastName'), value: lastName },
    { label: t('firstName'), value: firstName },
    { label: t('email'), value: email.trim() },
    ...(kind === 'trial' ? [{ label: t('password'), value: t('hidden') }] : []),
    { label: t('companyName'), value: companyName },
    { label: t('tel'), value: tel },
    { label: t('purpose'), value: purpose && t(`purposes.${purpose}`) },
    { label: t('partnerCode'), value: partnerCode || t('partnerCodeAuto') },
    { label: t('agreedToTerms'), value: t('agreed') },
  ];
}

export function SignUpCompletePage() {
  const { t } = useTranslation('signUp');
  const kind = useKind();
  const { notes, result } = useFlow<SignUpValues>();
  return (
    <CompletePage
      title={t(`${kind}.complete`)}
      message={notes.includes(usableAtOnce) ? t('free.usable') : t(`${kind}.mailed`, { email: notes[0] })}
      notes={[t('code', { code: result }), ...(notes.includes(usableAtOnce) ? [] : [t('notArrived')])]}
      next={
        <ButtonLink to={partnerLoginPath()} variant="outline">
          {t('toLogin')}
        </ButtonLink>
      }
    />
  );
}
