import { decrypt, encrypt } from '@portal/service-kit';

/** Encrypts private keys and secrets of second factors for their place in the database; each is bound to what it is of. */
export interface KeyCipher {
  seal(secret: string, of: string): Buffer<ArrayBuffer>;
  /** Throws when the secret was sealed with another encryption key, or for something else. */
  open(sealed: Uint8Array, of: string): string;
}

export function createKeyCipher(encryptionKey: Buffer): KeyCipher {
  return {
    seal: (secret, of) => encrypt(encryptionKey, secret, of),
    open(sealed, of) {
      try {
        return decrypt(encryptionKey, sealed, of);
      } catch (cause) {
        throw new Error('KEY_ENCRYPTION_KEY is not the one that the keys and secrets were stored with', {
          cause,
        });
      }
    },
  };
}
