import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts private keys for their place in the database; each is bound to its key id. */
export interface KeyCipher {
  seal(secret: string, kid: string): Buffer<ArrayBuffer>;
  /** Throws when the secret was sealed with another encryption key, or for another key id. */
  open(sealed: Uint8Array, kid: string): string;
}

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

export function createKeyCipher(encryptionKey: Buffer): KeyCipher {
  return {
    seal(secret, kid) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, encryptionKey, iv).setAAD(Buffer.from(kid));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed, kid) {
      const iv = sealed.subarray(0, ivLength);
      const tag = sealed.subarray(ivLength, ivLength + tagLength);
      const decipher = createDecipheriv(algorithm, encryptionKey, iv, { authTagLength: tagLength });
      decipher.setAAD(Buffer.from(kid)).setAuthTag(tag);
      try {
        const secret = Buffer.concat([
          decipher.update(sealed.subarray(ivLength + tagLength)),
          decipher.final(),
        ]);
        return secret.toString('utf8');
      } catch (cause) {
        throw new Error('KEY_ENCRYPTION_KEY is not the one that the token keys were stored with', { cause });
      }
    },
  };
}
