import { z } from 'zod';
import { dateTime, dateTimeText, emptyReply, id, oneOrMoreOf } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { bytesOut } from '../core/media.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

/** What a tenant has planned and what has come of it, by time, for its own portal and for calendar programs. */

const service = 'file';
const companyAdmins = { kind: 'partner', roles: userRoleBits.admin } as const;
const ofPartner = z.object({ pid: id });
const calendar = '/v1/partner/partners/:pid/calendar';

export const calendarKinds = [
  'delivery',
  'update',
  'stage',
  'push',
  'certificate_end',
  'licence_end',
] as const;
export type CalendarKind = (typeof calendarKinds)[number];

const anId = (description: string) => z.number().int().nullable().meta({ description });

const calendarEntry = z.object({
  kind: z.enum(calendarKinds).meta({
    description:
      'delivery: a file reaches its groups; update: a version takes the place of the one before; stage: the next stage of a ' +
      'delivery that goes on by itself; push: a push notification begins; certificate_end: a push certificate is valid no ' +
      'more; licence_end: the contract ends',
  }),
  at: dateTimeText,
  title: z.string().meta({
    description:
      'The name of the file, of the certificate or of the company; of a push its title, or its message',
  }),
  fileId: anId('Of a push: the file that it tells of'),
  version: anId('Of a delivery null while the file has none'),
  notificationId: anId('Of a push'),
  certificationId: anId('Of the end of a certificate'),
  movable: z.boolean().meta({
    description:
      'It is ahead, and moves with the PUT of the update reservation (update) or of the delivery time (delivery)',
  }),
});

export const getCalendar = route({
  id: 'getCalendar',
  service,
  method: 'GET',
  path: calendar,
  summary: `What is planned and what has come of it from \`start\` to \`end\`, which are at most ${limits.calendarDays} days apart.`,
  access: companyAdmins,
  params: ofPartner,
  query: z.object({ start: dateTime, end: dateTime, kind: oneOrMoreOf(calendarKinds).optional() }),
  response: z.object({
    entries: z.array(calendarEntry).meta({ description: 'By time' }),
    more: z.boolean().meta({
      description: `There are more than ${limits.calendarEntries.toLocaleString('en')}, of which the last are left out`,
    }),
  }),
});

/** The token is a secret of the address: a calendar program has no other way to show one. */
export const getCalendarFile = route({
  id: 'getCalendarFile',
  service,
  method: 'GET',
  path: `${calendar}.ics`,
  summary:
    `The same for calendar programs (RFC 5545), by the token of a company admin: from ${limits.calendarFileDaysBack} days back to ` +
    `${limits.calendarDays} ahead.`,
  access: { kind: 'public' },
  tries: 'failed',
  params: ofPartner,
  query: z.object({ token: z.string().optional() }),
  response: bytesOut('text/calendar'),
  errors: ['E40101', 'E40102', 'E40302', 'E50301'],
});

export const createCalendarToken = route({
  id: 'createCalendarToken',
  service,
  method: 'POST',
  path: `${calendar}/token`,
  summary:
    'Makes the token of the caller for the calendar, which is answered this once; the one before it ends.',
  access: companyAdmins,
  shownOnce: ['token', 'url'],
  params: ofPartner,
  status: 201,
  response: z.object({
    token: z.string(),
    url: z
      .string()
      .meta({ description: 'The address of the calendar with the token, for a calendar program' }),
  }),
});

export const getCalendarToken = route({
  id: 'getCalendarToken',
  service,
  method: 'GET',
  path: `${calendar}/token`,
  summary: 'Since when the caller has a token for the calendar, and when it was used last, to the minute.',
  access: companyAdmins,
  params: ofPartner,
  response: z.object({ createdAt: dateTimeText, lastUsedAt: dateTimeText.nullable() }),
  errors: ['E40401'],
});

export const deleteCalendarToken = route({
  id: 'deleteCalendarToken',
  service,
  method: 'DELETE',
  path: `${calendar}/token`,
  summary: 'Revokes the token of the caller for the calendar, at once.',
  access: companyAdmins,
  params: ofPartner,
  response: emptyReply,
  errors: ['E40401'],
});
