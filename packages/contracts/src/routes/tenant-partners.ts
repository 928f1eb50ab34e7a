import { z } from 'zod';
import {
  bodyId,
  dateTime,
  dateTimeText,
  emailList,
  emptyReply,
  id,
  idName,
  idReply,
  jsonText,
  listQuery,
  oneLine,
  pageReply,
  queryFlag,
  requiredLine,
  text,
  timeZoneName,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { contractRanks, licenseTypes } from '../core/plans.ts';
import { adminRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { partnerFilters } from './partner-filters.ts';

export * from './partner-filters.ts';

/** Partners, as administrators see and change them. */

const readTenants = { kind: 'admin', roles: adminRoleBits.canReadTenantInformation } as const;
const administerPartners = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

const partnerPath = '/v1/admin/partners';
const recordParams = z.object({ pid: id });

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
  bounceCount: z.number().int().describe('Mails that could not be delivered, as `bounce_info` lists them'),
  mailCount: z.number().int().describe('Mails sent to people of the partner in the last 30 days'),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

/** Empty is absent, as forms send it; an e-mail address may have one character more here than elsewhere. */
const contactAddress = z
  .union([z.literal(''), z.string().max(limits.contactMaxLength).regex(z.regexes.email, { error: 'email' })])
  .nullable();

const partnerCode = z
  .string()
  .min(1, { error: 'required' })
  .max(limits.partnerCodeMaxLength)
  .regex(/^[A-Za-z0-9_-]*$/, { error: 'invaliduserid' });

const partnerFields = z.object({
  name: requiredLine(limits.nameMaxLength),
  unitId: bodyId
    .nullable()
    .describe(
      'Of platform administrators alone, and then no null; of a unit administrator it is always their own',
    ),
  contractRank: z.enum(contractRanks),
  licenseType: z.enum(licenseTypes),
  licenseCount: z.number().int().min(1).max(limits.maxLicenseCount),
  licenseExpiredOn: dateTime.nullable().describe('Null: the licences do not end'),
  userDeviceLimit: z
    .number()
    .int()
    .min(0)
    .max(limits.maxDeviceCount)
    .describe(
      'Devices of a user without a limit of their own; 0 is unlimited. Ignored where the plan counts users alone',
    ),
  uapFileLimit: z.number().int().min(0).max(limits.maxUapFileLimit).describe('0 is unlimited'),
  filePublicFlag: z.boolean().describe('Whether a file can be delivered to everyone'),
  operationLogDownloadFlag: z.boolean(),
  email: contactAddress.describe("The company's contact address"),
  partnerItem: oneLine(limits.nameMaxLength).nullable().describe("The operator's own reference"),
  json: jsonText.nullable(),
  comment: text(limits.noteMaxLength).nullable(),
  managers: emailList(limits.maxManagers, limits.managersMaxLength)
    .nullable()
    .describe("E-mail addresses of the operator's people in charge, separated by commas, at most 10"),
  lang: z.enum(['ja', 'en']),
  timeZone: timeZoneName.unwrap(),
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
  path: partnerPath,
  summary: 'The partners that the administrator can see.',
  access: readTenants,
  query: listQuery(partnerOrderKeys).extend({ ...partnerFilters.shape, all: queryFlag.optional() }),
  response: z.union([
    pageReply.extend({ partners: z.array(partnerRow) }),
    z.object({ partners: z.array(idName) }),
  ]),
});

export const createPartner = route({
  id: 'createPartner',
  service: 'tenant',
  method: 'POST',
  path: partnerPath,
  summary:
    'Creates a partner. What is absent follows from the plan of its contract rank; without a code, it gets a free number.',
  access: administerPartners,
  shownOnce: ['demoUsers'],
  body: partnerFields
    .extend({
      partnerCode: z.union([z.literal(''), partnerCode]).nullable(),
      createDemoUsers: z
        .boolean()
        .describe(
          'Makes a group `Demo` with users `demo1` to `demo3`, as many as there are licences for users',
        ),
    })
    .partial()
    .required({ name: true, contractRank: true }),
  status: 201,
  response: idReply.extend({
    partnerCode: z.string(),
    demoUsers: z
      .array(z.object({ loginUserId: z.string(), password: z.string() }))
      .optional()
      .describe(
        'With `create_demo_users` alone. The passwords are shown this once; within seconds they sign in',
      ),
  }),
  errors: ['E40014', 'E40015', 'E40016'],
});

export const getPartner = route({
  id: 'getPartner',
  service: 'tenant',
  method: 'GET',
  path: `${partnerPath}/:pid`,
  summary: 'One partner.',
  access: readTenants,
  params: recordParams,
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
    timeZone: z.string(),
    signUp: z
      .object({
        email: z.string(),
        firstName: z.string(),
        lastName: z.string(),
        tel: z.string(),
        purpose: z.string().nullable(),
        agreedToTermsAt: dateTimeText.nullable(),
        signedUpAt: dateTimeText,
        activatedAt: dateTimeText.nullable().describe('Null: nobody has followed the link of the mail yet'),
      })
      .nullable()
      .describe('What was said at the sign-up; null of a partner that an administrator created'),
    hasData: z.boolean().describe('Whether there are users, groups or files, which a deletion takes along'),
  }),
  errors: ['E40305'],
});

export const updatePartner = route({
  id: 'updatePartner',
  service: 'tenant',
  method: 'PUT',
  path: `${partnerPath}/:pid`,
  summary: 'Changes a partner; an absent field stays unchanged.',
  access: administerPartners,
  params: recordParams,
  body: partnerFields.extend({ partnerCode }).partial(),
  response: emptyReply,
  errors: ['E40014', 'E40016', 'E40017', 'E40020', 'E40021', 'E40022', 'E40023', 'E40305'],
});

export const deletePartner = route({
  id: 'deletePartner',
  service: 'tenant',
  method: 'DELETE',
  path: `${partnerPath}/:pid`,
  summary: 'Deletes a partner for good. While its licence lasts, only one without users, groups and files.',
  access: administerPartners,
  params: recordParams,
  response: emptyReply,
  errors: ['E40032', 'E40305'],
});

export const bounceKinds = ['hard', 'soft'] as const;

export const listBounces = route({
  id: 'listBounces',
  service: 'tenant',
  method: 'GET',
  path: `${partnerPath}/:pid/bounce_info`,
  summary: 'The mails to people of a partner that could not be delivered, newest first.',
  access: readTenants,
  params: recordParams,
  query: listQuery(['occurredAt']),
  response: pageReply.extend({
    bounces: z.array(
      z.object({
        id: z.number().int(),
        email: z.string(),
        kind: z.enum(bounceKinds).describe('hard: refused for good; soft: could not be delivered for a day'),
        reason: z.string(),
        occurredAt: dateTimeText,
      }),
    ),
  }),
  errors: ['E40305'],
});
