import type { Server } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { changeCount } from '@portal/kernel';
import { networkOf, oneCustomer } from '../network.ts';

export interface ConnectionLimits {
  readonly inAll: number;
  /** Of one address, or of one network of IPv6; none without it, as among services. */
  readonly perAddress?: number;
  /** Addresses and networks that connect for others: `perAddress` is not for them. */
  readonly proxies?: readonly string[];
}

export const defaultConnections: ConnectionLimits = { inAll: 10_000 };

/** Reserved for addresses without a connection, so that health checks of a full server get an answer. */
const spare = 100;

/** Refuses connections beyond `limits` as they come; those that rest between two requests make room first. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { inAll, perAddress = Number.POSITIVE_INFINITY } = limits;
  const proxies = listOf(limits.proxies ?? []);
  const openBy = new Map<string, number>();
  let open = 0;

  server.maxConnections = inAll + spare;
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address, oneCustomer);
    const own = changeCount(openBy, network, 1);
    open += 1;
    socket.once('close', () => {
      open -= 1;
      changeCount(openBy, network, -1);
    });
    if (open > inAll) server.closeIdleConnections();
    const isOneTooMany = open > inAll && own > 1;
    const isOneTooManyOfIts = own > perAddress && !isIn(proxies, address);
    if (isOneTooMany || isOneTooManyOfIts) socket.destroy();
  });
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
