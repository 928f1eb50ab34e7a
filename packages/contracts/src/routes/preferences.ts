import { z } from 'zod';
import { emptyReply } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { route, routeAt } from '../core/route.ts';
import { verbatim } from '../core/wire.ts';

// Preferences of oneself: the calls of administrators, and beside each the same of the people of tenants.

const administrators = { kind: 'admin', roles: 0 } as const;
const people = { kind: 'partner', roles: 0 } as const;

/** Of whoever writes them: the product reads nothing in them. */
const preferences = verbatim(z.looseObject({})).meta({
  description: 'Any JSON object; its names stay as they are',
});

export const getAdminPreferences = route({
  id: 'getAdminPreferences',
  service: 'identity',
  method: 'GET',
  path: '/v1/admin/preferences',
  summary: 'The preferences of the administrator; an empty object until some are stored.',
  access: administrators,
  response: preferences,
});

export const getPartnerPreferences = routeAt(getAdminPreferences, {
  id: 'getPartnerPreferences',
  path: '/v1/partner/preferences',
  summary: 'The preferences of the signed-in user; an empty object until some are stored.',
  access: people,
});

export const saveAdminPreferences = route({
  id: 'saveAdminPreferences',
  service: 'identity',
  method: 'PUT',
  path: '/v1/admin/preferences',
  summary: 'Stores the preferences of the administrator, at most 64 KiB, in place of those before.',
  access: administrators,
  body: preferences,
  maxBody: limits.maxPreferences,
  response: emptyReply,
});

export const savePartnerPreferences = routeAt(saveAdminPreferences, {
  id: 'savePartnerPreferences',
  path: '/v1/partner/preferences',
  summary: 'Stores the preferences of the signed-in user, at most 64 KiB, in place of those before.',
  access: people,
});
