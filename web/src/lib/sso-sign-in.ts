/** Of this tab: what proves that who comes back is who went, and where they wanted to go. */
const storageKey = 'portal.sso';

/** What an identity provider has sent the browser back with. */
export type SsoReturn = { readonly code: string } | { readonly error: string };

interface Begun {
  readonly verifier: string;
  readonly from?: string;
}

/** Browsers offer no cryptography to pages that came without TLS from another host. */
export const canSsoHere = (): boolean => globalThis.crypto?.subtle !== undefined;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The address at which the browser goes to the provider of a company; it comes back to the login page. */
export async function ssoAddress(partnerCode: string, from: string | undefined): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const begun: Begun = { verifier, ...(from === undefined ? {} : { from }) };
  sessionStorage.setItem(storageKey, JSON.stringify(begun));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const back = `${window.location.origin}/partner/login/?partner_code=${encodeURIComponent(partnerCode)}`;
  const query = new URLSearchParams({
    partner_code: partnerCode,
    agent: 'portal/1',
    redirect_url: back,
    code_challenge: base64Url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
  });
  return `/v1/user/login/sso?${query.toString()}`;
}

/** What the browser has just come back with, as the address says. */
export function ssoReturn(search: string): SsoReturn | undefined {
  const params = new URLSearchParams(search);
  const [code, error] = [params.get('code'), params.get('error')];
  if (error !== null) return { error };
  return code === null ? undefined : { code };
}

/** What this tab has begun; without it whoever came back did not go from here. */
export function ssoBegun(): Begun | undefined {
  try {
    const begun: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    if (typeof begun !== 'object' || begun === null || !('verifier' in begun)) return undefined;
    const from = 'from' in begun && typeof begun.from === 'string' ? { from: begun.from } : {};
    return typeof begun.verifier === 'string' ? { verifier: begun.verifier, ...from } : undefined;
  } catch {
    return undefined;
  }
}

export function forgetSso(): void {
  sessionStorage.removeItem(storageKey);
}
