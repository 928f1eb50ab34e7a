import { z } from 'zod';
import {
  email,
  emptyReply,
  id,
  loginUserId,
  newPassword,
  oneLine,
  presentedPassword,
  requiredLine,
  requiredText,
} from '../core/fields.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

const sessionReply = z.object({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().meta({ description: 'Seconds' }),
});

const signInReply = sessionReply.extend({
  twoFactorSetup: z
    .boolean()
    .describe(
      'Two factors are required and there are none: the token serves to set them up, and to sign out',
    ),
});

/** A password that may be absent means the session alone vouches for the caller. */
const passwordChange = z.object({
  currentPassword: presentedPassword.optional(),
  password: newPassword,
});

export const adminLogin = route({
  id: 'adminLogin',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/login',
  summary: 'Signs an administrator in.',
  access: { kind: 'public' },
  tries: 'failed',
  answersSecret: true,
  body: z.object({ email: requiredLine(254), password: presentedPassword }),
  response: signInReply.extend({
    outsourcingFlag: z.boolean(),
    unitId: z.number().int().nullable(),
    name: z.string(),
    email: z.string(),
    role: z.number().int(),
  }),
  errors: ['E40101', 'E40103'],
});

export const adminLogout = route({
  id: 'adminLogout',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/logout',
  summary: 'Ends the session of the administrator.',
  access: { kind: 'admin', roles: 0 },
  settingUp: true,
  response: emptyReply,
});

export const changeAdminPassword = route({
  id: 'changeAdminPassword',
  service: 'identity',
  method: 'PUT',
  path: '/v1/admin/password',
  summary: 'Changes the password of the administrator and ends their other sessions.',
  access: { kind: 'admin', roles: 0 },
  tries: 'failed',
  body: passwordChange,
  response: emptyReply,
});

export const platform = z.object({
  uuid: requiredLine(64),
  name: oneLine(255).default(''),
  osType: oneLine(32).default(''),
  osVersion: oneLine(64).default(''),
  playerVersion: oneLine(64).default(''),
});

/** As forms send it. */
const emptyIsAbsent = <const S extends z.ZodType<string | undefined>>(schema: S) =>
  z.preprocess((value: string | undefined) => (value === '' ? undefined : value), schema);

export const partnerLogin = route({
  id: 'partnerLogin',
  service: 'identity',
  method: 'POST',
  path: '/v2/partner/login',
  summary: 'Signs in a user of a tenant; with `platform`, as a player.',
  access: { kind: 'public' },
  tries: 'failed',
  answersSecret: true,
  body: z.object({
    partnerCode: requiredLine(64),
    email: emptyIsAbsent(requiredLine(254).optional()).optional(),
    loginUserId: emptyIsAbsent(loginUserId.optional()).optional(),
    password: presentedPassword,
    platform: platform.optional(),
  }),
  response: signInReply.extend({
    partner: z.object({
      id: z.number().int(),
      name: z.string(),
      partnerCode: z.string(),
      licenseExpiredOnUnixtime: z.number().int().nullable(),
      contractRank: z.enum(contractRanks),
      licenseType: z.enum(licenseTypes),
      json: z.string(),
    }),
    user: z.object({
      id: z.number().int(),
      name: z.string(),
      email: z.string().nullable(),
      loginUserId: z.string().nullable(),
      role: z.number().int(),
      groups: z.array(z.object({ id: z.number().int(), name: z.string() })),
    }),
  }),
  errors: ['E40005', 'E40006', 'E40101', 'E40103', 'E40301', 'E40302', 'E40306', 'E40307', 'E40402'],
});

export const partnerLogout = route({
  id: 'partnerLogout',
  service: 'identity',
  method: 'POST',
  path: '/v1/partner/logout',
  summary: 'Ends a portal session of a tenant.',
  access: { kind: 'partner', roles: 0 },
  settingUp: true,
  unlicensed: true,
  response: z.object({
    logoutUrl: z
      .string()
      .optional()
      .describe(
        'Of a session that came by single sign-on: where the browser goes to end it at the provider too',
      ),
  }),
});

export const userLogout = route({
  id: 'userLogout',
  service: 'identity',
  method: 'POST',
  path: '/v1/user/logout',
  summary: 'Ends a player session.',
  access: { kind: 'player' },
  unlicensed: true,
  response: emptyReply,
});

export const changePartnerPassword = route({
  id: 'changePartnerPassword',
  service: 'identity',
  method: 'PUT',
  path: '/v1/partner/password',
  summary: 'Changes the password of the signed-in user and ends their other sessions.',
  access: { kind: 'partner', roles: 0 },
  tries: 'failed',
  body: passwordChange,
  response: emptyReply,
});

const resetMail = {
  service: 'identity',
  method: 'POST',
  access: { kind: 'public' },
  response: emptyReply,
  errors: ['E40036'],
} as const;
const accountAddress = z.object({ email, partnerCode: requiredLine(64) });

export const sendAdminResetMail = route({
  ...resetMail,
  id: 'sendAdminResetMail',
  path: '/v1/admin/password/reset_mail',
  summary: 'Mails a link to choose another password, if the administrator exists.',
  body: z.object({ email }),
});

export const sendPartnerResetMail = route({
  ...resetMail,
  id: 'sendPartnerResetMail',
  path: '/v1/partner/password/reset_mail',
  summary: 'Mails a link to choose another password, if the tenant has this user.',
  body: accountAddress,
});

export const sendUserResetMail = route({
  ...resetMail,
  id: 'sendUserResetMail',
  path: '/v1/user/password/reset_mail',
  summary: 'The same as for the portal, for users of the player.',
  body: accountAddress,
});

export const sendResetMailTo = route({
  id: 'sendResetMailTo',
  service: 'identity',
  method: 'POST',
  path: '/v1/partner/partners/:pid/users/:id/password/reset_mail',
  summary: 'Mails a user a link to choose a password: the first, or another one.',
  access: { kind: 'partner', roles: userRoleBits.admin },
  params: z.object({ pid: id, id }),
  response: emptyReply,
  errors: ['E40035', 'E40036', 'E40403'],
});

export const checkPasswordLink = route({
  id: 'checkPasswordLink',
  service: 'identity',
  method: 'GET',
  path: '/v1/password/reset/session',
  summary: 'Tells whether a link to choose a password is valid, and where its owner signs in with what code.',
  access: { kind: 'public' },
  query: z.object({ resetToken: requiredText(256) }),
  /** A company admin need not be a user, and a user need not have a right in the portal. */
  response: z.object({
    status: z.boolean(),
    portal: z.boolean().describe('Its owner can sign in to the portal; false for an administrator'),
    player: z.boolean().describe('Its owner can sign in to the player'),
    partnerCode: z
      .string()
      .nullable()
      .describe(
        'The code that its owner signs in with; null for an administrator, or when the link is not valid',
      ),
  }),
});

const passwordByLink = {
  service: 'identity',
  method: 'PUT',
  access: { kind: 'public' },
  tries: 'failed',
  body: z.object({ resetToken: requiredText(256), password: newPassword }),
  response: emptyReply,
  errors: ['E40004'],
} as const;

export const resetAdminPassword = route({
  ...passwordByLink,
  id: 'resetAdminPassword',
  path: '/v1/admin/password/reset',
  summary: 'Sets the password of an administrator by a link, unlocks the account and ends its sessions.',
});

export const resetPartnerPassword = route({
  ...passwordByLink,
  id: 'resetPartnerPassword',
  path: '/v1/partner/password/reset',
  summary: 'Sets the password of a user of a tenant by a link, unlocks the account and ends its sessions.',
});

export const resetUserPassword = route({
  ...passwordByLink,
  id: 'resetUserPassword',
  path: '/v1/user/password/reset',
  summary: 'The same as for the portal, for users of the player.',
});

export const initUserPassword = route({
  ...passwordByLink,
  id: 'initUserPassword',
  path: '/v1/user/password/init',
  summary: 'Sets the first password of a user of a tenant by a link.',
});

export const validatePassword = route({
  id: 'validatePassword',
  service: 'identity',
  method: 'POST',
  path: '/v1/partner/partners/:pid/validate_password',
  summary: 'Tells whether a password would be accepted.',
  access: { kind: 'partner', roles: 0 },
  logged: false,
  params: z.object({ pid: id }),
  body: z.object({ password: z.string().max(1024) }),
  response: z.object({ valid: z.boolean() }),
});

export const validateToken = route({
  id: 'validateToken',
  service: 'identity',
  method: 'GET',
  path: '/v1/token/validate',
  summary: 'Tells whose token this is and when it expires.',
  access: { kind: 'anyToken' },
  settingUp: true,
  unlicensed: true,
  response: z.object({
    valid: z.literal(true),
    kind: z.enum(['admin', 'partner', 'user']),
    role: z.number().int().describe('What the caller may do now; the token may be older'),
    contractRank: z
      .enum(contractRanks)
      .optional()
      .describe('In the portal: the contract rank of the partner now'),
    expiresIn: z.number().int().meta({ description: 'Seconds' }),
  }),
});

export const refreshToken = route({
  id: 'refreshToken',
  service: 'identity',
  method: 'GET',
  path: '/v2/oauth2/token',
  summary: 'A new access token of the same session; the old one stays valid until it expires.',
  access: { kind: 'anyToken' },
  settingUp: true,
  unlicensed: true,
  response: sessionReply,
});

export const userStatement = route({
  id: 'userStatement',
  service: 'identity',
  method: 'GET',
  path: '/v1/user/token',
  summary: "A short-lived signed token that identifies the user to the customer's own back end.",
  access: { kind: 'player', api: 'token' },
  response: z.object({ token: z.string() }),
});

export const jwks = route({
  id: 'jwks',
  service: 'identity',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys of all tokens.',
  access: { kind: 'public' },
  tries: 'none',
  response: z.object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        kid: z.string(),
        alg: z.string(),
        use: z.string(),
      }),
    ),
  }),
});

/** Who may sign in to the portal at all: anyone with at least one role bit. */
export const portalRoles = userRoleBits.admin | userRoleBits.developer | userRoleBits.pushApi;
