import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText, revision } from '../core/fields.ts';
import { pushServices } from '../core/push.ts';

const id = z.number().int();
const topic = 'portal.push';

/** What other services keep of a certificate for push notifications. Its secrets never leave the push service. */
export const certificationState = z.object({
  certificationId: id,
  revision,
  name: z.string().nullable().describe('Null: the operator’s, which has no name'),
  android: z.boolean().describe('It has the key of a service account, for Android'),
  ios: z.boolean().describe('It has a certificate, for iOS'),
  topic: z.string().nullable().describe('The app that the certificate is for'),
  certificateExpiresAt: dateTimeText.nullable().describe('When the certificate ends; null without one'),
});
const certificationExample = {
  certificationId: 4,
  revision: 1,
  name: 'Sales app',
  android: true,
  ios: true,
  topic: 'com.example.sales',
  certificateExpiresAt: '2027-11-21T00:00:00Z',
};

export const certificationCreated = defineEvent({
  type: 'certification.created',
  topic,
  summary: 'A certificate for push notifications was registered, by a tenant or by the operator.',
  key: 'certificationId',
  tenant: 'sometimes',
  data: certificationState,
  example: certificationExample,
});

export const certificationUpdated = defineEvent({
  type: 'certification.updated',
  topic,
  summary: 'A certificate for push notifications was changed.',
  key: 'certificationId',
  tenant: 'sometimes',
  data: certificationState,
  example: { ...certificationExample, revision: 2 },
});

export const certificationDeleted = defineEvent({
  type: 'certification.deleted',
  topic,
  summary: 'A certificate for push notifications was deleted.',
  key: 'certificationId',
  tenant: 'always',
  data: z.object({ certificationId: id }),
  example: { certificationId: 4 },
});

export const certificationEnding = defineEvent({
  type: 'certification.ending',
  topic,
  summary:
    'The certificate of a tenant for push notifications to iOS ends in 30 days, or in 7. Sent once for each, and for each certificate.',
  key: 'certificationId',
  tenant: 'always',
  data: z.object({
    certificationId: id,
    name: z.string(),
    certificateExpiresAt: dateTimeText,
    days: z.number().int().describe('30 or 7: at most so many days before'),
  }),
  example: {
    certificationId: 4,
    name: 'Sales app',
    certificateExpiresAt: '2027-11-21T00:00:00Z',
    days: 30,
  },
});

export const notificationTargets = ['all', 'groups', 'users'] as const;

/** What other services keep of a push notification. */
export const notificationState = z.object({
  notificationId: id,
  revision,
  title: z.string().nullable(),
  message: z.string(),
  certificationId: id.nullable().describe('Null: the operator’s certificate'),
  target: z.enum(notificationTargets),
  groupIds: z.array(id).describe('The groups that it goes to; empty for another target'),
  userIds: z.array(id).describe('The users that it goes to; empty for another target'),
  dueAt: dateTimeText.describe('When its delivery begins'),
  fileId: id.nullable().describe('The file that it tells of; null: somebody wrote it'),
});
const notificationExample = {
  notificationId: 9,
  revision: 1,
  title: 'News',
  message: 'The new catalogue is there.',
  certificationId: null,
  target: 'groups' as const,
  groupIds: [3],
  userIds: [],
  dueAt: '2026-12-01T00:00:00Z',
  fileId: null,
};

export const notificationScheduled = defineEvent({
  type: 'notification.scheduled',
  topic,
  summary: 'A push notification was written: its delivery begins at once, or at the time that it names.',
  key: 'notificationId',
  tenant: 'always',
  data: notificationState,
  example: notificationExample,
});

export const notificationUpdated = defineEvent({
  type: 'notification.updated',
  topic,
  summary: 'A push notification that waits was changed.',
  key: 'notificationId',
  tenant: 'always',
  data: notificationState,
  example: { ...notificationExample, revision: 2 },
});

export const notificationDeleted = defineEvent({
  type: 'notification.deleted',
  topic,
  summary: 'A push notification that waited was deleted.',
  key: 'notificationId',
  tenant: 'always',
  data: z.object({ notificationId: id }),
  example: { notificationId: 9 },
});

export const notificationDelivering = defineEvent({
  type: 'notification.delivering',
  topic,
  summary: 'The delivery of a push notification began.',
  key: 'notificationId',
  tenant: 'always',
  data: z.object({ notificationId: id, startedAt: dateTimeText }),
  example: { notificationId: 9, startedAt: '2026-12-01T00:00:00Z' },
});

const counts = z.object({
  notificationId: id,
  title: z.string().nullable(),
  fileId: id.nullable(),
  startedAt: dateTimeText,
  finishedAt: dateTimeText,
  targetCount: z.number().int().describe('Devices that it went to'),
  successCount: z.number().int().describe('Devices whose provider took it'),
  failureCount: z.number().int(),
  failureReasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
});
const countsExample = {
  notificationId: 9,
  title: 'News',
  fileId: null,
  startedAt: '2026-12-01T00:00:00Z',
  finishedAt: '2026-12-01T00:00:04Z',
  targetCount: 120,
  successCount: 118,
  failureCount: 2,
  failureReasons: [{ reason: 'Unregistered', count: 2 }],
};

export const notificationDelivered = defineEvent({
  type: 'notification.delivered',
  topic,
  summary:
    'The delivery of a push notification ended: at least one device got it, or there was no device to reach.',
  key: 'notificationId',
  tenant: 'always',
  data: counts,
  example: countsExample,
});

export const notificationFailed = defineEvent({
  type: 'notification.failed',
  topic,
  summary: 'The delivery of a push notification ended, and no device got it.',
  key: 'notificationId',
  tenant: 'always',
  data: counts,
  example: {
    ...countsExample,
    successCount: 0,
    failureCount: 120,
    failureReasons: [{ reason: 'Certificate expired', count: 120 }],
  },
});

export const deviceUnreachable = defineEvent({
  type: 'device.unreachable',
  topic,
  summary:
    'The push token of a device was dropped: its provider no longer knows it, or another device has told the same one.',
  key: 'userId',
  tenant: 'always',
  data: z.object({
    userId: id,
    uuid: z.string().describe('The device'),
    number: z
      .number()
      .int()
      .describe('That of `device.push_changed`: a push token that the device told later stays'),
    pushService: z.enum(pushServices),
    reason: z.string().describe('What the provider said; `moved`: another device has told the same one'),
  }),
  example: { userId: 12, uuid: 'a3c5e7', number: 56, pushService: 'fcm', reason: 'UNREGISTERED' },
});
