import { type Clock, newId } from '@portal/kernel';
import { everything, type Store, tokenAlgorithm, tokenIssuer } from '@portal/service-kit';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import type { IdentityDb } from '../data/db.ts';
import type { SigningKey } from '../data/generated/client.ts';
import { deleteKeys, insertKey, listKeys, lockKeys } from '../data/key-repository.ts';
import { planRotation, signingKey } from '../domain/key-rotation.ts';
import type { KeyCipher } from './key-cipher.ts';

interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  kid: string;
  alg: string;
  use: string;
}

/** The keys of all tokens. They live in the database, so that every instance signs and publishes the same. */
export interface KeyRing {
  /** A signed token. Its issuer and key are the ring's; audience, subject and times are the payload's. */
  sign(payload: JWTPayload): Promise<string>;
  /** Every public key that a token of this moment, or of the near future, may be signed with. */
  publicKeys(): Promise<{ keys: PublicJwk[] }>;
}

/** How long an instance goes without looking; far less than a key is published before it signs. */
const lookEveryMs = 60_000;

const curve = { kty: 'OKP', crv: 'Ed25519' };

export function createKeyRing(options: {
  store: Store<IdentityDb>;
  clock: Clock;
  cipher: KeyCipher;
  rotateEveryMs: number;
}): KeyRing {
  const { cipher, clock, rotateEveryMs, store } = options;
  const opened = new Map<string, CryptoKey>();
  let latest: { readonly keys: Promise<SigningKey[]>; readonly readAt: number } | undefined;

  async function keys(): Promise<SigningKey[]> {
    const now = clock.now().getTime();
    if (!latest || Math.abs(now - latest.readAt) >= lookEveryMs) {
      const looking = rotated();
      latest = { keys: looking, readAt: now };
      looking.catch(() => {
        latest = undefined;
      });
    }
    return latest.keys;
  }

  /** The keys after what was due is done, by this instance or by another. */
  async function rotated(): Promise<SigningKey[]> {
    const known = await store.read(everything, listKeys);
    const { obsolete, signsFrom } = planRotation(known, clock.now(), rotateEveryMs);
    if (signsFrom === undefined && obsolete.length === 0) return known;
    return store.write(everything, async ({ db }) => {
      await lockKeys(db);
      const due = planRotation(await listKeys(db), clock.now(), rotateEveryMs);
      if (due.signsFrom) await insertKey(db, await makeKey(due.signsFrom));
      await deleteKeys(db, due.obsolete);
      return listKeys(db);
    });
  }

  async function makeKey(signsFrom: Date) {
    const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true });
    const { d, x } = await exportJWK(privateKey);
    if (d === undefined || x === undefined) throw new Error('The key pair has no numbers');
    const kid = newId();
    return { kid, publicKey: x, privateKey: cipher.seal(d, kid), createdAt: clock.now(), signsFrom };
  }

  async function openKey({ kid, privateKey, publicKey }: SigningKey): Promise<CryptoKey> {
    const known = opened.get(kid);
    if (known) return known;
    const jwk = { ...curve, x: publicKey, d: cipher.open(privateKey, kid) };
    const key = await importJWK(jwk, tokenAlgorithm);
    if (key instanceof Uint8Array) throw new Error('Not a key pair');
    // The keys that signed before are not needed again.
    opened.clear();
    opened.set(kid, key);
    return key;
  }

  return {
    async sign(payload) {
      const key = signingKey(await keys(), clock.now());
      if (!key) throw new Error('There is no key to sign with');
      return new SignJWT(payload)
        .setProtectedHeader({ alg: tokenAlgorithm, kid: key.kid })
        .setIssuer(tokenIssuer)
        .sign(await openKey(key));
    },
    async publicKeys() {
      return {
        keys: (await keys()).map(({ kid, publicKey }) => ({
          ...curve,
          x: publicKey,
          kid,
          alg: tokenAlgorithm,
          use: 'sig',
        })),
      };
    },
  };
}
