import { hash, randomBytes } from 'node:crypto';

/** By which scanners of repositories and logs know what it is. */
const prefix = 'portal_db_';
/** As it is made; what is longer, or has other characters, is looked for in no database. */
const form = /^portal_db_[A-Za-z0-9_-]{43}$/;

export const makeKey = (): string => prefix + randomBytes(32).toString('base64url');

/** What a key is found by; undefined for a text that cannot be one. */
export function hashOf(key: string): Buffer<ArrayBuffer> | undefined {
  return form.test(key) ? Buffer.from(hash('sha256', key, 'buffer')) : undefined;
}
