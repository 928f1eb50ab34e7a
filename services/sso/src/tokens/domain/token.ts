import { createHash, randomBytes } from 'node:crypto';

/** By which scanners of repositories and logs know what it is. */
const prefix = 'portal_scim_';
/** As it is made; what is longer, or has other characters, is looked for in no database. */
const form = /^portal_scim_[A-Za-z0-9_-]{43}$/;

export const makeToken = (): string => prefix + randomBytes(32).toString('base64url');

/** What is kept of a token; undefined for a text that cannot be one. */
export function hashOf(token: string): Buffer<ArrayBuffer> | undefined {
  return form.test(token) ? Buffer.from(createHash('sha256').update(token).digest()) : undefined;
}
