import { z } from 'zod';
import { approvalKinds } from '../core/changes.ts';
import { bodyId, dateTimeText, emptyReply, pageNumber, pageReply, pageSize } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { eventsOut } from '../core/media.ts';
import { route, routeAt } from '../core/route.ts';

// Notices of oneself: the calls of administrators, and beside each the same of the people of tenants.

const administrators = { kind: 'admin', roles: 0 } as const;
const people = { kind: 'partner', roles: 0 } as const;

export const noticeKinds = [
  'export_ready',
  'import_ended',
  'upload_failed',
  'licence_ending',
  'certificate_ending',
  'approval_requested',
  'approval_decided',
  'rollout_halted',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const approvalData = z.object({
  approvalId: z.number().int(),
  what: z.enum(approvalKinds),
  fileId: z.number().int().nullable(),
  name: z.string().nullable().describe('The name of the file'),
  requestedByName: z.string(),
});

/** What a notice tells, by its kind. */
export const noticeData = {
  export_ready: z.object({ batchId: z.number().int(), export: z.string(), rowCount: z.number().int() }),
  import_ended: z.object({
    batchProcessId: z.number().int(),
    result: z.enum(['applied', 'refused', 'failed']),
    createCount: z.number().int(),
    updateCount: z.number().int(),
    deleteCount: z.number().int(),
    errorCount: z.number().int(),
  }),
  upload_failed: z.object({
    fileId: z.number().int(),
    name: z.string(),
    fileName: z.string(),
    fileDeleted: z.boolean(),
    reason: z.enum(['expired', 'refused', 'given_up', 'outdated']),
  }),
  licence_ending: z.object({ licenseExpiredOn: dateTimeText, days: z.number().int() }),
  certificate_ending: z.object({
    certificationId: z.number().int(),
    name: z.string(),
    certificateExpiresAt: dateTimeText,
    days: z.number().int(),
  }),
  approval_requested: approvalData,
  approval_decided: approvalData.extend({ state: z.enum(['approved', 'declined', 'expired', 'stale']) }),
  rollout_halted: z.object({
    fileId: z.number().int(),
    name: z.string().describe('The name of the file'),
    version: z.number().int(),
    reports: z.number().int(),
    failures: z.number().int(),
    byHand: z.boolean().describe('Somebody halted it; false: the limit of its failures did'),
  }),
} as const satisfies Record<NoticeKind, z.ZodObject>;

const common = {
  id: z.number().int(),
  link: z.string().describe('The page of the web client that it leads to'),
  read: z.boolean(),
  createdAt: dateTimeText,
};

export const notice = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('export_ready'), data: noticeData.export_ready }),
  z.object({ ...common, kind: z.literal('import_ended'), data: noticeData.import_ended }),
  z.object({ ...common, kind: z.literal('upload_failed'), data: noticeData.upload_failed }),
  z.object({ ...common, kind: z.literal('licence_ending'), data: noticeData.licence_ending }),
  z.object({ ...common, kind: z.literal('certificate_ending'), data: noticeData.certificate_ending }),
  z.object({ ...common, kind: z.literal('approval_requested'), data: noticeData.approval_requested }),
  z.object({ ...common, kind: z.literal('approval_decided'), data: noticeData.approval_decided }),
  z.object({ ...common, kind: z.literal('rollout_halted'), data: noticeData.rollout_halted }),
]);
export type Notice = z.output<typeof notice>;

export const listAdminNotices = route({
  id: 'listAdminNotices',
  service: 'mail',
  method: 'GET',
  path: '/v1/admin/notices',
  summary: 'The notices of the administrator, newest first; they are kept for 30 days.',
  access: administrators,
  query: z.object({ page: pageNumber, perPage: pageSize }),
  response: pageReply.extend({ notices: z.array(notice), unreadCount: z.number().int() }),
});

export const listPartnerNotices = routeAt(listAdminNotices, {
  id: 'listPartnerNotices',
  path: '/v1/partner/notices',
  summary: 'The notices of the signed-in user, newest first; they are kept for 30 days.',
  access: people,
});

export const readAdminNotices = route({
  id: 'readAdminNotices',
  service: 'mail',
  method: 'PUT',
  path: '/v1/admin/notices/read',
  summary: 'Marks notices of the administrator as read: some, or all.',
  access: administrators,
  body: z
    .object({
      ids: z.array(bodyId).min(1).max(limits.maxIdsPerDelete).optional(),
      all: z.literal(true).optional(),
    })
    .superRefine(({ all, ids }, context) => {
      if (ids === undefined && all === undefined)
        context.addIssue({ code: 'custom', path: ['ids'], message: 'idsOrAll' });
      else if (ids !== undefined && all !== undefined)
        context.addIssue({ code: 'custom', path: ['all'], message: 'idsAndAll' });
    }),
  response: emptyReply,
  errors: ['E40401'],
});

export const readPartnerNotices = routeAt(readAdminNotices, {
  id: 'readPartnerNotices',
  path: '/v1/partner/notices/read',
  summary: 'Marks notices of the signed-in user as read: some, or all.',
  access: people,
});

export const followAdminNotices = route({
  id: 'followAdminNotices',
  service: 'mail',
  method: 'GET',
  path: '/v1/admin/notices/stream',
  summary:
    'The notices of the administrator as they come, until the session ends; with Last-Event-ID those after it first. At most three for a session.',
  access: administrators,
  response: eventsOut('notice', notice),
  errors: ['E40002'],
});

export const followPartnerNotices = routeAt(followAdminNotices, {
  id: 'followPartnerNotices',
  path: '/v1/partner/notices/stream',
  summary:
    'The notices of the signed-in user as they come, until the session ends; with Last-Event-ID those after it first. At most three for a session.',
  access: people,
});
