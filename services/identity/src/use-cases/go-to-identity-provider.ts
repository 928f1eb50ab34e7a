import { createHash } from 'node:crypto';
import { type IdentityProvider, limits } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import * as oauth from 'oauth4webapi';
import type { IdentityDb } from '../data/db.ts';
import { insertFlow, takeFlow } from '../data/linked-identity-repository.ts';
import type { IdentityProviders } from '../providers/identity-providers.ts';

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly providers: IdentityProviders;
  /** The only origin that tokens are sent to. */
  readonly publicUrl: string;
}

/**
 * The path of a call, or one that is escaped and may be such. Some calls send the browser on to where a tenant says, and a browser
 * takes the fragment along: the tokens would be whoever's that is.
 */
const noPage = /\/v\d+\/|%/;

/**
 * The address at the identity provider to which a browser goes. Throws `E40401` for a provider that is not set up, `E40002` on
 * redirectUrl for an address elsewhere or one that is no page, and on state for one that names another provider.
 */
export async function goToIdentityProvider(
  { clock, providers, publicUrl, store }: Dependencies,
  asked: { readonly provider: IdentityProvider; readonly state: string; readonly redirectUrl: string },
  scope: Scope,
): Promise<string> {
  const { provider } = asked;
  const client = providers.of(provider);
  if (!asked.state.startsWith(provider.charAt(0))) throw fieldError('E40002', 'state', 'invalidValue');
  const redirectUrl = new URL(asked.redirectUrl);
  const isHere = redirectUrl.origin === new URL(publicUrl).origin && redirectUrl.username === '';
  if (!isHere || noPage.test(redirectUrl.pathname)) {
    throw fieldError('E40002', 'redirectUrl', 'invalidValue');
  }
  const state = oauth.generateRandomState();
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const nonce = providers.newNonce(provider);
  const url = await client.authorizationUrl({ state, nonce, codeVerifier });
  await store.write(scope, ({ db }) =>
    insertFlow(db, {
      stateHash: hashOf(state),
      provider,
      codeVerifier,
      nonce,
      clientState: asked.state,
      redirectUrl: redirectUrl.href,
      expiresAt: new Date(clock.now().getTime() + limits.identityFlowLifetime),
    }),
  );
  return url.href;
}

/**
 * Where the browser goes on that comes from the identity provider: to the page that sent it there, with the tokens or an error in
 * the fragment. Throws `E40004` for a state that nobody waits with any more.
 */
export async function returnFromIdentityProvider(
  { clock, providers, store }: Dependencies,
  answer: Readonly<Record<string, string | undefined>> & { readonly state: string },
  scope: Scope,
): Promise<string> {
  // Over with the first use, whatever comes of it: a code is worth nothing the second time.
  const flow = await store.write(scope, ({ db }) => takeFlow(db, hashOf(answer.state), clock.now()));
  if (!flow) throw new AppError('E40004');
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) given.set(name, value);
  const { clientState, codeVerifier, nonce, provider, redirectUrl } = flow;
  const back = new URL(redirectUrl);
  const fragment = await providers
    .of(provider)
    .redeem(given, { state: answer.state, nonce, codeVerifier })
    .then(
      ({ accessToken, expiresIn, idToken }) => ({
        access_token: accessToken,
        ...(idToken !== null && { id_token: idToken }),
        expiry: String(expiresIn ?? limits.accessTokenLifetimeSeconds),
      }),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return { error: error.code };
      },
    );
  back.hash = new URLSearchParams({ ...fragment, state: clientState }).toString();
  return back.href;
}

const hashOf = (state: string): Buffer<ArrayBuffer> => createHash('sha256').update(state).digest();
