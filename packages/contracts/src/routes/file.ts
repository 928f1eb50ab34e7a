import { z } from 'zod';
import {
  bodyId,
  byteCount,
  csvName,
  dateTime,
  dateTimeText,
  emptyReply,
  exportedIds,
  groupId,
  id,
  idName,
  listQuery,
  oneOrMoreOf,
  packageName,
  pageNumber,
  pageReply,
  pageSize,
  queryFlag,
  requiredLine,
  requiredText,
  searchText,
  text,
  timeZoneName,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { rolloutChange } from '../core/rollout.ts';
import { route } from '../core/route.ts';

export * from './player-files.ts';

const { admin, developer } = userRoleBits;

/** What players get of a file that has groups is for administrators alone; the use cases say so. */
const editFiles = { kind: 'partner', roles: admin | developer } as const;
/** Administrators read the files of tenants; the calls of an upload are for whoever may open it: they open those of applications. */
const administerFiles = { kind: 'admin', roles: adminRoleBits.fileAdministration } as const;
const readFiles = [editFiles, administerFiles] as const;

const partnerParams = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });

/** The name and the size of a new version are given together. */
export const newVersionRule = { dependentRequired: { file_name: ['file_size'], file_size: ['file_name'] } };

/** Where and how the bytes are to be sent. */
export const uploadInfo = z.object({
  uploadId: z.string(),
  signedUrl: z.string().meta({ description: 'For one PUT of the whole body' }),
  partSize: z.number().int().meta({ description: 'Size in bytes of every part except the last' }),
  expiresAt: dateTimeText,
  storage: z.object({
    region: z.string(),
    awsKey: z.string(),
    bucketName: z.string(),
    bucketDir: z.string(),
    signerUrl: z.string(),
  }),
});

/** The SHA-256 of the first and the last MiB: how a client knows the file of an upload again. */
export const fingerprint = z
  .string()
  .regex(/^[0-9A-Fa-f]{64}$/, { error: 'invalidValue' })
  .transform((value) => value.toLowerCase())
  .meta({
    description:
      'SHA-256 in hexadecimal of the first MiB and the last MiB, one after the other; of a file that is shorter than ' +
      'both, of the whole file',
  });

/** What somebody says of a version. Where the call brings no bytes, of the version that is there. */
export const versionNote = text(limits.noteMaxLength).nullable();

/**
 * With it a change is made as it was previewed, or refused with `E40034` because something has changed since. It does not go into the
 * body of what is previewed.
 */
export const previewToken = text(limits.previewTokenMaxLength).meta({
  description: 'Of a preview of this very change: if its effect is another by now, nothing is done',
});

/** The change waits for another admin of the tenant, who approves or declines it. */
export const waiting = z.object({ approvalId: z.number().int() });

/** What a file is to people at this moment; a file has the first that fits. */
export const fileStates = [
  'draft',
  'uploading',
  'interrupted',
  'nobody',
  'reserved',
  'update_reserved',
  'delivered',
] as const;
export type FileState = (typeof fileStates)[number];

export const openUpload = z.object({
  uploadId: z.string(),
  fileName: z.string(),
  fileSize: z.number().int().nullable(),
  storedBytes: z.number().int(),
  lastPartAt: dateTimeText.nullable(),
  fingerprint: z.string().nullable(),
});

const fileRow = z.object({
  id: z.number().int(),
  name: z.string(),
  note: z.string(),
  fileName: z.string(),
  fileSize: z.number().int(),
  version: z.number().int(),
  sha256: z.string().nullable(),
  uploadStatus: z.enum(['uploading', 'complete', 'aborted']),
  state: z.enum(fileStates).meta({
    description:
      'The first that fits. draft: no bytes yet; uploading: bytes within the last 2 minutes; interrupted: bytes, but not ' +
      'all; nobody: complete, in no group; reserved: delivered from its reservation on; update_reserved: delivered, with an ' +
      'update that is reserved and complete; delivered',
  }),
  upload: openUpload.nullable().meta({
    description: 'The upload that is not complete, which any admin or developer of the tenant can go on with',
  }),
  deliverReservationAt: dateTimeText.nullable(),
  updateReservationAt: dateTimeText.nullable(),
  updateReservationFileName: z.string().nullable(),
  groups: z.array(idName),
  application: z.boolean().meta({
    description:
      "Published by the operator, whose its name, bytes and deletion are; the tenant's other limits do not count it",
  }),
  saleType: z.literal([1, 2]).nullable().meta({
    description:
      'Of an application: 1, everyone gets it; 2, an offer, which the tenant assigns to its groups. Null of a file',
  }),
  publisher: z.string().nullable().meta({
    description: 'Of an application: the name of the unit that publishes it; null: the operator itself',
  }),
  iconSignedUrl: z.string().nullable(),
  delivery: z
    .object({
      devices: z.number().int(),
      installed: z.number().int(),
      onTheWay: z.number().int(),
      failed: z.number().int(),
      notYet: z.number().int(),
    })
    .meta({
      description:
        'The devices that are to have the current version now, and what has become of it. on_the_way: downloading or ' +
        'downloaded; not_yet: the rest',
    }),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

export const fileOrderKeys = [
  'id',
  'name',
  'fileName',
  'createdAt',
  'updatedAt',
  'deliverReservationAt',
  'updateReservationAt',
] as const;

/** What the list and its export can be narrowed to. */
export const fileFilters = z.object({
  q: searchText
    .optional()
    .meta({ description: 'An id, or a part of a name or file name; what begins with it comes first' }),
  name: text(255).optional(),
  note: text(255).optional(),
  state: oneOrMoreOf(fileStates).optional(),
  group: groupId.optional().meta({ description: 'Files that are assigned to this group; 0: to everyone' }),
  createdAtStart: dateTime.optional(),
  createdAtEnd: dateTime.optional(),
  updatedAtStart: dateTime.optional(),
  updatedAtEnd: dateTime.optional(),
  deliverReservationAtStart: dateTime.optional(),
  deliverReservationAtEnd: dateTime.optional(),
  updateReservationAtStart: dateTime.optional(),
  updateReservationAtEnd: dateTime.optional(),
  deliveredAtStart: dateTime.optional().meta({
    description: 'Delivered files, by the moment from which on they were complete, assigned and due',
  }),
  deliveredAtEnd: dateTime.optional(),
  dueAtStart: dateTime.optional().meta({
    description: 'Files with a delivery or an update that is reserved, by the moment at which it is due',
  }),
  dueAtEnd: dateTime.optional(),
});

/** What an export of files is narrowed to. */
export const fileExportFilters = fileFilters.extend({ ids: exportedIds });

export const listFiles = route({
  id: 'listFiles',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files',
  summary: 'The files of the tenant.',
  access: readFiles,
  params: partnerParams,
  query: listQuery(fileOrderKeys).extend({
    all: queryFlag.optional(),
    includeIconUrl: queryFlag.optional(),
    ...fileFilters.shape,
  }),
  response: z.union([
    pageReply.extend({ files: z.array(fileRow) }),
    z.object({ files: z.array(idName.extend({ iconSignedUrl: z.string().nullable() })) }),
  ]),
});

export const createFile = route({
  id: 'createFile',
  service: 'file',
  method: 'POST',
  path: '/v1/partner/partners/:pid/files',
  summary:
    `Registers a file and opens the upload of its bytes. A tenant can have ${limits.maxOpenUploads} open uploads, including those of ` +
    'imports.',
  access: editFiles,
  params: partnerParams,
  body: z.object({
    name: requiredLine(limits.nameMaxLength),
    note: text(limits.noteMaxLength).nullable().optional(),
    fileName: packageName,
    fileSize: byteCount(limits.maxFileSize),
    fingerprint: fingerprint.optional(),
    deliverReservationAt: dateTime.nullable().optional(),
    versionNote: versionNote.optional(),
  }),
  status: 201,
  response: uploadInfo.extend({ id: z.number().int(), partnerFileId: z.number().int() }),
  errors: ['E40018', 'E40019', 'E40026'],
});

export const createSingleFile = route({
  id: 'createSingleFile',
  service: 'file',
  method: 'POST',
  path: '/v1/partner/partners/:pid/files/single',
  summary: 'Registers a file whose bytes are sent with one PUT; `name` is also its file name.',
  access: editFiles,
  params: partnerParams,
  body: z.object({
    name: packageName,
    fileSize: byteCount(limits.maxFileSize).optional(),
    fingerprint: fingerprint.optional(),
  }),
  status: 201,
  response: z.object({
    id: z.number().int(),
    partnerFileId: z.number().int(),
    uploadId: z.string(),
    signedUrl: z.string(),
  }),
  errors: ['E40018', 'E40019', 'E40026'],
});

export const getFilesOverview = route({
  id: 'getFilesOverview',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files/overview',
  summary:
    'How many files were delivered lately, will be, and wait for somebody. Days begin in the time zone `tz`.',
  access: editFiles,
  params: partnerParams,
  query: z.object({ tz: timeZoneName }),
  response: z.object({
    deliveredToday: z.number().int(),
    deliveredWeek: z.number().int().meta({ description: 'In the last 7 days, with today' }),
    reservedWeek: z
      .number()
      .int()
      .meta({ description: 'Reserved deliveries and updates that are due within 7 days' }),
    nobody: z.number().int(),
    interrupted: z.number().int(),
  }),
});

export const getFile = route({
  id: 'getFile',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files/:id',
  summary: 'One file, with a signed address of its bytes; administrators get none.',
  access: readFiles,
  params: recordParams,
  response: fileRow.extend({ signedUrl: z.string().nullable() }),
  errors: ['E40405'],
});

export const updateFile = route({
  id: 'updateFile',
  service: 'file',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/files/:id',
  summary:
    'Changes a file; with `file_name` it opens the upload of a new version. If the file has groups, only company ' +
    'admins can change its bytes and times.',
  access: editFiles,
  params: recordParams,
  body: z
    .object({
      name: requiredLine(limits.nameMaxLength).optional(),
      note: text(limits.noteMaxLength).nullable().optional(),
      fileName: packageName.optional(),
      fileSize: byteCount(limits.maxFileSize).optional(),
      fingerprint: fingerprint.optional(),
      deliverReservationAt: dateTime.nullable().optional(),
      versionNote: versionNote.optional(),
      previewToken: previewToken.optional(),
      rollout: rolloutChange,
    })
    .meta(newVersionRule),
  response: z.union([uploadInfo, emptyReply]),
  otherReplies: { 202: waiting },
  errors: ['E40019', 'E40025', 'E40034', 'E40404', 'E40405'],
});

export const deleteFile = route({
  id: 'deleteFile',
  service: 'file',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/files/:id',
  summary:
    'Deletes a file; its bytes are removed after 7 days. If the file has groups, only company admins can delete it.',
  access: editFiles,
  params: recordParams,
  query: z.object({ previewToken: previewToken.optional() }),
  response: emptyReply,
  otherReplies: { 202: waiting },
  errors: ['E40034', 'E40405'],
});

export const reserveUpdate = route({
  id: 'reserveUpdate',
  service: 'file',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/files/:id/reservation',
  summary:
    'Reserves an update: from its time on, players get the new version. If the file has groups, only company admins ' +
    'can do this.',
  access: editFiles,
  params: recordParams,
  body: z
    .object({
      updateReservationAt: dateTime,
      fileName: packageName.optional(),
      fileSize: byteCount(limits.maxFileSize).optional(),
      fingerprint: fingerprint.optional(),
      versionNote: versionNote.optional(),
      previewToken: previewToken.optional(),
      rollout: rolloutChange,
    })
    .meta(newVersionRule),
  response: z.union([uploadInfo, emptyReply]),
  otherReplies: { 202: waiting },
  errors: ['E40019', 'E40025', 'E40034', 'E40404', 'E40405'],
});

export const cancelUpdate = route({
  id: 'cancelUpdate',
  service: 'file',
  method: 'DELETE',
  path: '/v1/partner/partners/:pid/files/:id/reservation',
  summary: 'Cancels an update reservation. If the file has groups, only company admins can do this.',
  access: editFiles,
  params: recordParams,
  query: z.object({ previewToken: previewToken.optional() }),
  response: emptyReply,
  otherReplies: { 202: waiting },
  errors: ['E40034', 'E40405'],
});

const whoIsTold = 'Absent: as it was asked for, while people are still to be told of the file';

export const assignGroups = route({
  id: 'assignGroups',
  service: 'file',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/files/:id/groups',
  summary:
    'Sets the groups to which a file is delivered; group 0 is everyone. Only company admins can do this.',
  // Developers pass the access check, so that the use case can answer why they may not.
  access: editFiles,
  params: recordParams,
  body: z.object({
    groupIds: z.array(bodyId).max(limits.maxGroupsPerRequest),
    notifyEmail: z.boolean().optional().describe(whoIsTold),
    notifyPush: z.boolean().optional().describe(whoIsTold),
    previewToken: previewToken.optional(),
    rollout: rolloutChange,
  }),
  response: emptyReply,
  otherReplies: { 202: waiting },
  errors: ['E40019', 'E40030', 'E40034', 'E40304', 'E40404', 'E40405', 'E50301'],
});

export const listUserFiles = route({
  id: 'listUserFiles',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/:id/files',
  summary:
    'The files that are delivered to a user now, newest first, and why: through which of the groups (0 is ' +
    'everyone) and since when.',
  access: editFiles,
  params: recordParams,
  query: z.object({ page: pageNumber, perPage: pageSize }),
  response: pageReply.extend({
    files: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        fileName: z.string(),
        fileSize: z.number().int(),
        version: z.number().int(),
        iconSignedUrl: z.string().nullable(),
        groups: z.array(idName.extend({ since: dateTimeText })),
      }),
    ),
  }),
  errors: ['E40403'],
});

export const listUserFilesAhead = route({
  id: 'listUserFilesAhead',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/:id/files/ahead',
  summary:
    'The files that will reach a user later, as things stand: those whose delivery or update is reserved, the next one ' +
    'first, and through which of the groups (0 is everyone).',
  access: editFiles,
  params: recordParams,
  query: z.object({ page: pageNumber, perPage: pageSize }),
  response: pageReply.extend({
    files: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        fileName: z.string(),
        fileSize: z.number().int(),
        version: z
          .number()
          .int()
          .meta({ description: 'The one that comes next, with its size and its icon' }),
        iconSignedUrl: z.string().nullable(),
        deliverReservationAt: dateTimeText
          .nullable()
          .meta({ description: 'Null: the file is delivered already, and only its update is ahead' }),
        updateReservationAt: dateTimeText.nullable().meta({ description: 'Null: no update is ahead' }),
        groups: z.array(idName),
      }),
    ),
  }),
  errors: ['E40403'],
});

export const getStorageUse = route({
  id: 'getStorageUse',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/storage',
  summary: 'The storage that the tenant uses, and the quota of its contract rank.',
  access: editFiles,
  params: partnerParams,
  response: z.object({
    quotaBytes: z.number().int().meta({ description: '0 is unlimited' }),
    usedBytes: z
      .number()
      .int()
      .meta({
        description:
          'Files with the versions that are kept, open uploads by their declared size, and deleted bytes that are not yet ' +
          'removed',
      }),
    leavingBytes: z.number().int().meta({
      description:
        'The part of it that will be freed automatically: deleted bytes, and those of versions that are not kept',
    }),
  }),
});

// Uploads

const uploadParams = z.object({ uploadId: z.uuid() });
const partNumber = z.number().int().min(1).max(10_000);

export const signParts = route({
  id: 'signParts',
  service: 'file',
  method: 'POST',
  path: '/v1/uploads/:uploadId/parts',
  summary: 'Signed addresses for parts of an upload.',
  access: [editFiles, administerFiles],
  logged: false,
  params: uploadParams,
  body: z.object({ partNumbers: z.array(partNumber).min(1).max(1000) }),
  response: z.object({ parts: z.array(z.object({ partNumber: z.number().int(), signedUrl: z.string() })) }),
  errors: ['E40034'],
});

export const getUpload = route({
  id: 'getUpload',
  service: 'file',
  method: 'GET',
  path: '/v1/uploads/:uploadId',
  summary: 'The state of an upload.',
  access: [editFiles, administerFiles],
  params: uploadParams,
  response: z.object({
    status: z.enum(['uploading', 'complete', 'aborted']),
    partSize: z.number().int().meta({ description: 'Size in bytes of every part except the last' }),
    parts: z.array(z.object({ partNumber: z.number().int(), size: z.number().int(), etag: z.string() })),
  }),
});

export const completeUpload = route({
  id: 'completeUpload',
  service: 'file',
  method: 'POST',
  path: '/v1/uploads/:uploadId/complete',
  summary:
    'Completes an upload; after a single PUT, without parts. With 202 its version waits for another admin.',
  access: [editFiles, administerFiles],
  params: uploadParams,
  body: z.object({
    parts: z
      .array(z.object({ partNumber, etag: requiredLine(128) }))
      .max(10_000)
      .default([]),
  }),
  response: emptyReply,
  otherReplies: { 202: waiting },
  errors: ['E40034'],
});

export const abortUpload = route({
  id: 'abortUpload',
  service: 'file',
  method: 'DELETE',
  path: '/v1/uploads/:uploadId',
  summary: 'Aborts an upload and deletes what was stored of it. A completed upload stays.',
  access: [editFiles, administerFiles],
  params: uploadParams,
  response: emptyReply,
  errors: ['E40034'],
});

const basicDateTime = z.string().regex(/^\d{8}T\d{6}Z$/);

export const signRequest = route({
  id: 'signRequest',
  service: 'file',
  method: 'GET',
  path: '/v1/signer',
  summary:
    'The SigV4 signature of a storage request, for S3 clients that sign remotely. `to_sign` is the canonical request, or ' +
    'the string to sign together with `canonical_request`. It must belong to an open upload of the caller: the ' +
    'object `bucket_dir/upload_id`, addressed in path style.',
  access: [editFiles, administerFiles],
  query: z.object({
    // Together they fit into a URL.
    toSign: requiredText(4096),
    canonicalRequest: requiredText(4096).optional(),
    datetime: basicDateTime,
  }),
  response: z.object({ signature: z.string().meta({ description: 'Lower-case hexadecimal' }) }),
  errors: ['E40034', 'E40401'],
});

export const createUserImport = route({
  id: 'createUserImport',
  service: 'file',
  method: 'POST',
  path: '/v1/partner/partners/:pid/users/csv',
  summary:
    'Opens the upload of a CSV file of users. Completing the upload starts the import; with `preview` it is only ' +
    'checked, and waits until it is applied.',
  access: { kind: 'partner', roles: admin, api: 'group' },
  params: partnerParams,
  body: z.object({
    fileName: csvName,
    fileSize: byteCount(limits.maxImportSize).optional(),
    fingerprint: fingerprint.optional(),
    preview: z.boolean().default(false),
  }),
  status: 201,
  response: uploadInfo.extend({ id: z.number().int(), batchProcessId: z.number().int() }),
  errors: ['E40010', 'E40019'],
});
