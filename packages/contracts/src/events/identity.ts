import { z } from 'zod';
import { defineEvent } from '../core/event.ts';

const id = z.number().int();
const topic = 'portal.identity';
const accountKind = z.enum(['admin', 'account']).meta({
  description: '`admin`: a platform or unit administrator; `account`: a person of a tenant',
});

export const adminCreated = defineEvent({
  type: 'admin.created',
  topic,
  summary: 'A platform or unit administrator came into being.',
  data: z.object({
    adminId: id,
    name: z.string(),
    email: z.string(),
    role: z.number().int(),
    unitId: id.nullable(),
  }),
  example: { adminId: 2, name: 'Unit administrator', email: 'unit@example.com', role: 63, unitId: 1 },
});

export const sessionStarted = defineEvent({
  type: 'session.started',
  topic,
  summary: 'Somebody signed in.',
  data: z.object({
    sessionId: z.string(),
    accountKind,
    accountId: id,
    client: z.enum(['admin', 'portal', 'player']),
    platformUuid: z.string().nullable(),
    at: z.string(),
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
  summary: 'A session ended: signed out, replaced by a password change, or its account is gone.',
  data: z.object({ sessionId: z.string(), accountKind, accountId: id, expiresAt: z.string() }),
  example: {
    sessionId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    accountKind: 'account',
    accountId: 12,
    expiresAt: '2026-11-21T10:00:00Z',
  },
});

export const passwordChanged = defineEvent({
  type: 'password.changed',
  topic,
  summary: 'A password was changed.',
  data: z.object({ accountKind, accountId: id }),
  example: { accountKind: 'account', accountId: 12 },
});
