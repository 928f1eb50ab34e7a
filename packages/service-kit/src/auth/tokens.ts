import { createPublicKey, type JsonWebKey } from 'node:crypto';
import fastifyJwt, { type TokenOrHeader } from '@fastify/jwt';
import { AppError, type Clock } from '@portal/kernel';
import { createDecoder } from 'fast-jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { bearerOf } from './authorise.ts';
import type { Caller } from './caller.ts';
import type { Revocations } from './revocations.ts';
import { assertTokenText } from './token-text.ts';

export const tokenIssuer = 'portal';
export const tokenAlgorithm = 'EdDSA';

/** Whoever has it may set up two factors, and do nothing else before. */
const setup = z.boolean().optional();

/** What an access token says, as signed by the identity service. */
export const tokenClaims = z.discriminatedUnion('aud', [
  z.object({
    aud: z.literal('admin'),
    sub: z.string(),
    sid: z.string(),
    role: z.number(),
    unit: z.number().nullable(),
    /** The revision of the administrator; absent in tokens of earlier versions. */
    rev: z.number().optional(),
    exp: z.number(),
    setup,
  }),
  z.object({
    aud: z.literal('tenant'),
    sub: z.string(),
    sid: z.string(),
    role: z.number(),
    partner: z.number(),
    client: z.enum(['portal', 'player']),
    platform: z.string().nullable(),
    exp: z.number(),
    setup,
  }),
]);
export type TokenClaims = z.output<typeof tokenClaims>;

/** Where the public keys come from: the identity service, or itself. */
export type KeySource = () => Promise<{ readonly keys: readonly JsonWebKey[] }>;

export interface TokenOptions {
  readonly keys: KeySource;
  readonly revocations: Revocations;
  readonly clock: Clock;
}

export interface TokenVerifier {
  /**
   * The caller that a request's bearer token names, with the role that they have now. Throws `E40101` without one, `E40102`
   * when it is forged, over or ended.
   */
  verify(request: FastifyRequest): Caller | Promise<Caller>;
  /** Whom a token names that was identified before, be it over by now or not. */
  known(token: string): Caller | undefined;
  /**
   * Whom the bearer token of a request names, be it over or not: its signature is checked, and nothing else. Throws
   * `E40101` without a token, `E40102` when it is forged.
   */
  identify(request: FastifyRequest): Promise<Caller>;
  /** Throws `E40102` if the session of a caller has expired or was revoked. */
  assertLive(caller: Caller): void;
}

const cachedTokens = 20_000;
const cachedBytes = 32 * 1024 ** 2;
/** What is kept of a caller beside the token. */
const callerBytes = 500;
const keyRefreshMs = 10_000;

/**
 * Verifies access tokens with the plugin `@fastify/jwt`, which it registers on `app`. A signature is checked once and its
 * result kept, since an Ed25519 check costs more than the rest of a small request; that the token is not over, not
 * revoked and of which role is asked every time.
 */
export function createTokenVerifier(app: FastifyInstance, options: TokenOptions): TokenVerifier {
  const { clock, keys, revocations } = options;
  const known = new LRUCache<string, Caller>({
    max: cachedTokens,
    maxSize: cachedBytes,
    sizeCalculation: (_, token) => token.length + callerBytes,
  });
  const keyOf = publishedKeys(keys, clock);
  void app.register(fastifyJwt, {
    secret: { public: async (_request: FastifyRequest, token: TokenOrHeader) => keyOf(token['header'].kid) },
    // With its header, which names the key.
    decode: { complete: true },
    verify: {
      extractToken: ({ headers }) => bearerOf(headers.authorization),
      algorithms: [tokenAlgorithm],
      allowedIss: tokenIssuer,
      requiredClaims: ['iss'],
      // By `assertLive`, of known tokens as well.
      ignoreExpiration: true,
    },
  });

  function assertLive(caller: Caller): void {
    if (caller.expiresAt <= clock.now() || revocations.has(caller.sessionId)) throw new AppError('E40102');
  }

  async function identify(request: FastifyRequest): Promise<Caller> {
    const token = bearerOf(request.headers.authorization);
    assertTokenText(token);
    await revocations.loaded();
    const payload = await request.jwtVerify<object>().catch((error: unknown) => {
      throw isRefusal(error) ? new AppError('E40102', [], { cause: error }) : error;
    });
    const claims = tokenClaims.safeParse(payload);
    if (!claims.success) throw new AppError('E40102');
    const caller = callerOf(claims.data);
    known.set(token, caller);
    return caller;
  }

  async function verifyNew(request: FastifyRequest): Promise<Caller> {
    const caller = await identify(request);
    assertLive(caller);
    return revocations.withRoleOfNow(caller);
  }

  return {
    verify(request) {
      const caller = known.get(bearerOf(request.headers.authorization));
      if (!caller) return verifyNew(request);
      assertLive(caller);
      return revocations.withRoleOfNow(caller);
    },
    known: (token) => known.get(token),
    identify,
    assertLive,
  };
}

/** Looks up public keys by their id, in PEM. Rejects with `E40102` when there is none of that id. */
function publishedKeys(read: KeySource, clock: Clock): (kid: unknown) => Promise<string> {
  let latest: ReadonlyMap<unknown, string> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readKeys(): Promise<ReadonlyMap<unknown, string>> {
    readAt = clock.now().getTime();
    const { keys } = await read();
    latest = new Map(keys.map((key) => [key['kid'], pemOf(key)]));
    return latest;
  }

  return async (kid) => {
    let key = (latest ?? (await readKeys())).get(kid);
    // It may have been made after the last look; forged key ids must not become a flood of look-ups.
    if (key === undefined && Math.abs(clock.now().getTime() - readAt) > keyRefreshMs) {
      key = (await readKeys()).get(kid);
    }
    if (key === undefined) throw new AppError('E40102');
    return key;
  };
}

function pemOf(key: JsonWebKey): string {
  return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
}

/** Whether an error is the plugin's, or its library's, about the token. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^FA?ST_JWT_/.test(String(error.code));
}

const decode = createDecoder();

/** Whether a token states that it has expired. It may be forged; it is refused in either case. */
export function isExpired(token: string, clock: Clock): boolean {
  try {
    const { exp }: { exp?: unknown } = decode(token);
    return typeof exp === 'number' && exp * 1000 <= clock.now().getTime();
  } catch {
    return false;
  }
}

function callerOf(claims: TokenClaims): Caller {
  const shared = {
    role: claims.role,
    sessionId: claims.sid,
    expiresAt: new Date(claims.exp * 1000),
    settingUp: claims.setup ?? false,
  };
  if (claims.aud === 'admin') {
    const { rev: revision = 0, sub, unit: unitId } = claims;
    return { kind: 'admin', adminId: Number(sub), unitId, revision, ...shared };
  }
  return {
    kind: 'tenant',
    accountId: Number(claims.sub),
    partnerId: claims.partner,
    client: claims.client,
    platformUuid: claims.platform,
    ...shared,
  };
}
