import { isIP } from 'node:net';
import { networkOf, oneCustomer } from '@portal/service-kit';

/** Whom an address stands for: one customer of a network has any number of IPv6 addresses, and often any number of networks. */
export interface ClientAddress {
  /** An IPv4 address, or the /64 of one of IPv6. */
  readonly host: string;
  /** Of IPv6 alone: the /48, which is what a site gets. */
  readonly site: string | undefined;
}

const oneSite = { ...oneCustomer, v6: 3 };

/** What is no address, as a proxy may pass on, is nobody's own. */
export function clientAddressOf(ip: string): ClientAddress {
  if (isIP(ip) === 0) return { host: 'unknown', site: undefined };
  const host = networkOf(ip, oneCustomer);
  const site = networkOf(ip, oneSite);
  return { host, site: site === host ? undefined : site };
}
