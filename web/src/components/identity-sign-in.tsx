import { Box } from '@chakra-ui/react';
import { socialRoutes } from '@portal/contracts';
import { useEffect, useState } from 'react';
import { useApi } from '../lib/api.ts';
import { failureOf, type SubmitFailure } from '../lib/contract-form.ts';
import { useLanguage } from '../lib/i18n.ts';
import { clearIdentityReturn, identityReturn } from '../lib/identity-return.ts';
import { messageIn } from '../lib/shown-message.ts';
import { RequestId } from '../ui/feedback/error-info.tsx';
import { Notice } from '../ui/feedback/notice.tsx';
import { PageSpinner } from '../ui/feedback/states.tsx';
import { IdentityButtons } from './identity-buttons.tsx';
import type { Begin } from './use-begin.ts';
import { type LoginWords, loginWords, useToldFailure } from './use-told-login.ts';

const words: LoginWords = { ...loginWords, E40101: 'unknownIdentity', E40102: 'identityFailed' };

/** What came back in the place of tokens, whatever the provider calls it. */
const noTokens: SubmitFailure = { code: 'E40102', status: 401, message: '', fields: [] };

interface IdentitySignInProps {
  begin: Begin;
}

/** The ways to sign in with an account at an identity provider, and the sign-in itself for who comes back from there. */
export function IdentitySignIn({ begin }: IdentitySignInProps) {
  const api = useApi();
  // Read here and cleared below: React may begin to render this several times before it stands.
  const [returned] = useState(identityReturn);
  const [failure, setFailure] = useState(returned && 'error' in returned ? noTokens : undefined);
  const told = useToldFailure(failure, words);
  const language = useLanguage();
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
        setFailure(failureOf(error));
      });
  }, []);

  if (isPending) return <PageSpinner />;
  return (
    <>
      {told && (
        <Box mt="6">
          <Notice tone="error">
            {messageIn(language, told.message)}
            <RequestId of={told} />
          </Notice>
        </Box>
      )}
      <IdentityButtons page="/partner/login" text="withProvider" />
    </>
  );
}
