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

export function partnerLoginPath(): string {
  const code = partnerCodeOf('');
  return code === '' ? '/partner/login/' : `/partner/login/?partner_code=${encodeURIComponent(code)}`;
}
