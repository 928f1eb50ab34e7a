import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** An identity provider that says what a test wants, be it true or not. */
export interface LyingProvider {
  readonly issuer: string;
  /** The body of the last request for tokens. */
  readonly asked: () => URLSearchParams | undefined;
  /** What it answers to the next code. */
  answers(lies: Lies): void;
  /** What it says of an access token that is shown alone. */
  introspects(token: string, told: object): void;
  /** An id_token, with what is told. */
  idToken(lies: Lies): Promise<string>;
  stop(): Promise<void>;
}

export interface Lies {
  readonly nonce?: string;
  readonly claims?: JWTPayload;
  /** Signed by a key that is not the provider's. */
  readonly otherKey?: boolean;
  /** The access token that at_hash is of. */
  readonly hashed?: string | null;
  readonly withoutIdToken?: boolean;
}

export const accessToken = 'the-access-token';
export const clientId = 'this-portal';

const halfHash = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

export async function startLyingProvider(now: () => Date): Promise<LyingProvider> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const introspected = new Map<string, object>();
  const codes = new Set<string>();
  let next: Lies = {};
  let asked: URLSearchParams | undefined;
  let issuer = '';

  async function idToken({ claims, hashed = accessToken, nonce, otherKey = false }: Lies): Promise<string> {
    const at = Math.floor(now().getTime() / 1000);
    return new SignJWT({
      iss: issuer,
      aud: clientId,
      sub: 'subject-1',
      iat: at,
      exp: at + 600,
      email: 'visitor@example.com',
      email_verified: true,
      ...(nonce !== undefined && { nonce }),
      ...(hashed !== null && { at_hash: halfHash(hashed) }),
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(otherKey ? other.privateKey : own.privateKey);
  }

  async function answer(path: string, form: URLSearchParams): Promise<[status: number, body: object]> {
    switch (path) {
      case '/.well-known/openid-configuration':
        return [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            introspection_endpoint: `${issuer}/introspect`,
            id_token_signing_alg_values_supported: ['RS256'],
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
          },
        ];
      case '/keys':
        return [200, { keys: [jwk] }];
      case '/introspect':
        return [200, introspected.get(form.get('token') ?? '') ?? { active: false }];
      case '/token': {
        asked = form;
        const code = form.get('code') ?? '';
        if (codes.has(code)) return [400, { error: 'invalid_grant' }];
        codes.add(code);
        return [
          200,
          {
            access_token: accessToken,
            token_type: 'Bearer',
            expires_in: 600,
            ...(!next.withoutIdToken && { id_token: await idToken(next) }),
          },
        ];
      }
      default:
        return [404, {}];
    }
  }

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      void answer(request.url ?? '', new URLSearchParams(body)).then(([status, reply]) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    asked: () => asked,
    answers(lies) {
      next = lies;
    },
    introspects: (token, told) => void introspected.set(token, told),
    idToken,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
