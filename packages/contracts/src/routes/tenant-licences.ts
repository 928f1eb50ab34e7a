import { z } from 'zod';
import { dateTime, dateTimeText, id, listQuery, pageReply, requiredText, timeZone } from '../core/fields.ts';
import { bytesOut } from '../core/media.ts';
import { contractRanks } from '../core/plans.ts';
import { adminRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { licenceTerms } from '../events/tenant.ts';

/** What became of the licences of partners, and what a program may ask of a licence. */

const administerPartners = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

const partnerParams = z.object({ pid: id });

const changedAt = { changedAtStart: dateTime.optional(), changedAtEnd: dateTime.optional() };
const allFilters = { partnerId: id.optional(), ...changedAt };

const paging = listQuery(['changedAt']);
const response = pageReply.extend({
  licenseUpdatedLogs: z.array(
    z.object({
      id: z.number().int(),
      partnerId: z.number().int(),
      partnerName: z.string().describe('As it was then'),
      changedBy: z.string().describe('The e-mail address of an administrator, or `sign-up`'),
      before: licenceTerms.nullable().describe('What changed, as it was; null of a new partner'),
      after: licenceTerms,
      changedAt: dateTimeText,
    }),
  ),
});

const logPath = '/v1/admin/license_updated_logs';
const partnerLogPath = '/v1/admin/partners/:pid/license_updated_logs';

export const listLicenceChanges = route({
  id: 'listLicenceChanges',
  service: 'tenant',
  method: 'GET',
  path: logPath,
  summary: 'The changes of the licences of all partners, also of deleted ones, newest first.',
  access: administerPartners,
  query: paging.extend(allFilters),
  response,
});

export const exportLicenceChanges = route({
  id: 'exportLicenceChanges',
  service: 'tenant',
  method: 'GET',
  path: `${logPath}/csv`,
  summary:
    'license_updated_logs.csv with the filters of the list, streamed; a row for each field that changed.',
  access: administerPartners,
  logged: true,
  query: z.object({ tz: timeZone, ...allFilters }),
  response: bytesOut('text/csv'),
});

export const listPartnerLicenceChanges = route({
  id: 'listPartnerLicenceChanges',
  service: 'tenant',
  method: 'GET',
  path: partnerLogPath,
  summary: 'The changes of the licences of a partner, newest first.',
  access: administerPartners,
  params: partnerParams,
  query: paging.extend(changedAt),
  response,
  errors: ['E40305'],
});

export const exportPartnerLicenceChanges = route({
  id: 'exportPartnerLicenceChanges',
  service: 'tenant',
  method: 'GET',
  path: `${partnerLogPath}/csv`,
  summary: 'license_updated_logs.csv of a partner with the filters of the list, streamed.',
  access: administerPartners,
  logged: true,
  params: partnerParams,
  query: z.object({ tz: timeZone, ...changedAt }),
  response: bytesOut('text/csv'),
  errors: ['E40305'],
});

export const checkLicence = route({
  id: 'checkLicence',
  service: 'tenant',
  method: 'GET',
  path: '/v2/partner/lic',
  summary: 'The licence of a partner, by its code.',
  access: { kind: 'apiKey' },
  tries: 'failed',
  query: z.object({
    partnerCode: requiredText(64),
    key: requiredText(64).describe('The MD5 of the code as given, in lower-case hexadecimal'),
  }),
  response: z.object({
    contractRank: z.enum(contractRanks),
    licenseExpiredOn: dateTimeText.nullable(),
    partnerName: z.string(),
  }),
  errors: ['E40402'],
});
