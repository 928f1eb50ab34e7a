import { createHash, timingSafeEqual } from 'node:crypto';
import { fieldError } from '@portal/kernel';
import type { Client } from './redirect.ts';

/** SHA-256 in base64url. */
const challenge = /^[A-Za-z0-9_-]{43}$/;
const verifier = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * The challenge that a code will be bound to; a player needs one, since another app may listen where its code goes. Throws `E40003` and
 * `E40002` on codeChallenge.
 */
export function requireChallenge(
  client: Client,
  asked: { readonly codeChallenge?: string | undefined; readonly codeChallengeMethod?: string | undefined },
): string | null {
  const { codeChallenge = '', codeChallengeMethod = '' } = asked;
  if (codeChallenge === '' && codeChallengeMethod === '') {
    if (client === 'portal') return null;
    throw fieldError('E40003', 'codeChallenge', 'required');
  }
  if (codeChallengeMethod !== 'S256' || !challenge.test(codeChallenge)) {
    throw fieldError('E40002', 'codeChallenge', 'invalidValue');
  }
  return codeChallenge;
}

/**
 * Whether the verifier is that of the challenge (RFC 7636). A code without a challenge takes none: whoever has a verifier began with a
 * challenge, and the code is not of that sign-in, but of somebody else who would have them signed in as themselves (RFC 9700, 4.8).
 */
export function isVerified(codeChallenge: string | null, codeVerifier: string | null | undefined): boolean {
  if (codeChallenge === null) return (codeVerifier ?? '') === '';
  if (codeVerifier == null || !verifier.test(codeVerifier)) return false;
  const made = createHash('sha256').update(codeVerifier).digest('base64url');
  return timingSafeEqual(Buffer.from(made), Buffer.from(codeChallenge));
}
