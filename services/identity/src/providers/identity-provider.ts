import { createHash } from 'node:crypto';
import { AppError, type Clock } from '@portal/kernel';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oauth from 'oauth4webapi';
import { z } from 'zod';

/** How the installation is known to an identity provider. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** Whose account it is, as the provider says. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Null where the provider does not say that it has proved one. */
  readonly email: string | null;
}

export interface Tokens {
  readonly accessToken: string;
  /** Null where the provider gave none. */
  readonly idToken: string | null;
}

export interface IdentityProviderClient {
  /** Where a browser signs in. */
  authorizationUrl(flow: { state: string; nonce: string; codeVerifier: string }): Promise<URL>;
  /** The tokens of a code. Throws `E40102` unless all that the provider says is as it must be. */
  redeem(
    answer: URLSearchParams,
    flow: { state: string; nonce: string; codeVerifier: string },
  ): Promise<Tokens & { readonly expiresIn: number | undefined }>;
  /** Whose tokens these are. Throws `E40102` unless they were made for this installation; `isOurs` knows its nonces. */
  identify(tokens: Tokens, isOurs: (nonce: string) => boolean): Promise<ProvenIdentity>;
}

/** A provider that is slow keeps nobody longer. */
const withinMs = 10_000;
/** A provider may have new keys, and other addresses. */
const keptMs = 3_600_000;

/** By xms_edov Microsoft says that the owner of the domain has proved the address; some tenants say it as text. */
const claimsOf = z.object({
  sub: z.string(),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.literal('true')]).optional(),
  xms_edov: z.union([z.boolean(), z.number(), z.string()]).optional(),
});

/** By OpenID Connect, which the library speaks: what it does not check is `at_hash`, and whose nonce it is. */
export function createIdentityProvider(
  { clientId, clientSecret, issuer }: ProviderSettings,
  options: { readonly redirectUri: string; readonly clock: Clock; readonly trustsXmsEdov: boolean },
): IdentityProviderClient {
  const { clock, redirectUri, trustsXmsEdov } = options;
  const issuerUrl = new URL(issuer);
  const requests = () => ({
    // Settings allow it for loopback in a demo alone.
    [oauth.allowInsecureRequests]: issuerUrl.protocol === 'http:',
    signal: AbortSignal.timeout(withinMs),
  });
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret);
  const keys: oauth.JWKSCacheInput = {};
  let known: { readonly server: oauth.AuthorizationServer; readonly until: number } | undefined;

  /** The product's time may be another than the machine's. */
  const client = (): oauth.Client => ({
    client_id: clientId,
    [oauth.clockSkew]: Math.round((clock.now().getTime() - Date.now()) / 1000),
    [oauth.clockTolerance]: 30,
  });

  async function discover(): Promise<oauth.AuthorizationServer> {
    const now = Date.now();
    if (known && known.until > now) return known.server;
    try {
      const response = await oauth.discoveryRequest(issuerUrl, requests());
      const server = await oauth.processDiscoveryResponse(issuerUrl, response);
      known = { server, until: now + keptMs };
      return server;
    } catch (error) {
      throw new AppError('E50301', [], { cause: error });
    }
  }

  /** Holds an answer of the token endpoint, or what somebody shows as one, to the protocol. */
  async function checked(
    server: oauth.AuthorizationServer,
    response: Response,
    expectedNonce: string,
  ): Promise<oauth.TokenEndpointResponse> {
    const tokens = await oauth.processAuthorizationCodeResponse(server, client(), response, {
      expectedNonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, {
      ...requests(),
      [oauth.jwksCache]: keys,
    });
    requireAccessTokenOf(tokens.id_token ?? '', tokens.access_token);
    return tokens;
  }

  return {
    async authorizationUrl({ codeVerifier, nonce, state }) {
      const server = await discover();
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = new URLSearchParams([
        ...url.searchParams,
        ['client_id', clientId],
        ['redirect_uri', redirectUri],
        ['response_type', 'code'],
        ['scope', 'openid email profile'],
        ['state', state],
        ['nonce', nonce],
        ['code_challenge', await oauth.calculatePKCECodeChallenge(codeVerifier)],
        ['code_challenge_method', 'S256'],
      ]).toString();
      return url;
    },

    async redeem(answer, { codeVerifier, nonce, state }) {
      const server = await discover();
      return orInvalid(async () => {
        const parameters = oauth.validateAuthResponse(server, client(), answer, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client(),
          authentication,
          parameters,
          redirectUri,
          codeVerifier,
          requests(),
        );
        const tokens = await checked(server, response, nonce);
        return {
          accessToken: tokens.access_token,
          idToken: tokens.id_token ?? null,
          expiresIn: tokens.expires_in,
        };
      });
    },

    async identify({ accessToken, idToken }, isOurs) {
      const server = await discover();
      return orInvalid(async () => {
        if (idToken === null) return introspected(server, accessToken);
        const { nonce } = decodeJwt(idToken);
        if (typeof nonce !== 'string' || !isOurs(nonce)) throw new Error('A nonce of somebody else');
        const shown = Response.json({ access_token: accessToken, id_token: idToken, token_type: 'bearer' });
        const claims = oauth.getValidatedIdTokenClaims(await checked(server, shown, nonce));
        return identityOf(server.issuer, claims);
      });
    },
  };

  /** An access token alone says nothing: the issuer does, for which client it made it. */
  async function introspected(
    server: oauth.AuthorizationServer,
    accessToken: string,
  ): Promise<ProvenIdentity> {
    if (server.introspection_endpoint === undefined) throw new Error('The issuer does not introspect');
    const response = await oauth.introspectionRequest(
      server,
      client(),
      authentication,
      accessToken,
      requests(),
    );
    const told = await oauth.processIntrospectionResponse(server, client(), response);
    if (!told.active || told.client_id !== clientId) throw new Error('Not made for this installation');
    return identityOf(server.issuer, told);
  }

  function identityOf(by: string, claims: unknown): ProvenIdentity {
    const { email, email_verified: verified, sub, xms_edov: edov } = claimsOf.parse(claims);
    const isProved =
      verified === undefined
        ? trustsXmsEdov && [true, 1, '1', 'true'].some((yes) => yes === edov)
        : Boolean(verified);
    return { issuer: by, subject: sub, email: isProved ? (email ?? null) : null };
  }
}

/** Throws unless the access token is the one that the id_token was made with; taken where the id_token does not say. */
function requireAccessTokenOf(idToken: string, accessToken: string): void {
  const { at_hash: told } = decodeJwt(idToken);
  if (told === undefined) return;
  const { alg = '' } = decodeProtectedHeader(idToken);
  // EdDSA with Ed25519 uses SHA-512; the others name theirs.
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512';
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  const half = hash.subarray(0, hash.length / 2).toString('base64url');
  if (told !== half) throw new Error('An access token of another id_token');
}

/** Whatever is wrong with what somebody shows is `E40102`; a provider that does not answer is an outage. */
async function orInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isOutage = error instanceof TypeError && error.message === 'fetch failed';
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw new AppError(isOutage || isLate ? 'E50301' : 'E40102', [], { cause: error });
  }
}
