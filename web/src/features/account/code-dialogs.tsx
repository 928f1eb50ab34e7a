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

interface CodeFormProps<R> {
  submitLabel: string;
  call: (code: string) => Promise<R>;
  onSuccess: (reply: R) => void;
  onCancel: () => void;
}

/** Asks for a code, of the app or for recovery, and makes a call with it. */
function CodeForm<R>({ submitLabel, call, onSuccess, onCancel }: CodeFormProps<R>) {
  const { t } = useTranslation(['account', 'ui']);
  const form = useContractForm<z.input<typeof schema>>(schema, { code: '' }, { code: t('anyCode') });
  const submit = useAction({
    mutationFn: ({ code }: z.input<typeof schema>) => call(code),
    onSuccess,
    onError: (error) => form.fail(failureOf(error)),
  });
  return (
    <Form
      form={form}
      submitLabel={submitLabel}
      pending={submit.isPending}
      onSubmit={(values) => submit.mutate(values)}
      disposable
      cancel={
        <Button size="md" variant="outline" colorPalette="gray" onClick={onCancel}>
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
  return (
    <Dialog open onClose={onClose} title={t('off.title')}>
      <chakra.p mb="4">{t('off.text')}</chakra.p>
      <CodeForm
        submitLabel={t('off.confirm')}
        call={(code) => api.call(calls.disable, { body: { code } })}
        onSuccess={() => {
          toast({ tone: 'success', message: t('off.done') });
          onClose();
          void changed();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const api = useApi();
  const calls = useOwnCalls();
  const changed = useTwoFactorChanged();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog open persistent={codes !== undefined} onClose={onClose} title={t('renew.title')} width="form">
      {codes ? (
        <RecoveryCodes codes={codes} doneLabel={t('codes.close')} onDone={onClose} />
      ) : (
        <>
          <chakra.p mb="4">{t('renew.text')}</chakra.p>
          <CodeForm
            submitLabel={t('renew.confirm')}
            call={(code) => api.call(calls.renewCodes, { body: { code } })}
            onSuccess={({ recoveryCodes }) => {
              setCodes(recoveryCodes);
              void changed();
            }}
            onCancel={onClose}
          />
        </>
      )}
    </Dialog>
  );
}
