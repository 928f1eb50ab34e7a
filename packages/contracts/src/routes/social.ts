import { z } from 'zod';
import { idReply, requiredText, text } from '../core/fields.ts';
import { redirect } from '../core/media.ts';
import { route } from '../core/route.ts';
import { partnerLogin } from './identity.ts';
import { signUpErrors, signUpFields } from './sign-up.ts';

/** Sign-in and sign-up with an account at an identity provider, by OpenID Connect. */

export const identityProviders = ['google', 'microsoft'] as const;
export type IdentityProvider = (typeof identityProviders)[number];

const service = 'identity';
const anybody = { kind: 'public' } as const;

export const listIdentityProviders = route({
  id: 'listIdentityProviders',
  service,
  method: 'GET',
  path: '/v1/oauth2/providers',
  summary: 'The identity providers with whose accounts people sign in here.',
  access: anybody,
  tries: 'none',
  response: z.object({ providers: z.array(z.enum(identityProviders)) }),
});

export const authorizeIdentity = route({
  id: 'authorizeIdentity',
  service,
  method: 'GET',
  path: '/v1/oauth2/:provider/authorize',
  summary: 'Sends the browser to an identity provider, which sends it to `/v1/oauth2/callback`.',
  access: anybody,
  params: z.object({ provider: z.enum(identityProviders) }),
  query: z.object({
    state: z
      .string()
      .min(1, { error: 'required' })
      .regex(/^[gm][A-Za-z0-9]{10}$/, { error: 'invalidValue' })
      .describe('`g` or `m` and ten letters or digits, which come back'),
    redirectUrl: z
      .url({ error: 'invalidValue' })
      .max(2048)
      .describe('Where the browser comes back with the tokens: a page of this portal'),
  }),
  status: 302,
  response: redirect,
  errors: ['E40401'],
});

export const returnFromIdentity = route({
  id: 'returnFromIdentity',
  service,
  method: 'GET',
  path: '/v1/oauth2/callback',
  summary:
    'Where an identity provider sends the browser. It goes on with access_token, id_token, expiry and state in the fragment, or with error and state.',
  access: anybody,
  query: z.object({
    state: requiredText(128),
    code: text(2048).optional(),
    error: text(255).optional(),
    iss: text(2048).optional(),
  }),
  status: 302,
  response: redirect,
  errors: ['E40004'],
});

/** What the browser got in the fragment; the id_token may be absent where the provider tells by introspection whose the other is. */
const tokens = {
  accessToken: requiredText(8192),
  idToken: z
    .union([z.literal(''), z.string().max(8192)])
    .nullable()
    .optional(),
  refreshToken: text(8192).nullable().optional(),
  expiry: z.number().min(0).optional().describe('Seconds until the access token ends'),
};

export const validateIdentity = route({
  id: 'validateIdentity',
  service,
  method: 'POST',
  path: '/v1/oauth2/token/validate',
  summary: 'Signs in to the portal with an account at an identity provider that belongs to an account here.',
  access: anybody,
  tries: 'failed',
  answersSecret: true,
  body: z.object(tokens),
  response: partnerLogin.response,
  errors: ['E40101', 'E40102', 'E40301', 'E40302'],
});

export const signUpSocial = route({
  id: 'signUpSocial',
  service,
  method: 'POST',
  path: '/v2/signup/social',
  summary:
    'Opens a free company that is usable at once, whose company admin signs in with an account at an identity provider.',
  access: { kind: 'apiKey', publishable: true },
  tries: 'all',
  takes: 'signUps',
  body: signUpFields.extend({ ...tokens, identityProvider: z.enum(identityProviders) }),
  status: 201,
  response: idReply.extend({ partnerCode: z.string() }),
  errors: [...signUpErrors, 'E40102', 'E40301', 'E40311', 'E40312'],
});
