import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** As many of the four bytes of an IPv4 address, and of the eight groups of one of IPv6. */
interface Parts {
  readonly v4: number;
  readonly v6: number;
}

/** One customer of a network: an IPv4 address, or a /64 of IPv6, all of whose addresses are theirs. */
export const oneCustomer: Parts = { v4: 4, v6: 4 };

/** The network of an address; one of IPv4 within IPv6 is one of IPv4. What is no address is a network of its own. */
export function networkOf(address: string, parts: Parts): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.slice(0, parts.v4).join('.');
  const groups = parsed.parts.map((part) => part.toString(16));
  return groups.slice(0, parts.v6).join(':');
}
