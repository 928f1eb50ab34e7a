import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt } from './cipher.ts';

/** Encrypts private keys and other secrets for their place in the database; each is bound to what it is of. */
export interface KeyCipher {
  seal(secret: string, of: string): Buffer<ArrayBuffer>;
  /** Throws when the secret was sealed with none of the encryption keys, or for something else. */
  open(sealed: Uint8Array, of: string): string;
  /** The secret sealed with the first of the encryption keys; undefined where it is already. Throws as `open` does. */
  renew(sealed: Uint8Array, of: string): Buffer<ArrayBuffer> | undefined;
  /** Whether something may be sealed with another key than the first. */
  readonly hasFormerKeys: boolean;
}

const mostKeys = 5;
const form = `must be 32 bytes in base64, or up to ${mostKeys} of them, separated by commas`;
const keyOf = (text: string) => Buffer.from(text.trim(), 'base64');

/** The setting KEY_ENCRYPTION_KEY: the keys of `createKeyCipher`. */
export const keyEncryptionKeys = z
  .string({ error: form })
  .transform((value): [Buffer, ...Buffer[]] => {
    const [first = '', ...others] = value.split(',');
    return [keyOf(first), ...others.map(keyOf)];
  })
  .refine((keys) => keys.length <= mostKeys && keys.every((key) => key.length === 32), { error: form });

/** The first key seals, and any of them opens: there are others while one is exchanged. */
export function createKeyCipher(first: Buffer, ...others: readonly Buffer[]): KeyCipher {
  const key = createSecretKey(first);
  const keys = [key, ...others.map((other) => createSecretKey(other))];

  function opened(sealed: Uint8Array, of: string): { readonly secret: string; readonly by: KeyObject } {
    let cause: unknown;
    for (const by of keys) {
      try {
        return { secret: decrypt(by, sealed, of), by };
      } catch (error) {
        cause = error;
      }
    }
    throw new Error('KEY_ENCRYPTION_KEY does not hold the key that the keys and secrets were stored with', {
      cause,
    });
  }

  return {
    seal: (secret, of) => encrypt(key, secret, of),
    open: (sealed, of) => opened(sealed, of).secret,
    renew(sealed, of) {
      const { by, secret } = opened(sealed, of);
      return by === key ? undefined : encrypt(key, secret, of);
    },
    hasFormerKeys: others.length > 0,
  };
}
