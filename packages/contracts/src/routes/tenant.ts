import { z } from 'zod';
import {
  dateTime,
  dateTimeText,
  id,
  idName,
  listQuery,
  pageReply,
  queryFlag,
  text,
  timeZoneName,
} from '../core/fields.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

const readTenants = { kind: 'admin', roles: adminRoleBits.canReadTenantInformation } as const;

const unitPartner = z.object({
  id: z.number().int(),
  name: z.string(),
  contractRank: z.enum(contractRanks),
  licenseType: z.enum(licenseTypes),
  licenseCount: z.number().int(),
  licenseExpiredOn: dateTimeText.nullable(),
});

const unit = z.object({
  unitId: z.number().int(),
  unitName: z.string(),
  allocatedLicense: z.number().int(),
  consumedLicense: z.number().int(),
  ownerPartnerid: z.number().int(),
  canForceDistributeApp: z.boolean(),
  partners: z.array(unitPartner),
  admins: z.array(
    z.object({
      adminId: z.number().int(),
      adminName: z.string(),
      adminEmail: z.string(),
      role: z.number().int(),
    }),
  ),
});

export const listUnits = route({
  id: 'listUnits',
  service: 'tenant',
  method: 'GET',
  path: '/v1/admin/outsourcing/units',
  summary: 'The outsourcing units, sorted by name; a unit administrator sees only their own.',
  access: readTenants,
  query: listQuery(['name', 'id']).extend({
    order: z.enum(['asc', 'desc']).default('asc'),
    name: text(255).optional(),
  }),
  response: pageReply.extend({ units: z.array(unit) }),
});

const partnerRow = z.object({
  id: z.number().int(),
  name: z.string(),
  partnerCode: z.string(),
  unitId: z.number().int(),
  unitName: z.string(),
  contractRank: z.enum(contractRanks),
  licenseType: z.enum(licenseTypes),
  licenseCount: z.number().int(),
  licenseExpiredOn: dateTimeText.nullable(),
  bounceCount: z.number().int(),
  mailCount: z.number().int(),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

export const partnerOrderKeys = [
  'id',
  'name',
  'partnerCode',
  'contractRank',
  'licenseType',
  'licenseCount',
  'licenseExpiredOn',
  'bounceCount',
  'createdAt',
] as const;

export const listPartners = route({
  id: 'listPartners',
  service: 'tenant',
  method: 'GET',
  path: '/v1/admin/partners',
  summary: 'The partners that the administrator can see.',
  access: readTenants,
  query: listQuery(partnerOrderKeys).extend({
    name: text(255).optional(),
    code: text(64).optional(),
    contractRank: z.enum(contractRanks).optional(),
    licenseType: z.enum(licenseTypes).optional(),
    licenseExpiredOnStart: dateTime.optional(),
    licenseExpiredOnEnd: dateTime.optional(),
    bounceInfoStart: dateTime.optional(),
    bounceInfoEnd: dateTime.optional(),
    all: queryFlag.optional(),
  }),
  response: z.union([
    pageReply.extend({ partners: z.array(partnerRow) }),
    z.object({ partners: z.array(idName) }),
  ]),
});

export const getPartner = route({
  id: 'getPartner',
  service: 'tenant',
  method: 'GET',
  path: '/v1/admin/partners/:pid',
  summary: 'One partner.',
  access: readTenants,
  params: z.object({ pid: id }),
  response: partnerRow.extend({
    userDeviceLimit: z.number().int(),
    uapFileLimit: z.number().int(),
    filePublicFlag: z.boolean(),
    operationLogDownloadFlag: z.boolean(),
    email: z.string().nullable(),
    partnerItem: z.string(),
    json: z.string(),
    comment: z.string(),
    managers: z.string(),
    lang: z.enum(['ja', 'en']),
  }),
  errors: ['E40305', 'E40402'],
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
  access: { kind: 'partner', roles: userRoleBits.admin },
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
