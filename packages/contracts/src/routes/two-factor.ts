import { z } from 'zod';
import { emptyReply, id, presentedPassword, requiredLine } from '../core/fields.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route, routeAt } from '../core/route.ts';
import { adminLogin, partnerLogin } from './identity.ts';

// Two factors of oneself: the calls of administrators, and beside each the same of the people of tenants.

const administrators = { kind: 'admin', roles: 0 } as const;
const people = { kind: 'partner', roles: 0 } as const;

/** Six digits, or a recovery code; anything else is a wrong one. */
const code = requiredLine(64).describe(
  'Six digits of the authenticator app; where the summary says so, a recovery code too',
);
const recoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).describe('Each can be used once; they are shown here alone'),
});

export const adminSecondFactor = route({
  id: 'adminSecondFactor',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/login/second_factor',
  summary: 'Signs an administrator in whose password was right, by a code or a recovery code.',
  access: { kind: 'public' },
  tries: 'failed',
  answersSecret: true,
  body: z.object({ challenge: requiredLine(256), code }),
  response: adminLogin.response,
  errors: ['E40004', 'E40101'],
});

export const partnerSecondFactor = route({
  id: 'partnerSecondFactor',
  service: 'identity',
  method: 'POST',
  path: '/v1/partner/login/second_factor',
  summary:
    'Signs a user of a tenant in to the portal whose password was right, by a code or a recovery code.',
  access: { kind: 'public' },
  tries: 'failed',
  answersSecret: true,
  body: z.object({ challenge: requiredLine(256), code }),
  response: partnerLogin.response,
  errors: ['E40004', 'E40101', 'E40301', 'E40302'],
});

export const getAdminTwoFactor = route({
  id: 'getAdminTwoFactor',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/two_factor',
  summary: 'Whether the administrator signs in with two factors, and has to.',
  access: administrators,
  settingUp: true,
  response: z.object({
    enabled: z.boolean(),
    required: z.boolean().describe('Of all administrators, or of all portal accounts of the tenant'),
    recoveryCodesLeft: z.number().int(),
  }),
});

export const getPartnerTwoFactor = routeAt(getAdminTwoFactor, {
  id: 'getPartnerTwoFactor',
  path: '/v1/partner/two_factor',
  summary: 'Whether the signed-in user signs in with two factors, and has to.',
  access: people,
});

export const beginAdminTwoFactor = route({
  id: 'beginAdminTwoFactor',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/two_factor',
  summary:
    'Makes a secret for the authenticator app of the administrator. Nothing is on until a code confirms it.',
  access: administrators,
  settingUp: true,
  tries: 'failed',
  answersSecret: true,
  body: z.object({ password: presentedPassword }),
  response: z.object({
    secret: z.string().describe('Base32'),
    otpauthUrl: z.string().describe('The same for a QR code'),
  }),
  errors: ['E40034'],
});

export const beginPartnerTwoFactor = routeAt(beginAdminTwoFactor, {
  id: 'beginPartnerTwoFactor',
  path: '/v1/partner/two_factor',
  summary:
    'Makes a secret for the authenticator app of the signed-in user. Nothing is on until a code confirms it.',
  access: people,
});

export const enableAdminTwoFactor = route({
  id: 'enableAdminTwoFactor',
  service: 'identity',
  method: 'PUT',
  path: '/v1/admin/two_factor',
  summary: 'Turns two factors on by a code of the new secret, and ends the other sessions.',
  access: administrators,
  settingUp: true,
  tries: 'failed',
  body: z.object({ code }),
  response: recoveryCodes,
  errors: ['E40034'],
});

export const enablePartnerTwoFactor = routeAt(enableAdminTwoFactor, {
  id: 'enablePartnerTwoFactor',
  path: '/v1/partner/two_factor',
  summary: 'Turns two factors on by a code of the new secret, and ends the other sessions.',
  access: people,
});

export const disableAdminTwoFactor = route({
  id: 'disableAdminTwoFactor',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/admin/two_factor',
  summary:
    'Turns two factors off by a code or a recovery code, unless they are required, and ends the other sessions.',
  access: administrators,
  tries: 'failed',
  body: z.object({ code }),
  response: emptyReply,
  errors: ['E40034'],
});

export const disablePartnerTwoFactor = routeAt(disableAdminTwoFactor, {
  id: 'disablePartnerTwoFactor',
  path: '/v1/partner/two_factor',
  summary:
    'Turns two factors off by a code or a recovery code, unless they are required, and ends the other sessions.',
  access: people,
});

export const renewAdminRecoveryCodes = route({
  id: 'renewAdminRecoveryCodes',
  service: 'identity',
  method: 'POST',
  path: '/v1/admin/two_factor/recovery_codes',
  summary: 'Replaces the recovery codes of the administrator, by a code or a recovery code.',
  access: administrators,
  tries: 'failed',
  answersSecret: true,
  body: z.object({ code }),
  response: recoveryCodes,
  errors: ['E40034'],
});

export const renewPartnerRecoveryCodes = routeAt(renewAdminRecoveryCodes, {
  id: 'renewPartnerRecoveryCodes',
  path: '/v1/partner/two_factor/recovery_codes',
  summary: 'Replaces the recovery codes of the signed-in user, by a code or a recovery code.',
  access: people,
});

// Whether they are required.

const securitySettings = z.object({ twoFactorRequired: z.boolean() });

const superAdministrators = { kind: 'admin', roles: adminRoleBits.superAdministration } as const;
const companyAdmins = { kind: 'partner', roles: userRoleBits.admin } as const;
const ofPartner = z.object({ pid: id });

export const getSecuritySettings = route({
  id: 'getSecuritySettings',
  service: 'identity',
  method: 'GET',
  path: '/v1/partner/partners/:pid/security_settings',
  summary: 'Whether all portal accounts of the tenant need two factors.',
  access: companyAdmins,
  params: ofPartner,
  response: securitySettings,
});

export const updateSecuritySettings = route({
  id: 'updateSecuritySettings',
  service: 'identity',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/security_settings',
  summary: 'Says whether all portal accounts of the tenant need two factors, from their next sign-in on.',
  access: companyAdmins,
  params: ofPartner,
  body: securitySettings,
  response: emptyReply,
});

export const getPlatformSecuritySettings = route({
  id: 'getPlatformSecuritySettings',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/security_settings',
  summary: 'Whether all administrators of the platform and of units need two factors.',
  access: superAdministrators,
  response: securitySettings,
});

export const updatePlatformSecuritySettings = route({
  id: 'updatePlatformSecuritySettings',
  service: 'identity',
  method: 'PUT',
  path: '/v1/admin/security_settings',
  summary:
    'Says whether all administrators of the platform and of units need two factors, from their next sign-in on.',
  access: superAdministrators,
  body: securitySettings,
  response: emptyReply,
});

// Of somebody who has lost them.

export const removeCompanyAdminTwoFactor = route({
  id: 'removeCompanyAdminTwoFactor',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/admins/:adminId/two_factor',
  summary: 'Takes the two factors of another company admin away, and ends their sessions. A mail tells them.',
  access: companyAdmins,
  params: z.object({ pid: id, adminId: id }),
  response: emptyReply,
  errors: ['E40034'],
});

export const removePartnerAdminTwoFactor = routeAt(removeCompanyAdminTwoFactor, {
  id: 'removePartnerAdminTwoFactor',
  path: '/v1/admin/partners/:pid/admins/:adminId/two_factor',
  summary:
    'Takes the two factors of a company admin of a partner away, and ends their sessions. A mail tells them.',
  access: { kind: 'admin', roles: adminRoleBits.partnerAdministration },
  errors: ['E40305', 'E40402'],
});

export const removeUserTwoFactor = route({
  id: 'removeUserTwoFactor',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/users/:id/two_factor',
  summary: 'Takes the two factors of another user away, and ends their sessions. A mail tells them.',
  access: companyAdmins,
  params: z.object({ pid: id, id }),
  response: emptyReply,
  errors: ['E40034', 'E40403'],
});

export const removeAdminTwoFactor = route({
  id: 'removeAdminTwoFactor',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/admin/admins/:adminId/two_factor',
  summary: 'Takes the two factors of another administrator away, and ends their sessions. A mail tells them.',
  access: superAdministrators,
  params: z.object({ adminId: id }),
  response: emptyReply,
  errors: ['E40034'],
});
