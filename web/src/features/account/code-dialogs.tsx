import { chakra } from '@chakra-ui/react';
import { twoFactorRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useOwnCalls, useTwoFactorChanged } from '../../components/account/own-account.ts';
import { RecoveryCodes } from '../../components/account/recovery-codes.tsx';
import { useApi } from '../../lib/api.ts';
import { bodyOf, failureOf, useContractForm } from '../../lib/contract-form.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { Form } from '../../ui/form/form.tsx';

const schema = z.object({ code: bodyOf(twoFactorRoutes.disableAdminTwoFactor).shape.code });

/** A form that asks for a code, of the app or for recovery, and the call that is made with it. */
function useCodeCall<R>(call: (code: string) => Promise<R>, onSuccess: (reply: R) => void) {
  const { t } = useTranslation('account');
  const form = useContractForm<z.input<typeof schema>>(schema, { code: '' }, { code: t('anyCode') });
  const submit = useAction({
    mutationFn: ({ code }: z.input<typeof schema>) => call(code),
    onSuccess,
    onError: (error) => form.fail(failureOf(error)),
  });
  const onSubmit = (values: z.input<typeof schema>) => submit.mutate(values);
  return { form, pending: submit.isPending, onSubmit };
}

interface CodeFormProps extends ReturnType<typeof useCodeCall> {
  submitLabel: string;
  onCancel: () => void;
}

function CodeForm({ form, pending, submitLabel, onSubmit, onCancel }: CodeFormProps) {
  const { t } = useTranslation(['account', 'ui']);
  return (
    <Form
      form={form}
      submitLabel={submitLabel}
      pending={pending}
      onSubmit={onSubmit}
      disposable
      cancel={
        <Button size="md" variant="outline" colorPalette="gray" disabled={pending} onClick={onCancel}>
          {t('ui:cancel')}
        </Button>
      }
    >
      <TextField
        {...form.field('code')}
        required
        help={t('anyCodeHelp')}
        autoComplete="one-time-code"
        width="16rem"
      />
    </Form>
  );
}

export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const api = useApi();
  const calls = useOwnCalls();
  const changed = useTwoFactorChanged();
  const { toast } = useAnnouncer();
  const turnOff = useCodeCall(
    (code) => api.call(calls.disable, { body: { code } }),
    () => {
      toast({ tone: 'success', message: t('off.done') });
      onClose();
      void changed();
    },
  );
  return (
    <Dialog open persistent={turnOff.pending} onClose={onClose} title={t('off.title')}>
      <chakra.p mb="4">{t('off.text')}</chakra.p>
      <CodeForm {...turnOff} submitLabel={t('off.confirm')} onCancel={onClose} />
    </Dialog>
  );
}

export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const api = useApi();
  const calls = useOwnCalls();
  const changed = useTwoFactorChanged();
  const [codes, setCodes] = useState<readonly string[]>();
  const renewal = useCodeCall(
    (code) => api.call(calls.renewCodes, { body: { code } }),
    ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      void changed();
    },
  );
  return (
    <Dialog
      open
      // From the call on the earlier codes are void, and the new ones are shown here alone.
      persistent={renewal.pending || codes !== undefined}
      onClose={onClose}
      title={t('renew.title')}
      width="form"
    >
      {codes ? (
        <RecoveryCodes codes={codes} doneLabel={t('codes.close')} onDone={onClose} />
      ) : (
        <>
          <chakra.p mb="4">{t('renew.text')}</chakra.p>
          <CodeForm {...renewal} submitLabel={t('renew.confirm')} onCancel={onClose} />
        </>
      )}
    </Dialog>
  );
}
