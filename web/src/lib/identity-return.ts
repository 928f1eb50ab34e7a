import type { IdentityProvider } from '@portal/contracts';

/** What other pages rely on, unprefixed as `code` is: the state of the sign-in at a provider that is under way. */
const storageKey = 'authState';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What a provider has sent the browser back with. */
export type IdentityReturn =
  | {
      readonly provider: IdentityProvider;
      readonly accessToken: string;
      readonly idToken: string | null;
      readonly expiry: number;
    }
  | { readonly error: string };

/** The address at which the browser goes to a provider; it comes back to `page`. */
export function identityAddress(provider: IdentityProvider, page: string): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    letters.charAt(byte % letters.length),
  ).join('');
  const state = provider.charAt(0) + random;
  localStorage.setItem(storageKey, state);
  const query = new URLSearchParams({ state, redirect_url: window.location.origin + page });
  return `/v1/oauth2/${provider}/authorize?${query.toString()}`;
}

/**
 * What the browser has just come back with, as often as it is asked, until `clearIdentityReturn`. The tokens of a flow that another
 * browser has begun are dropped.
 */
export function identityReturn(): IdentityReturn | undefined {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const state = fragment.get('state');
  if (state === null) return undefined;
  const accessToken = fragment.get('access_token');
  if (state !== localStorage.getItem(storageKey) || accessToken === null)
    return { error: fragment.get('error') ?? 'E40102' };
  return {
    provider: state.startsWith('m') ? 'microsoft' : 'google',
    accessToken,
    idToken: fragment.get('id_token'),
    expiry: Number(fragment.get('expiry') ?? 0),
  };
}

/** Takes the tokens out of the address, where no history keeps them. */
export function clearIdentityReturn(): void {
  if (identityReturn() === undefined) return;
  localStorage.removeItem(storageKey);
  history.replaceState(history.state, '', window.location.pathname + window.location.search);
}

/** The address that an id_token names, to fill in a form: the server checks whose it is. */
export function emailIn(idToken: string | null): string {
  try {
    const [, payload = ''] = idToken?.split('.') ?? [];
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const email = typeof claims === 'object' && claims !== null && 'email' in claims ? claims.email : '';
    return typeof email === 'string' ? email : '';
  } catch {
    return '';
  }
}
