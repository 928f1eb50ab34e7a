import { createHash, randomBytes } from 'node:crypto';

/** What a link to choose a password carries. It goes into the mail alone; only its hash is stored. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOfLinkToken(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}
