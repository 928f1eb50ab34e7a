import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';

/** What the portal states of a user. */
const statement = z.object({
  sub: z.string(),
  name: z.string(),
  partner_code: z.string(),
});

export interface User {
  readonly id: string;
  readonly name: string;
}

export class OtherCompany extends Error {}

/**
 * Checks who a user of the company is, by the token that their player has from `GET /v1/user/token`. The keys of the portal are
 * fetched once and kept; a new one is fetched when a token names it. Rejects for a token of anybody else, of another company, or
 * that is over.
 */
export function createUserVerifier(portalUrl: string, partnerCode: string): (token: string) => Promise<User> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', portalUrl));
  return async (token) => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: 'portal',
      // The tokens with which people call the portal itself say another audience, and are worth nothing here.
      audience: 'statement',
      algorithms: ['EdDSA'],
    });
    const user = statement.parse(payload);
    // The portal signs for all of its companies.
    if (user.partner_code !== partnerCode) throw new OtherCompany();
    return { id: user.sub, name: user.name };
  };
}
