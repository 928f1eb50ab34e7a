import { Stack } from '@chakra-ui/react';
import { ssoSignInRoutes } from '@portal/contracts';
import { KeyRound } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { asApiError, useApi, useApiQuery } from '../lib/api.ts';
import { loadTexts } from '../lib/i18n.ts';
import { canSsoHere, forgetSso, ssoAddress, ssoBegun, ssoReturn } from '../lib/sso-sign-in.ts';
import { useAction } from '../lib/use-action.ts';
import { useSettled } from '../lib/use-settled.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/feedback/notice.tsx';
import { PageSpinner } from '../ui/feedback/states.tsx';
import type { Begin } from './use-begin.ts';
import type { Challenge } from './use-challenge.ts';

/** Its words come with all others of screens that few see. */
const SsoFailure = lazy(async () => {
  const [{ SsoFailure }] = await Promise.all([import('./sso-failure.tsx'), loadTexts(['ssoSignIn'])]);
  return { default: SsoFailure };
});

interface SsoSignInProps {
  begin: Begin;
  challenge: Challenge;
  /** The company that is entered so far. */
  partnerCode: string;
  /** A password was refused that may be right. */
  isRefused: boolean;
}

/** The way to the identity provider of a company that has one, and the sign-in itself for who comes back from there. */
export function SsoSignIn({ begin, challenge, isRefused, partnerCode }: SsoSignInProps) {
  const { t } = useTranslation('auth');
  const api = useApi();
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  // Read here and cleared below: React may begin to render this several times before it stands.
  const [returned] = useState(() => ssoReturn(search));
  const [begun] = useState(ssoBegun);
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(
    returned !== undefined && 'code' in returned && begun !== undefined,
  );

  // Out of the address, where no history keeps it; and on to the page that was wanted.
  useEffect(() => {
    if (!returned) return;
    forgetSso();
    const params = new URLSearchParams(search);
    for (const name of ['code', 'error']) params.delete(name);
    void navigate(`${pathname}?${params.toString()}`, {
      replace: true,
      state: begun?.from === undefined ? state : { from: begun.from },
    });
  }, []);

  // Once: whoever came back is signed in, or told why not; not before the address says which page was wanted.
  const isMoved = ssoReturn(search) === undefined;
  useEffect(() => {
    if (!returned || !isMoved) return;
    if ('error' in returned) return setFailure(returned.error);
    if (!begun) return setFailure('E40004');
    api
      .call(ssoSignInRoutes.redeemSsoCode, { body: { code: returned.code, codeVerifier: begun.verifier } })
      .then(begin.partner)
      .catch((error: unknown) => {
        setPending(false);
        if (!challenge.take(error)) setFailure(asApiError(error).code);
      });
  }, [isMoved]);

  const code = useSettled(partnerCode.trim());
  const { data } = useApiQuery(
    ssoSignInRoutes.checkSso,
    { query: { partnerCode: code } },
    { enabled: code !== '' && canSsoHere() },
  );
  const isOffered = data?.useSsoFlag === true && code === partnerCode.trim();
  const go = useAction({
    async mutationFn() {
      const from: unknown =
        typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined;
      window.location.assign(await ssoAddress(code, typeof from === 'string' ? from : undefined));
    },
  });

  if (isPending) return <PageSpinner />;
  return (
    <Stack gap="4" mt={failure !== undefined || isOffered ? '6' : '0'}>
      {failure !== undefined && (
        <Suspense fallback={null}>
          <SsoFailure code={failure} />
        </Suspense>
      )}
      {isOffered && isRefused && <Notice tone="info">{t('tryOnlySso')}</Notice>}
      {isOffered && (
        <Button
          variant="outline"
          w="full"
          maxW="form"
          icon={<KeyRound />}
          pending={go.isPending}
          onClick={() => go.mutate()}
        >
          {t('withSso')}
        </Button>
      )}
    </Stack>
  );
}
