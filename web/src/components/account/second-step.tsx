import { errorCatalogue, fieldMessage, twoFactorRoutes } from '@portal/contracts';
import { KeyRound, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi } from '../../lib/api.ts';
import { bodyOf, failureOf, type SubmitFailure, useContractForm } from '../../lib/contract-form.ts';
import { useLanguage } from '../../lib/i18n.ts';
import type { SessionKind } from '../../lib/session/session-store.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import type { Begin } from '../use-begin.ts';
import type { Challenge } from '../use-challenge.ts';
import { useToldLogin } from '../use-told-login.ts';

/** Not `code`: the page behind may have a field of that name. */
const schema = z.object({ signInCode: bodyOf(twoFactorRoutes.adminSecondFactor).shape.code });
type Values = z.input<typeof schema>;

interface SecondStepProps {
  kind: SessionKind;
  challenge: Challenge & { readonly value: string };
  begin: Begin;
  /** In a dialog, which is a surface of its own. */
  bare?: boolean;
}

/** On a login page. */
export function SecondStepPage(props: SecondStepProps) {
  const { t } = useTranslation('secondStep');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <SecondStep {...props} />
    </>
  );
}

/** The second step of a sign-in: the code of the authenticator app, or a recovery code. */
export function SecondStep({ kind, challenge, begin, bare = false }: SecondStepProps) {
  const { t } = useTranslation(['secondStep', 'auth']);
  const api = useApi();
  const language = useLanguage();
  const [isRecovery, setIsRecovery] = useState(false);
  const form = useContractForm<Values>(
    schema,
    { signInCode: '' },
    { signInCode: t(isRecovery ? 'recovery' : 'code') },
  );
  const { setFocus } = form.form;
  useEffect(() => setFocus('signInCode'), [setFocus, isRecovery]);

  const answer = useAction({
    async mutationFn({ signInCode: code }: Values) {
      const body = { challenge: challenge.value, code };
      if (kind === 'admin') await begin.admin(await api.call(twoFactorRoutes.adminSecondFactor, { body }));
      else await begin.partner(await api.call(twoFactorRoutes.partnerSecondFactor, { body }));
    },
    onError(error) {
      if (error.code === 'E40004') return challenge.leave('over');
      const failure = failureOf(error);
      form.fail(error.code === 'E40101' ? wrongCode(failure) : failure, { code: 'signInCode' });
    },
  });

  /** The answer is that of any refused sign-in; here it can only be the code. */
  function wrongCode({ requestId, status }: SubmitFailure): SubmitFailure {
    const message = fieldMessage('wrongCode', language);
    return {
      code: 'E40002',
      status,
      message: errorCatalogue.E40002[language],
      requestId,
      fields: [{ field: 'code', message }],
    };
  }

  const field = (
    <TextField
      {...form.field('signInCode')}
      required
      help={t(isRecovery ? 'recoveryHelp' : 'codeHelp')}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      width={isRecovery ? '16rem' : '10rem'}
    />
  );
  return (
    <Form
      form={useToldLogin(form)}
      submitLabel={t('auth:login')}
      pending={answer.isPending}
      onSubmit={(values) => answer.mutate(values)}
      disposable
      cancel={
        <Button size="md" variant="outline" colorPalette="gray" onClick={() => challenge.leave()}>
          {t('back')}
        </Button>
      }
    >
      {bare ? field : <FormSection>{field}</FormSection>}
      <div>
        <Button
          variant="ghost"
          icon={isRecovery ? <Smartphone /> : <KeyRound />}
          onClick={() => {
            form.startSubmit();
            form.form.resetField('signInCode');
            setIsRecovery(!isRecovery);
          }}
        >
          {t(isRecovery ? 'useApp' : 'useRecovery')}
        </Button>
      </div>
    </Form>
  );
}
