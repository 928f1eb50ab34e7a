import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { identityRoutes, RouteReply } from '@portal/contracts';
import { type Clock, newId } from '@portal/kernel';
import { type KeyCipher, type Store, systemScope, tokenAlgorithm, tokenIssuer } from '@portal/service-kit';
import { createSigner } from 'fast-jwt';
import type { IdentityDb } from '../data/db.ts';
import type { SigningKey } from '../data/generated/client.ts';
import { deleteKeys, insertKey, listKeys, lockKeys } from '../data/key-repository.ts';
import { planRotation, signingKey } from '../domain/key-rotation.ts';

/** Signs a payload with one key. */
type Signer = (payload: Readonly<Record<string, unknown>>) => string;

/** The keys of all tokens. They live in the database, so that every instance signs and publishes the same. */
export interface KeyRing {
  /** A signed token, issued now unless the payload says otherwise. Its issuer and key are the ring's. */
  sign(payload: Readonly<Record<string, unknown>>): Promise<string>;
  /** Every public key that a token of this moment, or of the near future, may be signed with. */
  publicKeys(): Promise<RouteReply<typeof identityRoutes.jwks>>;
}

/** How long an instance goes without looking; far less than a key is published before it signs. */
const lookEveryMs = 60_000;

const scope = systemScope('keys of tokens are of no tenant');

const curve = { kty: 'OKP', crv: 'Ed25519' };

export function createKeyRing(options: {
  store: Store<IdentityDb>;
  clock: Clock;
  cipher: KeyCipher;
  rotateEveryMs: number;
}): KeyRing {
  const { cipher, clock, rotateEveryMs, store } = options;
  let latestSigner: { readonly kid: string; readonly sign: Signer } | undefined;
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
    const known = await store.read(scope, listKeys);
    const { obsolete, signsFrom } = planRotation(known, clock.now(), rotateEveryMs);
    if (signsFrom === undefined && obsolete.length === 0) return known;
    return store.write(scope, async ({ db }) => {
      await lockKeys(db);
      const due = planRotation(await listKeys(db), clock.now(), rotateEveryMs);
      if (due.signsFrom) await insertKey(db, makeKey(due.signsFrom));
      await deleteKeys(db, due.obsolete);
      return listKeys(db);
    });
  }

  function makeKey(signsFrom: Date) {
    const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    if (d === undefined || x === undefined) throw new Error('The key pair has no numbers');
    const kid = newId();
    return { kid, publicKey: x, privateKey: cipher.seal(d, kid), createdAt: clock.now(), signsFrom };
  }

  function signerOf({ kid, privateKey, publicKey }: SigningKey): Signer {
    if (latestSigner?.kid !== kid) {
      const jwk = { ...curve, x: publicKey, d: cipher.open(privateKey, kid) };
      const key = createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' });
      latestSigner = { kid, sign: createSigner({ algorithm: tokenAlgorithm, key, kid, iss: tokenIssuer }) };
    }
    return latestSigner.sign;
  }

  return {
    async sign(payload) {
      const key = signingKey(await keys(), clock.now());
      if (!key) throw new Error('There is no key to sign with');
      return signerOf(key)({ iat: Math.floor(clock.now().getTime() / 1000), ...payload });
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
