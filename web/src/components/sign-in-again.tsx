import { chakra } from '@chakra-ui/react';
import { identityRoutes, presentedPassword } from '@portal/contracts';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi } from '../lib/api.ts';
import { failureOf, useContractForm } from '../lib/contract-form.ts';
import { partnerLoginPath } from '../lib/partner-code.ts';
import type { Session } from '../lib/session/session-store.ts';
import { useSessionStore } from '../lib/session/use-session.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/feedback/dialog.tsx';
import { PageSpinner } from '../ui/feedback/states.tsx';
import { PasswordField } from '../ui/form/fields.tsx';
import { Form } from '../ui/form/form.tsx';
import { ExternalLink } from '../ui/link.tsx';
import { SecondStep } from './lazy-second-step.ts';
import { ChallengeOver } from './sign-in-steps.tsx';
import { type Begin, useBegin } from './use-begin.ts';
import { useChallenge } from './use-challenge.ts';
import { useToldLogin } from './use-told-login.ts';

/** Not `password`: the page behind may have a field of that name. */
const schema = z.object({ signInPassword: presentedPassword });
type Values = z.input<typeof schema>;

/** Over a page whose session is over while it holds unsaved work: its owner signs in again, and the work goes on. */
export function SignInAgain({ session }: { session: Session }) {
  const { t } = useTranslation('auth');
  const store = useSessionStore();
  const begin = useBegin(session);
  const signIn = useFirstStep(session, begin);
  const form = useContractForm<Values>(schema, { signInPassword: '' }, { signInPassword: t('password') });
  const told = useToldLogin(form);
  const challenge = useChallenge(form.form, 'signInPassword');
  const account = session.kind === 'admin' ? session.email : session.user.email;

  const login = useAction({
    mutationFn: ({ signInPassword }: Values) => signIn(signInPassword),
    onError: (error) => challenge.take(error) || form.fail(failureOf(error), { password: 'signInPassword' }),
  });

  return (
    <Dialog open persistent onClose={() => undefined} title={t('again.title')}>
      <chakra.p mb="4">{t('again.text')}</chakra.p>
      <chakra.dl
        display="grid"
        gridTemplateColumns="auto 1fr"
        columnGap="4"
        rowGap="1"
        mb="4"
        css={{ '& dd': { color: 'fg', overflowWrap: 'anywhere' } }}
      >
        {session.kind === 'partner' && (
          <>
            <dt>{t('partnerCode')}</dt>
            <dd>{session.partner.partnerCode}</dd>
          </>
        )}
        <dt>{t('again.account')}</dt>
        <dd>{account}</dd>
      </chakra.dl>
      {challenge.value === undefined ? (
        <>
          {challenge.isOver && <ChallengeOver />}
          <Form
            form={told}
            submitLabel={t('login')}
            pending={login.isPending}
            onSubmit={(values) => login.mutate(values)}
            cancel={
              <Button size="md" variant="outline" colorPalette="gray" onClick={() => store.end('expired')}>
                {t('again.otherAccount')}
              </Button>
            }
          >
            {/* For password managers, which look for both. */}
            <input hidden readOnly autoComplete="username" value={account} />
            <PasswordField {...form.field('signInPassword')} required autoComplete="current-password" />
          </Form>
          {/* As by single sign-on: this tab goes on as soon as its owner is signed in there. */}
          {session.kind === 'partner' && (
            <chakra.p mt="4">
              <ExternalLink href={partnerLoginPath(session.partner.partnerCode)}>
                {t('again.otherWay')}
              </ExternalLink>
            </chakra.p>
          )}
        </>
      ) : (
        <Suspense fallback={<PageSpinner />}>
          <SecondStep
            bare
            kind={session.kind}
            challenge={{ ...challenge, value: challenge.value }}
            begin={begin}
          />
        </Suspense>
      )}
    </Dialog>
  );
}

/** The first step for the owner of `session`. */
function useFirstStep(session: Session, begin: Begin): (password: string) => Promise<void> {
  const api = useApi();
  return async (password) => {
    if (session.kind === 'admin') {
      const body = { email: session.email, password };
      return begin.admin(await api.call(identityRoutes.adminLogin, { body }));
    }
    const { email: identifier } = session.user;
    const body = {
      partnerCode: session.partner.partnerCode,
      password,
      ...(identifier.includes('@') ? { email: identifier } : { loginUserId: identifier }),
    };
    return begin.partner(await api.call(identityRoutes.partnerLogin, { body }));
  };
}
