import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts text with a key of 32 bytes, so that nobody can read or change it unnoticed. `context` says what the text is
 * for: it opens for the same alone. Bytes become a key for each text, which takes longer than to encrypt it: so it is one already.
 */
export function encrypt(key: KeyObject, text: string, context: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** @throws Error for another key or context than it was encrypted with */
export function decrypt(key: KeyObject, sealed: Uint8Array, context: string): string {
  const iv = sealed.subarray(0, ivLength);
  const tag = sealed.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  const text = decipher.update(sealed.subarray(ivLength + tagLength));
  // Checks the tag; of this mode no text is left.
  decipher.final();
  return text.toString('utf8');
}
