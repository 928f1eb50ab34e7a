import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network of an address: so many of its four bytes (v4) or of its eight groups (v6). What is no address is a network of
 * its own.
 */
export function networkOf(address: string, parts: { readonly v4: number; readonly v6: number }): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(plain)) return plain.split('.').slice(0, parts.v4).join('.');
  const [withoutZone = ''] = plain.split('%');
  if (!isIPv6(withoutZone)) return plain;
  // As URLs have it: in lower case, without leading zeros, an IPv4 address at its end in groups.
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const groups = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const zeros = Array<string>(8 - groups.length - last.length).fill('0');
  return [...groups, ...zeros, ...last].slice(0, parts.v6).join(':');
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
