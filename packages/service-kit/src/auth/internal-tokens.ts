import type { KeyObject } from 'node:crypto';
import { AppError } from '@portal/kernel';
import { decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** The keys of one service: what it proves itself with, and how it knows the others. */
export interface InternalKeys {
  /** Signs, and is the service's alone. */
  readonly privateKey: KeyObject;
  /** By the name of a service, what tells that it signed; several while a key is exchanged. */
  readonly publicKeys: ReadonlyMap<string, readonly KeyObject[]>;
  /** By the name of a service, 32 bytes each that it and this one alone have; the first one seals. */
  readonly sealingKeys: ReadonlyMap<string, readonly Buffer[]>;
}

const algorithm = 'EdDSA';
const lifetimeSeconds = 60;
const renewBeforeMs = 20_000;

/** Tokens that prove to service `audience` that `caller`, whose keys these are, asks; each is used for a little less than its minute. */
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
 * Tells the service that an internal token names. Throws `E40102` unless that service signed it for `audience` and it is
 * not over. A signature is checked once, since its token comes with every call for most of a minute.
 */
export function createInternalVerifier(
  audience: string,
  keys: InternalKeys,
): (token: string) => Promise<string> {
  const known = new LRUCache<string, string>({ max: knownTokens });

  async function verified(token: string): Promise<JWTPayload> {
    let refusal: unknown;
    for (const key of keysOfIssuer(token)) {
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

  /** Of whom the token names, which is proved by the signature of one of them alone. */
  function keysOfIssuer(token: string): readonly KeyObject[] {
    try {
      return keys.publicKeys.get(decodeJwt(token).iss ?? '') ?? [];
    } catch {
      return [];
    }
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
