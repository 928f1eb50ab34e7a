/** Unprefixed, because links of other systems rely on it. */
const storageKey = 'code';

/** The company whose login is meant: by the address, by the last login here, or by the build. */
export function partnerCodeOf(search: string): string {
  return (
    new URLSearchParams(search).get('partner_code') ||
    localStorage.getItem(storageKey) ||
    import.meta.env.VITE_DEFAULT_PARTNER_CODE ||
    ''
  );
}

export function rememberPartnerCode(code: string): void {
  localStorage.setItem(storageKey, code);
}

export function partnerLoginPath(code = partnerCodeOf('')): string {
  return code === '' ? '/partner/login/' : `/partner/login/?partner_code=${encodeURIComponent(code)}`;
}

/** Whose password it is: an administrator's, that of people who use the portal, or of those who use the player alone. */
export type AccountArea = 'admin' | 'partner' | 'user';

/** Where a forgotten password begins; the company is known to who came from its login. */
export function resetMailPath(area: AccountArea, search = ''): string {
  const code = area === 'admin' ? '' : partnerCodeOf(search);
  return `/${area}/password/reset-mail${code === '' ? '' : `?partner_code=${encodeURIComponent(code)}`}`;
}
