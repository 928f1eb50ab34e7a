import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt } from './cipher.ts';

/** Encrypts private keys and other secrets for their place in the database; each is bound to what it is of. */
export interface KeyCipher {
  seal(secret: string, of: string): Buffer<ArrayBuffer>;
  /** Throws when the secret was sealed with none of the encryption keys, or for something else. */
  open(sealed: Uint8Array, of: string): string;
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
  return {
    seal: (secret, of) => encrypt(key, secret, of),
    open(sealed, of) {
      let cause: unknown;
      for (const one of keys) {
        try {
          return decrypt(one, sealed, of);
        } catch (error) {
          cause = error;
        }
      }
      throw new Error('KEY_ENCRYPTION_KEY does not hold the key that the keys and secrets were stored with', {
        cause,
      });
    },
  };
}
