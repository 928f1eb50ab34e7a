import { z } from 'zod';
import { cp932Length } from '../core/cp932-length.ts';
import {
  bodyId,
  dateTime,
  dateTimeText,
  emptyReply,
  id,
  idName,
  idReply,
  jsonText,
  listQuery,
  oneLine,
  pageReply,
  requiredText,
} from '../core/fields.ts';
import { pushLimits } from '../core/push.ts';
import { userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';

import { notificationFilters, notificationStatuses } from './notification-filters.ts';

const { admin, pushApi } = userRoleBits;

const partnerParams = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });

const notifications = '/v1/partner/partners/:pid/push_notifications';
const sendPushes = { kind: 'partner', roles: admin | pushApi, api: 'push' } as const;

const notification = z.object({
  id: z.number().int(),
  title: z.string().nullable(),
  message: z.string(),
  status: z
    .enum(notificationStatuses)
    .describe('success: a device took it, or there was none to reach; failure: no device took it'),
  certificationId: z.number().int().nullable().describe("Null: the operator's certificate"),
  groupId: z.number().int().nullable().describe('The one group that it goes to'),
  groups: z.array(idName).describe('All groups that it goes to: that of a file may go to several'),
  users: z
    .array(z.object({ id: z.number().int(), loginId: z.string() }))
    .describe('The users that it goes to; in the list the first 20'),
  userCount: z.number().int().describe('How many users it names; without groups and users it goes to all'),
  json: z.string().nullable(),
  fileId: z.number().int().nullable().describe('The file that it tells of; null: somebody wrote it'),
  deliverDatetime: dateTimeText.nullable().describe('Null: at once'),
  startedAt: dateTimeText.nullable(),
  finishedAt: dateTimeText.nullable(),
  targetCount: z.number().int().describe('Devices; it grows while the delivery begins'),
  successCount: z.number().int(),
  failureCount: z.number().int(),
  failureReasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

/** As forms send them: an empty text is none. */
const pushTitle = oneLine(pushLimits.titleBytes).refine(
  (value) => cp932Length(value) <= pushLimits.titleBytes,
  {
    error: 'pushTitleTooLong',
  },
);
const pushMessage = requiredText(pushLimits.messageBytes).refine(
  (value) => cp932Length(value) <= pushLimits.messageBytes,
  { error: 'pushMessageTooLong' },
);

const target = z.object({
  groupId: bodyId.nullable().optional().describe('0 is as absent'),
  userIds: z.array(bodyId).max(pushLimits.maxUsers).nullable().optional().describe('Empty is as absent'),
});

export const countPushAudience = route({
  id: 'countPushAudience',
  service: 'push',
  method: 'POST',
  path: `${notifications}/audience`,
  summary:
    'How many people and devices a push notification reaches: of everyone, of a group or of the users named.',
  access: sendPushes,
  logged: false,
  params: partnerParams,
  body: target,
  response: z.object({
    users: z.number().int().describe('All users whom it is for'),
    people: z.number().int().describe('Those of them who have a device that it reaches'),
    devices: z.number().int(),
    sends: z.boolean().describe('There is a certificate to send with: of the company, or of the operator'),
  }),
  errors: ['E40403', 'E40404', 'E50301'],
});

export const notificationFields = z.object({
  title: pushTitle
    .meta({ description: 'At most 61 bytes in CP932, 30 characters of full width' })
    .nullable()
    .optional(),
  message: pushMessage.meta({
    description:
      'At most 235 bytes in CP932, 117 characters of full width; a character outside it counts two',
  }),
  certificationId: bodyId.nullable().optional().describe("Absent or 0: the operator's"),
  ...target.shape,
  deliverDatetime: z
    .union([z.literal(''), dateTime])
    .nullable()
    .optional()
    .describe('Absent: at once'),
  json: jsonText
    .nullable()
    .optional()
    .describe('JSON, which the app gets as the text `json`; at most 2,000 bytes as it is escaped there'),
});

export const notificationOrderKeys = ['id', 'title', 'status', 'deliverDatetime', 'createdAt'] as const;

export const listNotifications = route({
  id: 'listNotifications',
  service: 'push',
  method: 'GET',
  path: notifications,
  summary: 'The push notifications of the tenant. One without a time is ordered and found by its creation.',
  access: sendPushes,
  params: partnerParams,
  query: listQuery(notificationOrderKeys).extend(notificationFilters.shape),
  response: pageReply.extend({ pushNotifications: z.array(notification) }),
});

const targetErrors = ['E40403', 'E40404'] as const;

export const createNotification = route({
  id: 'createNotification',
  service: 'push',
  method: 'POST',
  path: notifications,
  summary: 'Sends a push notification to all, to a group or to users, at once or at a time.',
  access: sendPushes,
  params: partnerParams,
  body: notificationFields,
  status: 201,
  response: idReply,
  errors: ['E40030', 'E40401', ...targetErrors],
});

export const getNotification = route({
  id: 'getNotification',
  service: 'push',
  method: 'GET',
  path: `${notifications}/:id`,
  summary: 'One push notification.',
  access: sendPushes,
  params: recordParams,
  response: notification,
  errors: ['E40401'],
});

export const updateNotification = route({
  id: 'updateNotification',
  service: 'push',
  method: 'PUT',
  path: `${notifications}/:id`,
  summary:
    'Changes a push notification that waits; an absent field stays unchanged. A group takes the place of users and the other way round.',
  access: sendPushes,
  params: recordParams,
  body: notificationFields.partial(),
  response: emptyReply,
  errors: ['E40030', 'E40034', 'E40401', ...targetErrors],
});

export const deleteNotification = route({
  id: 'deleteNotification',
  service: 'push',
  method: 'DELETE',
  path: `${notifications}/:id`,
  summary: 'Deletes a push notification that waits.',
  access: sendPushes,
  params: recordParams,
  response: emptyReply,
  errors: ['E40034', 'E40401'],
});
