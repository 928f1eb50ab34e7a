import { z } from 'zod';
import { dateTimeText, id, idName, timeZoneName } from '../core/fields.ts';
import { type ContractRank, contractRanks, licenseTypes } from '../core/plans.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

export * from './tenant-licences.ts';
export * from './tenant-partners.ts';
export * from './tenant-units.ts';

const readTenants = { kind: 'admin', roles: adminRoleBits.canReadTenantInformation } as const;

const count = z.number().int();

export const getOverview = route({
  id: 'getOverview',
  service: 'tenant',
  method: 'GET',
  path: '/v1/admin/overview',
  summary: 'The partners that the administrator can see, in numbers.',
  access: readTenants,
  response: z.object({
    tenantsByRank: z.object({
      free: count,
      trial: count,
      entry: count,
      standard: count,
      enterprise: count,
    } satisfies Record<ContractRank, typeof count>),
    licences: z.object({
      allocated: count.describe('Licences of the units'),
      given: count.describe('Licences of their partners'),
      inUse: count.describe('Users or devices that take one of them'),
    }),
    ending: z.object({
      count: count.describe('Partners whose licences end within 30 days'),
      partners: z
        .array(idName.extend({ licenseExpiredOn: dateTimeText }))
        .describe('The first 10 of them, those that end soonest first'),
    }),
    newTenants: count.describe('Partners created in the last 30 days'),
    failedMails: count.describe('Mails of the last 30 days that could not be delivered'),
  }),
});

const usageOfDay = z.object({
  date: z
    .string()
    .meta({ format: 'date', example: '2026-11-21', description: 'A day in the zone that tz names' }),
  apiCallNum: z.number().int(),
  uploadBytes: z.number().int().nullable(),
  downloadBytes: z.number().int().nullable(),
});

export const getSummary = route({
  id: 'getSummary',
  service: 'tenant',
  method: 'GET',
  path: '/v1/partner/partners/:pid/summary',
  summary: 'The contract of the tenant, and what it uses.',
  access: [{ kind: 'partner', roles: userRoleBits.admin }, readTenants],
  params: z.object({ pid: id }),
  query: z.object({ tz: timeZoneName }),
  response: z.object({
    partnerName: z.string(),
    partnerCode: z.string(),
    totalFileSize: z.number().int().meta({ description: 'Bytes of all files with their reserved updates' }),
    licenseCount: z.number().int(),
    licenseRemaining: z.number().int(),
    apiCallNum: z.number().int().meta({ description: 'Calls of its users and players in the last 30 days' }),
    dataTransfer: z.number().int().nullable().meta({
      description:
        'Bytes of files and exports sent and received in the last 30 days; null if they do not pass through the product',
    }),
    pushNotificationNum: z.number().int(),
    operationLogDownloadFlag: z.boolean(),
    filePublicFlag: z.boolean().describe('Whether a file can be delivered to everyone'),
    uapFileLimit: z.number().int().meta({ description: '0 is unlimited' }),
    uapFileNum: z.number().int(),
    licenseType: z.enum(licenseTypes),
    contractRank: z.enum(contractRanks),
    licenseExpiredOn: dateTimeText.nullable(),
    allowedSsoApiFlag: z.boolean(),
    docdbContractStatus: z.number().int().meta({ description: '0 none, 1 trial, 2 contracted' }),
    docdbUsageBytes: z.number().int(),
    docdbStartDate: dateTimeText.nullable(),
    docdbExpireDate: dateTimeText.nullable(),
    docdbApiKey: z.string().nullable(),
    daily: z
      .array(usageOfDay)
      .meta({ description: 'The last 30 days including today, in the zone that tz names, oldest first' }),
  }),
  errors: ['E40402'],
});
