import { limits } from '@portal/contracts';
import { newId } from '@portal/kernel';
import type { TokenClaims } from '@portal/service-kit';
import type { Session } from '../data/generated/client.ts';
import type { KeyRing } from './key-ring.ts';

/** What every sign-in and refresh answers; `expiresIn` in seconds. */
export interface AccessToken {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

/** A token of this session that is over when the session is, as it stands. */
export async function issueAccessToken(keyRing: KeyRing, session: Session): Promise<AccessToken> {
  return {
    // Two tokens of one session and second differ by their id alone.
    accessToken: await keyRing.sign({ ...claimsOf(session), jti: newId() }),
    tokenType: 'Bearer',
    expiresIn: limits.accessTokenLifetimeSeconds,
  };
}

function claimsOf(session: Session): TokenClaims {
  const shared = {
    sub: String(session.accountId),
    sid: session.id,
    role: session.role,
    exp: session.expiresAt.getTime() / 1000,
    ...(session.twoFactorSetup && { setup: true }),
  };
  if (session.client === 'admin') {
    return { aud: 'admin', ...shared, unit: session.unitId, rev: session.generation };
  }
  if (session.partnerId === null) throw new Error('A session of an account without a tenant');
  return {
    aud: 'tenant',
    ...shared,
    partner: session.partnerId,
    client: session.client,
    platform: session.platformUuid,
  };
}
