import { chakra, Flex, Stack } from '@chakra-ui/react';
import { twoFactorRoutes } from '@portal/contracts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi } from '../../lib/api.ts';
import { bodyOf, failureOf, useContractForm } from '../../lib/contract-form.ts';
import { useSignedIn } from '../../lib/session/use-session.ts';
import { useAction } from '../../lib/use-action.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { PasswordField, TextField } from '../../ui/form/fields.tsx';
import { Form } from '../../ui/form/form.tsx';
import { loginOf, useOwnCalls, useTwoFactorChanged } from './own-account.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Names of their own: in a dialog, the page behind may have fields of the usual ones. */
const passwordSchema = z.object({
  setupPassword: bodyOf(twoFactorRoutes.beginAdminTwoFactor).shape.password,
});
const codeSchema = z.object({ setupCode: bodyOf(twoFactorRoutes.enableAdminTwoFactor).shape.code });

interface Secret {
  readonly secret: string;
  readonly otpauthUrl: string;
}

interface TwoFactorSetupProps {
  /** What the last button does. */
  doneLabel: string;
  /** Beside the first one. */
  cancel?: ReactNode;
  pending?: boolean;
  onDone: () => void;
}

/** Turns two factors on: the password, a code of the authenticator app, and the recovery codes to keep. */
export function TwoFactorSetup({ doneLabel, cancel, pending = false, onDone }: TwoFactorSetupProps) {
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} doneLabel={doneLabel} pending={pending} onDone={onDone} />;
  if (secret) return <AppStep secret={secret} onEnabled={setCodes} />;
  return <PasswordStep cancel={cancel} onBegun={setSecret} />;
}

function PasswordStep({ cancel, onBegun }: { cancel: ReactNode; onBegun: (secret: Secret) => void }) {
  const { t } = useTranslation('account');
  const api = useApi();
  const calls = useOwnCalls();
  const session = useSignedIn();
  const changed = useTwoFactorChanged();
  const form = useContractForm<z.input<typeof passwordSchema>>(
    passwordSchema,
    { setupPassword: '' },
    { setupPassword: t('setup.password') },
  );
  const begin = useAction({
    mutationFn: ({ setupPassword: password }: z.input<typeof passwordSchema>) =>
      api.call(calls.begin, { body: { password } }),
    onSuccess: onBegun,
    onError(error) {
      form.fail(failureOf(error), { password: 'setupPassword' });
      // They are on already, perhaps by another tab.
      if (error.code === 'E40034') void changed();
    },
  });
  return (
    <Form
      form={form}
      submitLabel={t('setup.begin')}
      pending={begin.isPending}
      onSubmit={(values) => begin.mutate(values)}
      disposable
      cancel={cancel}
    >
      <p>{t('setup.lead')}</p>
      {/* For password managers, which look for both. */}
      <input hidden readOnly autoComplete="username" value={loginOf(session)} />
      <PasswordField {...form.field('setupPassword')} required autoComplete="current-password" />
    </Form>
  );
}

/** In groups of four, as people read and type it. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

function AppStep({
  secret: { otpauthUrl, secret },
  onEnabled,
}: {
  secret: Secret;
  onEnabled: (codes: readonly string[]) => void;
}) {
  const { t } = useTranslation('account');
  const api = useApi();
  const calls = useOwnCalls();
  const changed = useTwoFactorChanged();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const form = useContractForm<z.input<typeof codeSchema>>(
    codeSchema,
    { setupCode: '' },
    { setupCode: t('setup.code') },
  );
  const enable = useAction({
    mutationFn: ({ setupCode: code }: z.input<typeof codeSchema>) =>
      api.call(calls.enable, { body: { code } }),
    onSuccess({ recoveryCodes }) {
      onEnabled(recoveryCodes);
      void changed();
    },
    onError: (error) => form.fail(failureOf(error), { code: 'setupCode' }),
  });
  return (
    <Stack gap="4">
      <chakra.h2 ref={title} tabIndex={-1} outline="0" fontSize="md" fontWeight="semibold">
        {t('setup.scanTitle')}
      </chakra.h2>
      <p>{t('setup.scan')}</p>
      <QrCode text={otpauthUrl} label={t('setup.qrCode')} />
      <div>
        <chakra.p mb="1">{t('setup.byHand')}</chakra.p>
        <Flex align="center" gap="3" wrap="wrap">
          <chakra.code fontFamily="mono" overflowWrap="anywhere">
            {grouped(secret)}
          </chakra.code>
          <CopyButton text={secret} label={t('setup.copySecret')} />
        </Flex>
      </div>
      <Form
        form={form}
        submitLabel={t('setup.enable')}
        pending={enable.isPending}
        onSubmit={(values) => enable.mutate(values)}
        disposable
      >
        <TextField
          {...form.field('setupCode')}
          required
          help={t('setup.codeHelp')}
          autoComplete="one-time-code"
          inputMode="numeric"
          width="10rem"
        />
      </Form>
    </Stack>
  );
}
