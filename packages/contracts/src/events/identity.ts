import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText } from '../core/fields.ts';

const id = z.number().int();
const topic = 'portal.identity';
const accountKind = z.enum(['admin', 'account']).meta({
  description: '`admin`: a platform or unit administrator; `account`: a person of a tenant',
});

export const adminCreated = defineEvent({
  type: 'admin.created',
  topic,
  summary: 'A platform or unit administrator came into being.',
  key: 'adminId',
  tenant: 'never',
  data: z.object({
    adminId: id,
    name: z.string(),
    email: z.string(),
    role: z.number().int().describe('The sum of the role bits'),
    unitId: id.nullable().describe('Null for a platform administrator'),
  }),
  example: { adminId: 2, name: 'Unit administrator', email: 'unit@example.com', role: 63, unitId: 1 },
});

export const sessionStarted = defineEvent({
  type: 'session.started',
  topic,
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
  summary: 'A session ended: signed out, replaced by a password change, or its device or account is gone.',
  key: 'sessionId',
  tenant: 'sometimes',
  data: z.object({
    sessionId: z.string(),
    accountKind,
    accountId: id,
    expiresAt: dateTimeText.describe('Tokens of the session are refused until then, and have run out after'),
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
  summary: 'The sessions of people who have to sign in again have ended; each of them was told of before.',
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

export const passwordResetAsked = defineEvent({
  type: 'password.reset_asked',
  topic,
  summary: 'Somebody asked for a link to choose a password, with whatever address.',
  key: 'askId',
  tenant: 'never',
  data: z.object({
    askId: z.string(),
    sealed: z.string().describe('For whom, if there is such a person, for services of the portal alone'),
  }),
  example: { askId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a72', sealed: 'c2VhbGVk' },
});

export const passwordResetRequested = defineEvent({
  type: 'password.reset_requested',
  topic,
  summary: 'Somebody was mailed a link to choose a password.',
  key: 'accountId',
  tenant: 'sometimes',
  data: z.object({ accountKind, accountId: id }),
  example: { accountKind: 'account', accountId: 12 },
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
