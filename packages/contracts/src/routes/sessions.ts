import { z } from 'zod';
import { dateTimeText, emptyReply, id } from '../core/fields.ts';
import { userRoleBits } from '../core/roles.ts';
import { route, routeAt } from '../core/route.ts';

export * from './preferences.ts';

// Sessions of oneself: the calls of administrators, and beside each the same of the people of tenants.

const administrators = { kind: 'admin', roles: 0 } as const;
const people = { kind: 'partner', roles: 0 } as const;

const session = z.object({
  id: z.string(),
  current: z.boolean().describe('The session of this call'),
  kind: z.enum(['portal', 'player']),
  agent: z
    .string()
    .describe('The browser and its system, such as `Chrome, Windows`; else the client as it names itself'),
  address: z.string().describe('The network address of the sign-in; empty if it is not known'),
  createdAt: dateTimeText,
  lastUsedAt: dateTimeText.describe('To the minute'),
});

export const listAdminSessions = route({
  id: 'listAdminSessions',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/sessions',
  summary: 'The sessions of the administrator: this one, then the others by their last use.',
  access: administrators,
  response: z.object({ sessions: z.array(session) }),
});

export const listPartnerSessions = routeAt(listAdminSessions, {
  id: 'listPartnerSessions',
  path: '/v1/partner/sessions',
  summary:
    'The sessions of the signed-in user, those of players too: this one, then the others by their last use.',
  access: people,
});

export const endAdminSession = route({
  id: 'endAdminSession',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/admin/sessions/:sessionId',
  summary: 'Ends a session of the administrator.',
  access: administrators,
  params: z.object({ sessionId: z.uuid() }),
  response: emptyReply,
});

export const endPartnerSession = routeAt(endAdminSession, {
  id: 'endPartnerSession',
  path: '/v1/partner/sessions/:sessionId',
  summary: 'Ends a session of the signed-in user.',
  access: people,
});

export const endOtherAdminSessions = route({
  id: 'endOtherAdminSessions',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/admin/sessions',
  summary: 'Ends every session of the administrator but this one.',
  access: administrators,
  response: emptyReply,
});

export const endOtherPartnerSessions = routeAt(endOtherAdminSessions, {
  id: 'endOtherPartnerSessions',
  path: '/v1/partner/sessions',
  summary: 'Ends every session of the signed-in user but this one.',
  access: people,
});

export const endUserSessions = route({
  id: 'endUserSessions',
  service: 'identity',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/users/:id/sessions',
  summary: 'Ends every session of a user, in the portal and in players.',
  access: { kind: 'partner', roles: userRoleBits.admin },
  params: z.object({ pid: id, id }),
  response: emptyReply,
  errors: ['E40403'],
});
