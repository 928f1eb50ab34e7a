import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whom an address stands for: one customer of a network has any number of IPv6 addresses, and often any number of networks. */
export interface ClientAddress {
  /** An IPv4 address, or the /64 of one of IPv6. */
  readonly host: string;
  /** Of IPv6 alone: the /48, which is what a site gets. */
  readonly site: string | undefined;
}

/** What is no address, as a proxy may pass on, is nobody's own. */
export function clientAddressOf(ip: string): ClientAddress {
  const version = isIP(ip);
  if (version === 4) return { host: ip, site: undefined };
  if (version === 0) return { host: 'unknown', site: undefined };
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return { host: address.toString(), site: undefined };
  const groups = address.parts.map((part) => part.toString(16));
  return { host: `${groups.slice(0, 4).join(':')}::/64`, site: `${groups.slice(0, 3).join(':')}::/48` };
}
