import {
  adminRoleBits,
  batchRoutes,
  bytesIn,
  bytesOut,
  dateTimeText,
  emptyReply,
  id,
  idReply,
  limits,
  listQuery,
  nothing,
  pageReply,
  requiredLine,
  routesOf,
  text,
  timeZone,
  userRoleBits,
  verbatim,
} from '@portal/contracts';
import { z } from 'zod';

const route = routesOf<'notice'>();

const { admin, developer } = userRoleBits;
const readNotices = { kind: 'partner', roles: admin | developer, api: 'push' } as const;
const writeNotices = { kind: 'partner', roles: admin, api: 'push' } as const;
const administrators = { kind: 'admin', roles: adminRoleBits.partnerAdministration } as const;

const partnerParams = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });
const path = '/v1/partner/partners/:pid/notices';

const notice = z.object({
  id: z.number().int(),
  name: z.string(),
  text: z.string(),
  publishedAt: dateTimeText.nullable(),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

export const noticeFields = z.object({
  name: requiredLine(limits.nameMaxLength),
  text: text(limits.noteMaxLength),
});

export const noticeOrderKeys = ['id', 'name', 'updatedAt'] as const;

export const listNotices = route({
  id: 'listNotices',
  service: 'notice',
  method: 'GET',
  path,
  summary: 'The notices of the tenant; administrators read them too.',
  access: [readNotices, administrators],
  params: partnerParams,
  query: listQuery(noticeOrderKeys).extend({ name: text(limits.nameMaxLength).optional() }),
  response: pageReply.extend({ notices: z.array(notice) }),
});

export const createNotice = route({
  id: 'createNotice',
  service: 'notice',
  method: 'POST',
  path,
  summary: 'Creates a notice.',
  access: writeNotices,
  params: partnerParams,
  body: noticeFields,
  status: 201,
  response: idReply,
  errors: ['E40029'],
});

export const getNotice = route({
  id: 'getNotice',
  service: 'notice',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'One notice.',
  access: readNotices,
  params: recordParams,
  response: notice,
  errors: ['E40401'],
});

export const updateNotice = route({
  id: 'updateNotice',
  service: 'notice',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Changes a notice; an absent field stays unchanged.',
  access: writeNotices,
  params: recordParams,
  body: noticeFields.partial(),
  response: emptyReply,
  errors: ['E40029', 'E40401'],
});

export const deleteNotice = route({
  id: 'deleteNotice',
  service: 'notice',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Deletes a notice.',
  access: writeNotices,
  params: recordParams,
  response: emptyReply,
  errors: ['E40401'],
});

/** The customer's own JSON. */
const document = verbatim(z.looseObject({}));

export const getNoticeDocument = route({
  id: 'getNoticeDocument',
  service: 'notice',
  method: 'GET',
  path: `${path}/:id/document`,
  summary: 'The document of a notice.',
  access: readNotices,
  params: recordParams,
  versioned: true,
  response: document,
  errors: ['E40401'],
});

export const putNoticeDocument = route({
  id: 'putNoticeDocument',
  service: 'notice',
  method: 'PUT',
  path: `${path}/:id/document`,
  summary: 'Replaces the document of a notice; 201 for its first one.',
  access: writeNotices,
  params: recordParams,
  body: document,
  versioned: true,
  response: document,
  otherReplies: { 201: document },
  errors: ['E40034', 'E40401'],
});

export const importNotices = route({
  id: 'importNotices',
  service: 'notice',
  method: 'POST',
  path: `${path}/import`,
  summary: 'Creates notices, one for each line of JSON; a name that exists is passed over.',
  access: writeNotices,
  params: partnerParams,
  body: bytesIn('application/x-ndjson'),
  maxBody: 64 * 1024 * 1024,
  response: z.object({ createdCount: z.number().int() }),
  errors: ['E40002'],
});

export const exportNotices = route({
  id: 'exportNotices',
  service: 'notice',
  method: 'GET',
  path: `${path}/export`,
  summary: 'Every notice of the tenant, one in each line of JSON, as `importNotices` takes them.',
  access: readNotices,
  logged: true,
  params: partnerParams,
  response: bytesOut('application/x-ndjson'),
});

export const publishNotice = route({
  id: 'publishNotice',
  service: 'notice',
  method: 'POST',
  path: `${path}/:id/publish`,
  summary: 'Has a notice published in the background; 204 if it is published already.',
  access: writeNotices,
  params: recordParams,
  status: 202,
  response: emptyReply,
  otherReplies: { 204: nothing },
  errors: ['E40401'],
});

/** Of the product it would be one more in `csvExports`; the batch service serves its routes. */
export const noticesCsv = batchRoutes.csvExport({
  name: 'Notices',
  kind: 'notices',
  fileName: 'notices.csv',
  encoding: 'utf-8',
  summary: 'Starts an export of notices.csv.',
  path: `${path}/csv/batches`,
  access: readNotices,
  params: partnerParams,
  existing: partnerParams.extend({ batchId: id }),
  query: z.object({ tz: timeZone }),
  idField: 'noticesCsvBatchId',
});
