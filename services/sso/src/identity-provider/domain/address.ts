const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether a browser may be sent to an address of an identity provider, or its metadata be asked for there: https, in a demo http
 * on this machine too. Where its host is, who asks sees.
 */
export function isProviderAddress(text: string, acceptsLoopback: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return (
    url.protocol === 'https:' || (acceptsLoopback && url.protocol === 'http:' && loopback.test(url.hostname))
  );
}
