import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { InternalKeys } from '../auth/internal-tokens.ts';

/**
 * The keys of services come from 32 random bytes each, which stay with the service. From them it has a key to sign with
 * (Ed25519) and one to agree with another service on a key for seals (X25519); the public halves of both are what the others
 * know of it.
 */

const keyBytes = 32;
/** What stands before a key in PKCS #8 and in SubjectPublicKeyInfo (RFC 8410). */
const prefixes = {
  signing: { pkcs8: '302e020100300506032b657004220420', spki: '302a300506032b6570032100' },
  agreeing: { pkcs8: '302e020100300506032b656e04220420', spki: '302a300506032b656e032100' },
};
type Use = keyof typeof prefixes;

/** The public halves of a service's key, in base64. */
export function publicKeyOf(seed: Uint8Array): string {
  const halves = [privateKey('signing', seed), privateKey('agreeing', agreementSeed(seed))].map((key) =>
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-keyBytes),
  );
  return Buffer.concat(halves).toString('base64');
}

/** Whether it is something that `publicKeyOf` gives. */
export const isPublicKey = (text: string) => Buffer.from(text, 'base64').length === 2 * keyBytes;

/**
 * @param own the service's keys, 32 bytes each: the first one signs and seals, all of them open, so that a key can be
 *   exchanged without a pause
 * @param known the public keys of every service: what is sealed for one is sealed with its first, all of them verify
 */
export function internalKeysOf(
  service: string,
  own: readonly Uint8Array[],
  known: ReadonlyMap<string, readonly string[]>,
): InternalKeys {
  const [newest] = own;
  if (!newest) throw new Error(`No key of ${service}`);
  const halves = new Map([...known].map(([name, keys]) => [name, keys.map(halvesOf)]));
  const sealingKeys = new Map(
    [...halves].map(([name, keys]) => [
      name,
      keys.flatMap((key) => own.map((seed) => sharedKey(seed, key.agreeing))),
    ]),
  );
  return {
    privateKey: privateKey('signing', newest),
    publicKeys: new Map([...halves].map(([name, keys]) => [name, keys.map(({ signing }) => signing)])),
    sealingKeys: sealingKeys.set(service, own.map(sealingKey)),
  };
}

function halvesOf(publicKeyText: string): Record<Use, KeyObject> {
  const bytes = Buffer.from(publicKeyText, 'base64');
  return {
    signing: publicKey('signing', bytes.subarray(0, keyBytes)),
    agreeing: publicKey('agreeing', bytes.subarray(keyBytes)),
  };
}

function sharedKey(seed: Uint8Array, other: KeyObject): KeyObject {
  const agreed = diffieHellman({ privateKey: privateKey('agreeing', agreementSeed(seed)), publicKey: other });
  return sealingKey(agreed);
}

const sealingKey = (secret: Uint8Array) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'portal seals', keyBytes)));
const agreementSeed = (seed: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', seed, '', 'portal agreement', keyBytes));

const privateKey = (use: Use, seed: Uint8Array) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from(prefixes[use].pkcs8, 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
const publicKey = (use: Use, bytes: Uint8Array) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from(prefixes[use].spki, 'hex'), bytes]),
    format: 'der',
    type: 'spki',
  });
