import { decrypt, encrypt } from '@portal/service-kit';

/** Encrypts private keys for their place in the database; each is bound to its key id. */
export interface KeyCipher {
  seal(secret: string, kid: string): Buffer<ArrayBuffer>;
  /** Throws when the secret was sealed with another encryption key, or for another key id. */
  open(sealed: Uint8Array, kid: string): string;
}

export function createKeyCipher(encryptionKey: Buffer): KeyCipher {
  return {
    seal: (secret, kid) => encrypt(encryptionKey, secret, kid),
    open(sealed, kid) {
      try {
        return decrypt(encryptionKey, sealed, kid);
      } catch (cause) {
        throw new Error('KEY_ENCRYPTION_KEY is not the one that the token keys were stored with', { cause });
      }
    },
  };
}
