import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText, revision } from '../core/fields.ts';
import { limits } from '../core/limits.ts';

const id = z.number().int();
const topic = 'portal.identity';
const accountKind = z.enum(['admin', 'account']).meta({
  description: '`admin`: a platform or unit administrator; `account`: a person of a tenant',
});

const admin = z.object({
  adminId: id,
  revision,
  name: z.string(),
  email: z.string(),
  role: z.number().int().describe('The sum of the role bits'),
  unitId: id.nullable().describe('Null for a platform administrator'),
});
const adminExample = {
  adminId: 2,
  revision: 1,
  name: 'Unit administrator',
  email: 'unit@example.com',
  role: 63,
  unitId: 1,
};

export const adminCreated = defineEvent({
  type: 'admin.created',
  topic,
  urgent: true,
  summary: 'A platform or unit administrator was created.',
  key: 'adminId',
  tenant: 'never',
  data: admin,
  example: adminExample,
});

export const adminUpdated = defineEvent({
  type: 'admin.updated',
  topic,
  urgent: true,
  summary:
    'A platform or unit administrator was changed. The role is in force at once, in tokens from before as well.',
  key: 'adminId',
  tenant: 'never',
  data: admin,
  example: { ...adminExample, revision: 2 },
});

export const adminDeleted = defineEvent({
  type: 'admin.deleted',
  topic,
  urgent: true,
  summary: 'A platform or unit administrator was deleted.',
  key: 'adminId',
  tenant: 'never',
  data: z.object({ adminId: id }),
  example: { adminId: 2 },
});

export const sessionStarted = defineEvent({
  type: 'session.started',
  topic,
  late: true,
  summary: 'Somebody signed in.',
  key: 'sessionId',
  tenant: 'sometimes',
  data: z.object({
    sessionId: z.string(),
    accountKind,
    accountId: id,
    client: z.enum(['admin', 'portal', 'player']),
    platformUuid: z.string().nullable().describe('The device of a player'),
    at: dateTimeText,
  }),
  example: {
    sessionId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    accountKind: 'account',
    accountId: 12,
    client: 'player',
    platformUuid: 'a3c5e7',
    at: '2026-11-21T09:00:00Z',
  },
});

export const sessionRevoked = defineEvent({
  type: 'session.revoked',
  topic,
  urgent: true,
  summary:
    'A session was revoked: by a logout, a changed password or role, or because its device or account was removed.',
  key: 'sessionId',
  tenant: 'sometimes',
  data: z.object({
    sessionId: z.string(),
    accountKind,
    accountId: id,
    expiresAt: dateTimeText.describe(
      'Services refuse tokens of the session until then; afterwards all of them have expired',
    ),
    device: z
      .object({ uuid: z.string(), registration: z.number().int() })
      .optional()
      .describe('The device of a player, as it was registered then'),
  }),
  example: {
    sessionId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    accountKind: 'account',
    accountId: 12,
    expiresAt: '2026-11-21T10:00:00Z',
  },
});

export const signOutsSettled = defineEvent({
  type: 'sign_outs.settled',
  topic,
  urgent: true,
  summary:
    'The sessions of users who have to sign in again have ended; a `session.revoked` was published before for each of them.',
  key: 'settlementId',
  tenant: 'never',
  data: z.object({
    settlementId: z.string(),
    eventIds: z.array(z.string()).describe('The `user.signed_out` events that asked for it'),
  }),
  example: {
    settlementId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a70',
    eventIds: ['019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a71'],
  },
});

export const twoFactorChanged = defineEvent({
  type: 'two_factor.changed',
  topic,
  summary: 'Somebody turned two factors on or off, or somebody else took them away.',
  key: 'accountId',
  tenant: 'sometimes',
  data: z.object({
    accountKind,
    accountId: id,
    revision: z
      .number()
      .int()
      .describe('Grows with each change of the account: later ones have higher numbers'),
    enabled: z.boolean(),
  }),
  example: { accountKind: 'account', accountId: 12, revision: 1, enabled: true },
});

export const passwordResetAsked = defineEvent({
  type: 'password.reset_asked',
  topic,
  summary: 'Somebody requested a link to choose a password, for an address that may be unknown.',
  key: 'askId',
  tenant: 'never',
  data: z.object({
    askId: z.string(),
    sealed: z
      .string()
      .describe('Whose password it is, if the address is known; readable only by services of the portal'),
  }),
  example: { askId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a72', sealed: 'c2VhbGVk' },
});

export const passwordResetRequested = defineEvent({
  type: 'password.reset_requested',
  topic,
  summary: 'A link to choose a password was mailed to somebody.',
  key: 'accountId',
  tenant: 'sometimes',
  data: z.object({ accountKind, accountId: id }),
  example: { accountKind: 'account', accountId: 12 },
});

export const passwordsResetRequested = defineEvent({
  type: 'passwords.reset_requested',
  topic,
  late: true,
  summary: 'Links to choose a password were mailed to people of a tenant, to many at once.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({ partnerId: id, userIds: z.array(id).min(1).max(limits.peopleOfEvent) }),
  example: { partnerId: 1, userIds: [12, 13] },
});

export const setupMailsSent = defineEvent({
  type: 'setup_mails.sent',
  topic,
  summary:
    'People of a tenant without a password were mailed another link to choose one, other than by `setup_mails.requested`: they asked for it, or have another address.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({
    partnerId: id,
    at: dateTimeText,
    userIds: z.array(id).min(1),
    asked: z.boolean().describe('They asked for it: it is one of those that they may get in an hour'),
  }),
  example: { partnerId: 1, at: '2026-11-21T09:00:00Z', userIds: [12], asked: false },
});

export const passwordChanged = defineEvent({
  type: 'password.changed',
  topic,
  summary: 'A password was changed, by its owner or by somebody else.',
  key: 'accountId',
  tenant: 'sometimes',
  data: z.object({ accountKind, accountId: id }),
  example: { accountKind: 'account', accountId: 12 },
});
