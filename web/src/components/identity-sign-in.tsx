import { Box } from '@chakra-ui/react';
import { socialRoutes } from '@portal/contracts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asApiError, useApi } from '../lib/api.ts';
import { clearIdentityReturn, identityReturn } from '../lib/identity-return.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import { PageSpinner } from '../ui/feedback/states.tsx';
import { IdentityButtons } from './identity-buttons.tsx';
import type { Begin } from './use-begin.ts';
import type { Challenge } from './use-challenge.ts';

interface IdentitySignInProps {
  begin: Begin;
  challenge: Challenge;
}

/** The ways to sign in with an account at an identity provider, and the sign-in itself for who comes back from there. */
export function IdentitySignIn({ begin, challenge }: IdentitySignInProps) {
  const { t } = useTranslation('auth');
  const api = useApi();
  // Read here and cleared below: React may begin to render this several times before it stands.
  const [returned] = useState(identityReturn);
  const [failure, setFailure] = useState(returned && 'error' in returned ? returned.error : undefined);
  const [isPending, setPending] = useState(returned !== undefined && !('error' in returned));

  // Once: whoever came back is signed in, or told why not.
  useEffect(() => {
    clearIdentityReturn();
    if (!returned || 'error' in returned) return;
    const { accessToken, expiry, idToken } = returned;
    api
      .call(socialRoutes.validateIdentity, { body: { accessToken, idToken, expiry } })
      .then(begin.partner)
      .catch((error: unknown) => {
        setPending(false);
        if (!challenge.take(error)) setFailure(asApiError(error).code);
      });
  }, []);

  if (isPending) return <PageSpinner />;
  return (
    <>
      {failure !== undefined && (
        <Box mt="6">
          <Notice tone="error">{t(failure === 'E40101' ? 'unknownIdentity' : 'identityFailed')}</Notice>
        </Box>
      )}
      <IdentityButtons page="/partner/login" text="withProvider" />
    </>
  );
}
