import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { ssoLimits } from '@portal/contracts';
import ipaddr from 'ipaddr.js';
import { isProviderAddress } from '../domain/address.ts';

/** Why an address gave no metadata. */
export type FetchFault = 'address' | 'busy' | 'tooLarge' | 'unreachable';

export class MetadataNotFetched extends Error {
  readonly fault: FetchFault;

  constructor(fault: FetchFault, why: string, options?: ErrorOptions) {
    super(why, options);
    this.fault = fault;
  }
}

/** What is at an address. Throws `MetadataNotFetched`. */
export type FetchMetadata = (url: string) => Promise<Buffer>;

export interface FetchOptions {
  /** The identity provider of a demo may be on the same machine. */
  readonly acceptsLoopback: boolean;
  /** What a name stands for; the resolver of the machine unless told. */
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** The authorities that vouch for servers, in PEM; those that Node trusts unless told. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

/** For all of it: finding the host, connecting, and the last byte. */
const timeoutMs = 10_000;
/** More at once, of all tenants, have to come again. */
const mostAtOnce = 32;

/**
 * Fetches metadata from addresses that tenants name, which must not become a way into the network of the installation: what a name
 * stands for is looked up once, every address of it has to be a public one, and the connection goes to just these.
 */
export function createMetadataFetcher(options: FetchOptions): FetchMetadata {
  const { acceptsLoopback, ca, resolve = resolveAll } = options;
  let running = 0;

  /** All that a host stands for. */
  async function addressesOf(hostname: string): Promise<readonly LookupAddress[]> {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(literal);
    const found = family === 0 ? await resolve(hostname) : [{ address: literal, family }];
    if (found.length === 0) throw new MetadataNotFetched('unreachable', 'The host has no address');
    if (!found.every(({ address }) => isPublic(address) || (acceptsLoopback && isLoopback(address)))) {
      throw new MetadataNotFetched('address', 'The host has an address that is not public');
    }
    return found;
  }

  async function get(url: URL, signal: AbortSignal): Promise<Buffer> {
    const addresses = await before(signal, addressesOf(url.hostname));
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(url, {
      agent: false,
      ca,
      signal,
      headers: {
        accept: 'application/samlmetadata+xml, application/xml, text/xml',
        'accept-encoding': 'identity',
      },
      maxHeaderSize: 16 * 1024,
      // Not asked for a host that is an address: that is the one that was looked at.
      lookup: (_hostname, { all }, done) => {
        const [first] = addresses;
        if (all) done(null, [...addresses]);
        else done(null, first?.address ?? '', first?.family);
      },
    });
    outgoing.end();
    const [response] = (await once(outgoing, 'response', { signal })) as [IncomingMessage];
    try {
      const { headers, statusCode } = response;
      // A redirect too: what it leads to was not looked at.
      if (statusCode !== 200) throw new MetadataNotFetched('unreachable', `The status is ${statusCode}`);
      if (!['identity', undefined].includes(headers['content-encoding'])) {
        throw new MetadataNotFetched('unreachable', 'The answer is compressed');
      }
      return await upTo(ssoLimits.maxMetadataSize, response);
    } finally {
      outgoing.destroy();
    }
  }

  return async (text) => {
    if (!isProviderAddress(text, acceptsLoopback)) {
      throw new MetadataNotFetched('address', 'The address is not https');
    }
    if (running >= mostAtOnce) throw new MetadataNotFetched('busy', 'Too many are being fetched');
    running += 1;
    try {
      return await get(new URL(text), AbortSignal.timeout(options.timeoutMs ?? timeoutMs));
    } catch (cause) {
      if (cause instanceof MetadataNotFetched) throw cause;
      throw new MetadataNotFetched('unreachable', 'Nothing came from the address in time', { cause });
    } finally {
      running -= 1;
    }
  };
}

const resolveAll = async (hostname: string) => lookup(hostname, { all: true, verbatim: true });

/** The resolver of the machine takes no signal. */
async function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => {
    throw signal.reason;
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    ended.abort();
  }
}

async function upTo(most: number, content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > most) throw new MetadataNotFetched('tooLarge', 'The answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Of the Internet: not of a private network, this machine, a link, or one of the ways to write such an address as another. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6 nothing else is given out to anybody.
  return parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parseCIDR('2000::/3'));
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
