import { fieldError } from '@portal/kernel';

/** Who is signed in, as the address tells to which the browser goes back. */
export type Client = 'portal' | 'player';

interface Places {
  /** The origin of the portal. */
  readonly publicUrl: string;
  /** The schemes of apps, which the installation names. */
  readonly schemes: readonly string[];
}

const loopback = ['127.0.0.1', 'localhost'];

/**
 * Where a browser may go back to: the portal, a listener of a player on this machine (RFC 8252), or an app. Throws `E40002` on
 * redirectUrl for anywhere else, since a code that goes there signs somebody in.
 */
export function requireRedirect(text: string, { publicUrl, schemes }: Places): { url: URL; client: Client } {
  const url = URL.parse(text);
  const refused = fieldError('E40002', 'redirectUrl', 'invalidValue');
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') throw refused;
  if (url.origin === new URL(publicUrl).origin) return { url, client: 'portal' };
  const isListener = url.protocol === 'http:' && loopback.includes(url.hostname);
  if (isListener || schemes.includes(url.protocol.slice(0, -1))) return { url, client: 'player' };
  throw refused;
}

/** The address with what is answered; anything of the same name that it had is gone. */
export function answeredAt(address: string, answer: { code: string } | { error: string }): string {
  const url = new URL(address);
  url.searchParams.delete('code');
  url.searchParams.delete('error');
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url.href;
}
