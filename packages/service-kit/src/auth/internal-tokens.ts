import type { KeyObject } from 'node:crypto';
import { AppError } from '@portal/kernel';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** The keys with which the services of one installation vouch for each other. */
export interface InternalKeys {
  readonly privateKey: KeyObject;
  /** More than one while a key is exchanged; the newest first. */
  readonly publicKeys: readonly KeyObject[];
  /** 32 bytes each, for what only services may read. The newest first. */
  readonly sealingKeys: readonly Buffer[];
}

const algorithm = 'EdDSA';
const lifetimeSeconds = 60;
const renewBeforeMs = 20_000;

/** Tokens that prove to service `audience` that `caller` asks; each is used for a little less than its minute. */
export function createInternalTokens(
  caller: string,
  keys: InternalKeys,
): (audience: string) => Promise<string> {
  const current = new Map<string, { token: string; until: number }>();
  return async (audience) => {
    // Real time, not the product's clock: this is a matter between processes.
    const now = Date.now();
    const known = current.get(audience);
    if (known && known.until > now) return known.token;
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(caller)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(keys.privateKey);
    current.set(audience, { token, until: now + lifetimeSeconds * 1000 - renewBeforeMs });
    return token;
  };
}

const toleranceSeconds = 30;
const knownTokens = 100;
/** Several times what any has; nothing longer is looked at, nor kept. */
const longestToken = 2_048;

/**
 * Tells the service that an internal token names. Throws `E40102` unless it was signed for `audience` and is not over. A
 * signature is checked once, since its token comes with every call for most of a minute.
 */
export function createInternalVerifier(
  audience: string,
  keys: InternalKeys,
): (token: string) => Promise<string> {
  const known = new LRUCache<string, string>({ max: knownTokens });

  async function verified(token: string): Promise<JWTPayload> {
    let refusal: unknown;
    for (const key of keys.publicKeys) {
      try {
        const options = { audience, algorithms: [algorithm], clockTolerance: toleranceSeconds };
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        refusal = error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
      }
    }
    throw new AppError('E40102', [], { cause: refusal });
  }

  return async (token) => {
    if (token.length > longestToken) throw new AppError('E40102');
    const remembered = known.get(token);
    if (remembered !== undefined) return remembered;
    const { exp = 0, iss = '' } = await verified(token);
    const ttl = (exp + toleranceSeconds) * 1000 - Date.now();
    if (ttl > 0) known.set(token, iss, { ttl });
    return iss;
  };
}
