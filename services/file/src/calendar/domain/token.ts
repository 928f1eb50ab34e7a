import { createHash, randomBytes } from 'node:crypto';

/** As it is made; what is longer, or has other characters, is looked for in no database. */
const form = /^[A-Za-z0-9_-]{43}$/;

export const makeToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a token; undefined for a text that cannot be one. */
export function hashOf(token: string): Buffer<ArrayBuffer> | undefined {
  return form.test(token) ? Buffer.from(createHash('sha256').update(token).digest()) : undefined;
}
