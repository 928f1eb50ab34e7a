import type { KeyObject } from 'node:crypto';
import { AppError } from '@portal/kernel';
import { errors, jwtVerify, SignJWT } from 'jose';

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

/** The service that an internal token names. Throws `E40102` unless it was signed for `audience` and is not over. */
export async function verifyInternalToken(
  token: string,
  audience: string,
  keys: InternalKeys,
): Promise<string> {
  let refusal: unknown;
  for (const key of keys.publicKeys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        audience,
        algorithms: [algorithm],
        clockTolerance: 30,
      });
      return payload.iss ?? '';
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      refusal = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  throw new AppError('E40102', [], { cause: refusal });
}
