import { z } from 'zod';
import { dateTimeText, id, text } from '../core/fields.ts';
import { form, redirect } from '../core/media.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route, routeAt } from '../core/route.ts';
import { ssoLimits } from '../core/sso.ts';
import { verbatim } from '../core/wire.ts';
import { partnerLogin, platform } from './identity.ts';

/** Signing in and out by SAML 2.0, as the portal, players, browsers and identity providers call it. */

const service = 'sso';
const anybody = { kind: 'public' } as const;
const login = '/v1/user/login/sso';
const partnerCode = text(64).min(1, { error: 'required' });

export const checkSso = route({
  id: 'checkSso',
  service,
  method: 'GET',
  path: `${login}/check`,
  summary: 'Whether a tenant signs in by single sign-on; of an unknown code it does not.',
  access: anybody,
  tries: 'none',
  query: z.object({ partnerCode }),
  response: z.object({ useSsoFlag: z.boolean() }),
});

export const beginSso = route({
  id: 'beginSso',
  service,
  method: 'GET',
  path: login,
  summary:
    'Sends the browser to the identity provider of a tenant, which sends it to `/v1/user/login/sso/acs`.',
  access: anybody,
  tries: 'none',
  query: z.object({
    partnerCode,
    agent: text(ssoLimits.agentMaxLength).optional().describe('name/version'),
    redirectUrl: text(ssoLimits.urlMaxLength)
      .min(1, { error: 'required' })
      .describe(
        'Where the browser comes back with `code` or `error`: an address of this portal, of a listener on this machine, or of an app',
      ),
    codeChallenge: text(128)
      .optional()
      .describe('PKCE; required of players, whose address is not of this portal'),
    codeChallengeMethod: text(16).optional().describe('S256'),
  }),
  status: 302,
  response: redirect,
  errors: ['E40005', 'E40302', 'E40304', 'E40401', 'E40402'],
});

export const acceptSamlResponse = route({
  id: 'acceptSamlResponse',
  service,
  method: 'POST',
  path: `${login}/acs`,
  summary: 'Where the identity provider sends its response. The browser goes on with `code` or `error`.',
  access: anybody,
  tries: 'none',
  body: form(
    z.object({
      SAMLResponse: z.string().min(1, { error: 'required' }),
      RelayState: z.string().max(ssoLimits.relayStateMaxLength).optional(),
    }),
  ),
  maxBody: ssoLimits.maxResponseBody,
  status: 302,
  response: redirect,
  errors: ['E40037'],
});

export const redeemSsoCode = route({
  id: 'redeemSsoCode',
  service,
  method: 'POST',
  path: `${login}/token`,
  summary: 'Signs in with the code of a sign-in by single sign-on; with `platform`, as a player.',
  access: anybody,
  tries: 'failed',
  answersSecret: true,
  body: z.object({
    code: text(255).min(1, { error: 'required' }),
    codeVerifier: text(255).nullable().optional().describe('PKCE: that of the challenge'),
    platform: platform.optional(),
  }),
  response: partnerLogin.response,
  errors: ['E40004', 'E40005', 'E40301', 'E40302', 'E40306', 'E40307'],
});

/** A message by redirect: what is signed is the query as it came. */
const redirected = verbatim(
  z.object({
    SAMLRequest: z.string().max(ssoLimits.redirectMessageMaxLength).optional(),
    SAMLResponse: z.string().max(ssoLimits.redirectMessageMaxLength).optional(),
    RelayState: z.string().max(ssoLimits.relayStateMaxLength).optional(),
    SigAlg: z.string().max(255).optional(),
    Signature: z.string().max(2048).optional(),
  }),
);

export const logOutByRedirect = route({
  id: 'logOutByRedirect',
  service,
  method: 'GET',
  path: `${login}/slo`,
  summary:
    'Single logout, as identity providers send it by redirect: a request, or the response to one of ours.',
  access: anybody,
  logged: true,
  tries: 'none',
  query: redirected,
  status: 302,
  response: redirect,
  errors: ['E40037'],
});

export const logOutByPost = route({
  id: 'logOutByPost',
  service,
  method: 'POST',
  path: `${login}/slo`,
  summary: 'The same as a form.',
  access: anybody,
  tries: 'none',
  body: form(
    z.object({
      SAMLRequest: z.string().optional(),
      SAMLResponse: z.string().optional(),
      RelayState: z.string().max(ssoLimits.relayStateMaxLength).optional(),
    }),
  ),
  maxBody: ssoLimits.maxResponseBody,
  status: 302,
  response: redirect,
  errors: ['E40037'],
});

export const goToSsoLogout = route({
  id: 'goToSsoLogout',
  service,
  method: 'GET',
  path: `${login}/logout`,
  summary:
    'Where the browser goes that has signed out of the portal, to end the session at the identity provider too.',
  access: anybody,
  tries: 'none',
  query: z.object({ token: text(512).min(1, { error: 'required' }).describe('As `logout_url` has it') }),
  status: 302,
  response: redirect,
});

// The test of a setting

const own = '/v1/partner/partners/:pid/sso/test';
const reached = '/v1/admin/partners/:pid/sso/test';
const companyAdmins = { kind: 'partner', roles: userRoleBits.admin, api: 'sso' } as const;
const partnerAdministrators = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;
const reachedErrors = ['E40304', 'E40305', 'E40402'] as const;

export const beginSsoTest = route({
  id: 'beginSsoTest',
  service,
  method: 'POST',
  path: own,
  summary: 'Begins a sign-in at the provider that shows what would come of it, and signs nobody in.',
  access: companyAdmins,
  params: z.object({ pid: id }),
  response: z.object({ id: z.uuid(), url: z.url().describe('Where the window goes') }),
  errors: ['E40401'],
});

export const beginPartnerSsoTest = routeAt(beginSsoTest, {
  id: 'beginPartnerSsoTest',
  path: reached,
  summary: 'The same for a partner.',
  access: partnerAdministrators,
  errors: reachedErrors,
});

export const goToSsoTest = route({
  id: 'goToSsoTest',
  service,
  method: 'GET',
  path: `${login}/test`,
  summary:
    'Sends the window of a test to the identity provider, after which it ends on a page of the portal.',
  access: anybody,
  tries: 'none',
  query: z.object({ id: z.uuid() }),
  status: 302,
  response: redirect,
  errors: ['E40401'],
});

export const getSsoTest = route({
  id: 'getSsoTest',
  service,
  method: 'GET',
  path: `${own}/:testId`,
  summary: 'What came of a test.',
  access: companyAdmins,
  params: z.object({ pid: id, testId: z.uuid() }),
  response: z.object({
    state: z.enum(['waiting', 'accepted', 'refused']),
    identifier: z.string().nullable().describe('The e-mail address or login user id that was told'),
    name: z.string().nullable(),
    userId: z.number().int().nullable().describe('Who that is here; null: somebody who would be made'),
    groups: z.array(z.object({ name: z.string(), known: z.boolean().describe('There is such a group') })),
    attributes: z
      .array(z.object({ name: z.string(), values: z.array(z.string()) }))
      .describe('All that the provider told'),
    reason: z.string().nullable().describe('Why it was refused'),
  }),
  errors: ['E40401'],
});

export const getPartnerSsoTest = routeAt(getSsoTest, {
  id: 'getPartnerSsoTest',
  path: `${reached}/:testId`,
  summary: 'What came of the test of a partner.',
  access: partnerAdministrators,
  errors: reachedErrors,
});

// The last sign-ins

const signIns = (of: string) => `${of.slice(0, of.lastIndexOf('/'))}/sign_ins`;

export const listSsoSignIns = route({
  id: 'listSsoSignIns',
  service,
  method: 'GET',
  path: signIns(own),
  summary: 'The last 50 sign-ins by single sign-on, and what became of each, the newest first.',
  access: companyAdmins,
  params: z.object({ pid: id }),
  response: z.object({
    signIns: z.array(
      z.object({
        at: dateTimeText,
        identifier: z
          .string()
          .nullable()
          .describe('Who it was, as the provider says; null where it is not known'),
        reason: z.string().nullable().describe('Why it was refused; null: it was not'),
      }),
    ),
  }),
});

export const listPartnerSsoSignIns = routeAt(listSsoSignIns, {
  id: 'listPartnerSsoSignIns',
  path: signIns(reached),
  summary: 'The last sign-ins of a partner by single sign-on.',
  access: partnerAdministrators,
  errors: reachedErrors,
});
