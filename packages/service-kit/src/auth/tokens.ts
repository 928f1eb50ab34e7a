import { AppError, type Clock } from '@portal/kernel';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Revocations } from './revocations.ts';

export const tokenIssuer = 'portal';
export const tokenAlgorithm = 'EdDSA';

/** What an access token says, as signed by the identity service. */
export const tokenClaims = z.discriminatedUnion('aud', [
  z.object({
    aud: z.literal('admin'),
    sub: z.string(),
    sid: z.string(),
    role: z.number(),
    unit: z.number().nullable(),
    exp: z.number(),
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
  }),
]);
export type TokenClaims = z.output<typeof tokenClaims>;

/** Where the public keys come from: the identity service, or itself. */
export type KeySource = () => Promise<JSONWebKeySet>;

export interface TokenVerifier {
  /** The caller that a bearer token names. Throws `E40102` when it is forged, over or ended. */
  verify(token: string): Caller | Promise<Caller>;
  /** Whom a token names that was identified before, be it over by now or not. */
  known(token: string): Caller | undefined;
  /** Whom a token names, be it over or not: its signature is checked, and nothing else. Throws `E40102` when it is forged. */
  identify(token: string): Promise<Caller>;
  /** Throws `E40102` when the session of a caller is over or ended. */
  assertLive(caller: Caller): void;
}

/** Whether a token is over is asked apart from its signature. */
const anyTime = new Date(0);
const cachedTokens = 20_000;
const cachedBytes = 32 * 1024 ** 2;
/** Several times what any has; nothing longer is looked at, nor kept. */
const longestToken = 4_096;
/** What is kept of a caller beside the token. */
const callerBytes = 500;
const keyRefreshMs = 10_000;

/**
 * Verifies access tokens. A signature is checked once and its result kept, since an Ed25519 check costs more than the
 * rest of a small request; that the token is not over and not revoked is asked every time.
 */
export function createTokenVerifier(options: {
  keys: KeySource;
  revocations: Revocations;
  clock: Clock;
}): TokenVerifier {
  const { clock, keys, revocations } = options;
  const known = new LRUCache<string, Caller>({
    max: cachedTokens,
    maxSize: cachedBytes,
    sizeCalculation: (_, token) => token.length + callerBytes,
  });
  let keySet: ReturnType<typeof createLocalJWKSet> | undefined;
  let keysReadAt = Number.NEGATIVE_INFINITY;

  async function readKeys(): Promise<ReturnType<typeof createLocalJWKSet>> {
    keysReadAt = clock.now().getTime();
    keySet = createLocalJWKSet(await keys());
    return keySet;
  }

  async function payloadOf(token: string): Promise<JWTPayload> {
    const verifyWith = async (set: ReturnType<typeof createLocalJWKSet>) =>
      jwtVerify(token, set, { issuer: tokenIssuer, algorithms: [tokenAlgorithm], currentDate: anyTime });
    try {
      return (await verifyWith(keySet ?? (await readKeys()))).payload;
    } catch (error) {
      // A key that was made after the last look; forged key ids must not become a flood of look-ups.
      const mayBeNew =
        error instanceof errors.JWKSNoMatchingKey &&
        Math.abs(clock.now().getTime() - keysReadAt) > keyRefreshMs;
      if (!mayBeNew) throw error;
      return (await verifyWith(await readKeys())).payload;
    }
  }

  function assertLive(caller: Caller): void {
    if (caller.expiresAt <= clock.now() || revocations.has(caller.sessionId)) throw new AppError('E40102');
  }

  async function identify(token: string): Promise<Caller> {
    await revocations.loaded();
    let payload: JWTPayload;
    try {
      payload = await payloadOf(token);
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new AppError('E40102', [], { cause: error });
      throw error;
    }
    const claims = tokenClaims.safeParse(payload);
    if (!claims.success) throw new AppError('E40102');
    const caller = callerOf(claims.data);
    known.set(token, caller);
    return caller;
  }

  async function verifyNew(token: string): Promise<Caller> {
    const caller = await identify(token);
    assertLive(caller);
    return caller;
  }

  return {
    verify(token) {
      if (token.length > longestToken) throw new AppError('E40102');
      const caller = known.get(token);
      if (!caller) return verifyNew(token);
      assertLive(caller);
      return caller;
    },
    known: (token) => known.get(token),
    identify,
    assertLive,
  };
}

/** Whether a token says of itself that it is over; that it may be forged makes no difference to who refuses it. */
export function saysItIsOver(token: string, clock: Clock): boolean {
  try {
    const { exp } = decodeJwt(token);
    return exp !== undefined && exp * 1000 <= clock.now().getTime();
  } catch {
    return false;
  }
}

function callerOf(claims: TokenClaims): Caller {
  const shared = { role: claims.role, sessionId: claims.sid, expiresAt: new Date(claims.exp * 1000) };
  if (claims.aud === 'admin') {
    return { kind: 'admin', adminId: Number(claims.sub), unitId: claims.unit, ...shared };
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
