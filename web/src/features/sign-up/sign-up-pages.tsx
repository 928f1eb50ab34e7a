import { Box, chakra } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { signUpPurposes, signUpRoutes, socialRoutes } from '@portal/contracts';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { IdentityButtons } from '../../components/identity-buttons.tsx';
import { asApiError, useApi } from '../../lib/api.ts';
import { emailIn, type IdentityReturn } from '../../lib/identity-return.ts';
import { partnerLoginPath, rememberPartnerCode } from '../../lib/partner-code.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
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
  const [returned, setReturned] = useState(returnedFrom);
  const other = kind === 'trial' ? 'free' : 'trial';
  const fromProvider = kind === 'free' ? returned : undefined;
  return (
    <>
      <PageHeader title={t(`${kind}.title`)} lead={t(`${kind}.lead`)} />
      <WhereOpen>
        {(settings) => (
          <>
            {kind === 'free' && (
              <FromProvider
                returned={returned}
                onForget={() => {
                  forgetReturned();
                  setReturned(undefined);
                }}
              />
            )}
            {/* Each has a draft of its own. */}
            <SignUpForm
              key={kind}
              kind={kind}
              settings={settings}
              provedEmail={provedEmailOf(fromProvider)}
            />
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

/** The address that the provider has told; empty where there is none. */
const provedEmailOf = (returned: IdentityReturn | undefined): string =>
  returned && !('error' in returned) ? emailIn(returned.idToken) : '';

interface FromProviderProps {
  /** What the browser came back with, where it did. */
  returned: IdentityReturn | undefined;
  /** Signs up without the account after all. */
  onForget: () => void;
}

/** The way to an identity provider, and what became of it. */
function FromProvider({ onForget, returned }: FromProviderProps) {
  const { t } = useTranslation(['signUp', 'auth']);
  const { search } = useLocation();
  if (returned && !('error' in returned)) {
    return (
      <Box mb="6">
        <Notice tone="info">
          <p>{t('free.proved')}</p>
          <Button mt="2" size="sm" variant="outline" colorPalette="gray" onClick={onForget}>
            {t('free.withoutAccount')}
          </Button>
        </Notice>
      </Box>
    );
  }
  return (
    <Box mb="6">
      {returned && <Notice tone="error">{t('auth:identityFailed')}</Notice>}
      {/* The unit and the application for which the company signs up stay in the address. */}
      <IdentityButtons page={`/signup${search}`} text="signUpWithProvider" />
    </Box>
  );
}

interface SignUpFormProps {
  kind: SignUpKind;
  settings: OpenSignUp;
  /** The address that has to stay as it is; empty: none. */
  provedEmail: string;
}

function SignUpForm({ kind, provedEmail, settings }: SignUpFormProps) {
  const { t } = useTranslation(['signUp', 'auth']);
  const form = useFlowForm(
    signUpSchemas[kind],
    { ...empty, email: provedEmail },
    {
      lastName: t('lastName'),
      firstName: t('firstName'),
      email: t('email'),
      password: t('password'),
      confirmation: t('confirmation'),
      companyName: t('companyName'),
      tel: t('tel'),
      purpose: t('purpose'),
      partnerCode: t('partnerCode'),
      agreedToTerms: t('termsOfUse'),
    },
  );
  // What was typed before the way to the provider gives way to what it says.
  useEffect(() => {
    if (provedEmail !== '') form.form.setValue('email', provedEmail);
  }, [form.form, provedEmail]);
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
          readOnly={provedEmail !== ''}
          help={provedEmail === '' ? t('emailHelp') : t('free.emailStays')}
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
          <CheckboxField {...form.field('agreedToTerms')} label={t('agreedToTerms')} required />
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

/** What a refusal means for who signs up with an account at a provider. */
const refusals = { E40102: 'auth:identityFailed', E40301: 'free.unproved', E40312: 'free.linked' } as const;

function inWordsOfProvider(error: unknown, t: TFunction<['signUp', 'auth']>): ApiError {
  const told = asApiError(error);
  const [, text] = Object.entries(refusals).find(([code]) => code === told.code) ?? [];
  if (text === undefined) return told;
  const { code, fields, requestId, status } = told;
  return new ApiError({ code, fields, message: t(text), requestId, status });
}

function Confirm({ kind, settings: { signupKey: apiKey }, title }: ConfirmProps) {
  const { t } = useTranslation(['signUp', 'auth']);
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
    onError: (error) => flow.fail(proved ? inWordsOfProvider(error, t) : error),
  });
  return (
    <ConfirmPage
      title={title}
      lead={t('confirmLead')}
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
    { label: t('termsOfUse'), value: t('agreed') },
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
