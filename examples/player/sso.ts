import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the portal gives for a session, with what proves who has asked for it. */
export interface SsoCode {
  readonly code: string;
  readonly codeVerifier: string;
}

/** The portal, or the identity provider of the company, lets nobody in. */
export class SsoRefused extends Error {}

/** A person finds their password, their second factor, and perhaps their telephone. */
const withinMs = 10 * 60_000;

/**
 * Signs somebody in at the identity provider of their company, as native apps do (RFC 8252): in the browser of the machine, which
 * comes back to a listener on the loopback address, with PKCE. `show` is told of the address that the browser goes to.
 */
export async function signInBySso(options: {
  readonly url: string;
  readonly partnerCode: string;
  readonly agent: string;
  readonly show: (address: string) => void;
}): Promise<SsoCode> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  // Other programs of the machine reach the listener, but do not know its path.
  const path = `/${randomBytes(16).toString('base64url')}`;
  const came = Promise.withResolvers<string>();
  // It may be refused before anybody waits for it.
  came.promise.catch(() => {});
  const server = createServer((request, reply) => answer(request, reply, path, came));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setTimeout(() => came.reject(new SsoRefused('Nobody has signed in.')), withinMs);
  try {
    const { port } = server.address() as AddressInfo;
    const query = new URLSearchParams({
      partner_code: options.partnerCode,
      agent: options.agent,
      redirect_url: `http://127.0.0.1:${port}${path}`,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    options.show(`${options.url}/v1/user/login/sso?${query}`);
    return { code: await came.promise, codeVerifier };
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  }
}

function answer(
  request: IncomingMessage,
  reply: ServerResponse,
  path: string,
  came: PromiseWithResolvers<string>,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method !== 'GET' || pathname !== path) {
    reply.writeHead(404).end();
    return;
  }
  const code = searchParams.get('code');
  const told = code === null ? 'Nobody was signed in.' : 'You are signed in.';
  reply
    .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(`${told} You can close this window.`);
  if (code === null)
    came.reject(new SsoRefused(`Sign-in failed (${searchParams.get('error') ?? 'no code'}).`));
  else came.resolve(code);
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the browser of the machine, where there is one. */
export function openBrowser(address: string): void {
  const opener = openers[process.platform];
  if (!opener) return;
  const [program, ...args] = opener;
  // The address is printed as well, so a machine without a browser is no failure.
  spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
