import { z } from 'zod';
import {
  bodyId,
  byteCount,
  dateTime,
  dateTimeText,
  emptyReply,
  id,
  idName,
  idReply,
  listQuery,
  packageName,
  pageReply,
  queryFlag,
  requiredLine,
  searchText,
  text,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits } from '../core/roles.ts';
import { applicationRolloutChange } from '../core/rollout.ts';
import { route } from '../core/route.ts';
import { fingerprint, newVersionRule, openUpload, uploadInfo, versionNote } from './file.ts';

/** Packages that the operator publishes to tenants. */

const administerFiles = { kind: 'admin', roles: adminRoleBits.fileAdministration } as const;

const path = '/v1/admin/applications';
const recordParams = z.object({ id });

/** How an application comes to the people of a tenant. */
export const saleTypes = { delivery: 1, sale: 2 } as const;
export type SaleType = (typeof saleTypes)[keyof typeof saleTypes];
const saleType = z.literal([saleTypes.delivery, saleTypes.sale]).meta({
  description:
    '1 delivery: everyone in each destination tenant gets it at once; 2 sale: each destination tenant assigns it to its groups itself',
});

export const applicationStatuses = ['uploading', 'published'] as const;

const applicationRow = z.object({
  id: z.number().int(),
  name: z.string(),
  fileName: z.string(),
  fileSize: z.number().int().describe('Of the version that tenants get; before the first, of the upload'),
  saleType,
  allDeliverFlag: z.boolean(),
  partners: z.array(idName).describe('Its destinations, sorted by name; in the list the first 20'),
  partnerCount: z.number().int().describe('How many destinations are named'),
  version: z.number().int().describe('0 until its first upload is complete'),
  status: z.enum(applicationStatuses),
  upload: openUpload.nullable().meta({
    description: 'The upload that is not complete, which any administrator of its publisher can go on with',
  }),
  unitId: z.number().int().nullable().describe('The unit that publishes it; null: the platform'),
  publisher: z.string().nullable().describe('The name of that unit'),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

const fields = z.object({
  name: requiredLine(limits.nameMaxLength),
  saleType,
  allDeliverFlag: z
    .boolean()
    .nullable()
    .optional()
    .describe('Every tenant that the publisher reaches, later ones too'),
  partnerIds: z
    .array(bodyId)
    .max(limits.maxDestinations)
    .nullable()
    .optional()
    .describe('Destination tenants, in the place of `all_deliver_flag`'),
  fileName: packageName,
  fileSize: byteCount(limits.maxFileSize),
  fingerprint: fingerprint.optional(),
  versionNote: versionNote.optional(),
});

export const applicationOrderKeys = ['id', 'name', 'createdAt', 'updatedAt'] as const;

export const listApplications = route({
  id: 'listApplications',
  service: 'file',
  method: 'GET',
  path,
  summary: "The applications that the administrator's side publishes.",
  access: administerFiles,
  query: listQuery(applicationOrderKeys).extend({
    q: searchText
      .optional()
      .meta({ description: 'An id, or a part of a name or file name; what begins with it comes first' }),
    name: text(255).optional(),
    partnerName: text(255).optional().meta({ description: 'A part of the name of a named destination' }),
    saleType: z
      .union([
        saleType,
        z
          .string()
          .regex(/^[12]$/)
          .transform(Number)
          .pipe(saleType),
      ])
      .optional(),
    allDeliverFlag: queryFlag.optional(),
    unitId: id.optional(),
    createdAtStart: dateTime.optional(),
    createdAtEnd: dateTime.optional(),
    updatedAtStart: dateTime.optional(),
    updatedAtEnd: dateTime.optional(),
  }),
  response: pageReply.extend({ applications: z.array(applicationRow) }),
});

const refusals = ['E40305', 'E40402'] as const;

export const createApplication = route({
  id: 'createApplication',
  service: 'file',
  method: 'POST',
  path,
  summary:
    'Registers an application and opens the upload of its bytes. Nobody sees it before the upload is complete. ' +
    'A unit needs `can_force_distribute_app` for sale type 1.',
  access: administerFiles,
  body: fields,
  status: 201,
  response: uploadInfo.extend(idReply.shape),
  errors: ['E40019', ...refusals],
});

export const getApplication = route({
  id: 'getApplication',
  service: 'file',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'One application with all its destinations.',
  access: administerFiles,
  params: recordParams,
  response: applicationRow,
  errors: ['E40405'],
});

export const updateApplication = route({
  id: 'updateApplication',
  service: 'file',
  method: 'PUT',
  path: `${path}/:id`,
  summary:
    'Changes an application; an absent field stays unchanged. With `file_name`, the same as before, it opens the upload ' +
    'of a new version for everybody, at once or with `rollout` in stages. The sale type cannot change.',
  access: administerFiles,
  params: recordParams,
  body: fields.partial().extend({ rollout: applicationRolloutChange }).meta(newVersionRule),
  response: z.union([uploadInfo, emptyReply]),
  errors: ['E40019', ...refusals, 'E40405'],
});

export const deleteApplication = route({
  id: 'deleteApplication',
  service: 'file',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Deletes an application: players remove it, and its bytes are removed after 7 days.',
  access: administerFiles,
  params: recordParams,
  response: emptyReply,
  errors: ['E40405'],
});
