import type { KeyObject } from 'node:crypto';
import { AppError } from '@portal/kernel';
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
import { assertTokenText } from './token-text.ts';

/** The keys of one service: what it proves itself with, and how it knows the others. */
export interface InternalKeys {
  /** Signs, and is the service's alone. */
  readonly privateKey: KeyObject;
  /** By the name of a service, what tells that it signed; several while a key is exchanged. */
  readonly publicKeys: ReadonlyMap<string, readonly KeyObject[]>;
  /** By the name of a service, keys that it and this one alone have; the first one seals. */
  readonly sealingKeys: ReadonlyMap<string, readonly KeyObject[]>;
}

const algorithm = 'EdDSA';
const lifetimeMs = 60_000;
const renewBeforeMs = 20_000;

/** Tokens that prove to service `audience` that `caller`, whose keys these are, asks; each is used for a little less than its minute. */
export function createInternalTokens(caller: string, keys: InternalKeys): (audience: string) => string {
  const sign = createSigner({
    algorithm,
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    iss: caller,
    expiresIn: lifetimeMs,
  });
  const current = new Map<string, { token: string; until: number }>();
  return (audience) => {
    // Real time, not the product's clock, because the token only concerns processes.
    const now = Date.now();
    const known = current.get(audience);
    if (known && known.until > now) return known.token;
    const token = sign({ aud: audience });
    current.set(audience, { token, until: now + lifetimeMs - renewBeforeMs });
    return token;
  };
}

const toleranceMs = 30_000;
const knownTokens = 100;
const decode = createDecoder();

/**
 * Tells the service that an internal token names. Throws `E40102` unless that service signed it for `audience` and it is
 * not over. A signature is checked once, since its token comes with every call for most of a minute.
 */
export function createInternalVerifier(
  audience: string,
  keys: InternalKeys,
): (token: string) => Promise<string> {
  const known = new LRUCache<string, string>({ max: knownTokens });
  const verifiers = new Map(
    [...keys.publicKeys].map(([service, ofService]) => [
      service,
      ofService.map((key) =>
        createVerifier({
          key: key.export({ type: 'spki', format: 'pem' }),
          algorithms: [algorithm],
          allowedIss: service,
          allowedAud: audience,
          requiredClaims: ['iss', 'aud', 'exp'],
          clockTolerance: toleranceMs,
        }),
      ),
    ]),
  );

  /** When the token ends, if `service` signed it with any of its keys. */
  function expiryOf(token: string, service: string): number {
    let refusal: unknown;
    for (const verify of verifiers.get(service) ?? []) {
      try {
        const { exp }: { exp: number } = verify(token);
        return exp * 1000;
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        refusal = error;
        if (error.code !== TokenError.codes.invalidSignature) break;
      }
    }
    throw new AppError('E40102', [], { cause: refusal });
  }

  return async (token) => {
    const remembered = known.get(token);
    if (remembered !== undefined) return remembered;
    assertTokenText(token);
    const service = issuerOf(token);
    const ttl = expiryOf(token, service) + toleranceMs - Date.now();
    if (ttl > 0) known.set(token, service, { ttl });
    return service;
  };
}

/** Whom a token names, which only a signature of that service proves; empty when it names nobody. */
function issuerOf(token: string): string {
  try {
    const { iss }: { iss?: unknown } = decode(token);
    return typeof iss === 'string' ? iss : '';
  } catch {
    return '';
  }
}
