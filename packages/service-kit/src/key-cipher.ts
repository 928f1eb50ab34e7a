import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt } from './cipher.ts';

/** Encrypts private keys and other secrets for their place in the database; each is bound to what it is of. */
export interface KeyCipher {
  seal(secret: string, of: string): Buffer<ArrayBuffer>;
  /** Throws when the secret was sealed with another encryption key, or for something else. */
  open(sealed: Uint8Array, of: string): string;
}

const form = 'must be 32 bytes in base64';

/** The setting KEY_ENCRYPTION_KEY: the key of `createKeyCipher`. */
export const keyEncryptionKey = z
  .string({ error: form })
  .transform((value) => Buffer.from(value, 'base64'))
  .refine((key) => key.length === 32, { error: form });

export function createKeyCipher(encryptionKey: Buffer): KeyCipher {
  const key = createSecretKey(encryptionKey);
  return {
    seal: (secret, of) => encrypt(key, secret, of),
    open(sealed, of) {
      try {
        return decrypt(key, sealed, of);
      } catch (cause) {
        throw new Error('KEY_ENCRYPTION_KEY is not the one that the keys and secrets were stored with', {
          cause,
        });
      }
    },
  };
}
