import { z } from 'zod';
import { cp932Length } from '../core/cp932-length.ts';
import {
  bodyId,
  dateTime,
  dateTimeText,
  emptyReply,
  exportedIds,
  fileName,
  holdsNoPem,
  id,
  idName,
  idReply,
  jsonText,
  listQuery,
  oneLine,
  oneOrMoreOf,
  pageReply,
  queryFlag,
  requiredLine,
  requiredText,
  searchText,
  text,
  timeZone,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { bytesOut } from '../core/media.ts';
import { pushLimits, pushServices } from '../core/push.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { route, routeAt } from '../core/route.ts';

const { admin, pushApi } = userRoleBits;

const partnerParams = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });

// Certifications: what pushes are sent with. A tenant's own, and the operator's, which tenants without one use.

const certifications = '/v1/partner/partners/:pid/push_notifications/certifications';
const chooseCertifications = { kind: 'partner', roles: admin | pushApi, api: 'certification' } as const;
const ownCertifications = { kind: 'partner', roles: admin, api: 'certification' } as const;
const operatorsCertification = {
  kind: 'admin',
  roles: adminRoleBits.superAdministration,
  platform: true,
} as const;

const operatorCertification = z.object({
  id: z.number().int(),
  certificationFileName: z.string().nullable(),
  hasApiKey: z.boolean().describe('It has a key for Android'),
  projectId: z.string().nullable().describe('The project of that key'),
  hasCertificate: z.boolean().describe('It has a certificate for iOS'),
  topic: z.string().nullable().describe('The app that the certificate is for'),
  certificateExpiresAt: dateTimeText.nullable(),
  inUse: z.boolean().describe('Notifications wait for it, or are being delivered with it'),
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

const certification = operatorCertification.extend({ name: z.string() });

/** Forms send an empty text for what is not filled in. */
const filledIn = <const S extends z.ZodType>(schema: S) =>
  z
    .union([z.literal(''), schema])
    .nullable()
    .optional();

const operatorFields = z.object({
  apiKey: text(pushLimits.apiKeyMaxLength)
    .nullable()
    .optional()
    .describe(
      'The JSON of the key of a service account, for Android; null: takes it away. It is never answered',
    ),
  certificationFileName: filledIn(fileName.refine(holdsNoPem, { error: 'nameHoldsKey' })),
  certificate: text(pushLimits.certificateMaxLength)
    .nullable()
    .optional()
    .describe('In PEM, for iOS; null: takes it away, with its key'),
  privateKey: text(pushLimits.privateKeyMaxLength)
    .nullable()
    .optional()
    .describe('The key of the certificate in PEM. It is never answered'),
});
const ownFields = operatorFields.extend({
  name: requiredLine(limits.nameMaxLength).refine(holdsNoPem, { error: 'nameHoldsKey' }),
});

const deleteFlag = z.object({
  certificateDeleteFlag: z.boolean().optional().describe('True: takes the certificate away, with its key'),
});

export const certificationOrderKeys = ['id', 'name', 'updatedAt'] as const;

export const listCertifications = route({
  id: 'listCertifications',
  service: 'push',
  method: 'GET',
  path: certifications,
  summary:
    'The certificates of the tenant; with `all=true`, which senders of pushes may ask for too, the names alone.',
  access: chooseCertifications,
  params: partnerParams,
  query: listQuery(certificationOrderKeys).extend({
    all: queryFlag.optional(),
    name: text(limits.nameMaxLength).optional(),
  }),
  response: z.union([
    pageReply.extend({ certifications: z.array(certification) }),
    z.object({ certifications: z.array(idName) }),
  ]),
});

export const listPartnerCertifications = routeAt(listCertifications, {
  id: 'listPartnerCertifications',
  path: '/v1/admin/partners/:pid/certifications',
  summary: 'The certificates of a partner.',
  access: { kind: 'admin', roles: adminRoleBits.groupAdministration },
  errors: ['E40305', 'E40402'],
});

export const createCertification = route({
  id: 'createCertification',
  service: 'push',
  method: 'POST',
  path: certifications,
  summary: 'Registers a certificate: for Android, for iOS or for both.',
  access: ownCertifications,
  params: partnerParams,
  body: ownFields,
  status: 201,
  response: idReply,
  errors: ['E40029', 'E40030'],
});

export const getCertification = route({
  id: 'getCertification',
  service: 'push',
  method: 'GET',
  path: `${certifications}/:id`,
  summary: 'One certificate.',
  access: ownCertifications,
  params: recordParams,
  response: certification,
  errors: ['E40401'],
});

export const updateCertification = route({
  id: 'updateCertification',
  service: 'push',
  method: 'PUT',
  path: `${certifications}/:id`,
  summary: 'Changes a certificate; an absent field stays unchanged.',
  access: ownCertifications,
  params: recordParams,
  body: ownFields.partial().extend(deleteFlag.shape),
  response: emptyReply,
  errors: ['E40029', 'E40030', 'E40401'],
});

export const deleteCertification = route({
  id: 'deleteCertification',
  service: 'push',
  method: 'DELETE',
  path: `${certifications}/:id`,
  summary: 'Deletes a certificate that no notification waits for.',
  access: ownCertifications,
  params: recordParams,
  response: emptyReply,
  errors: ['E40031', 'E40401'],
});

export const exportCertifications = route({
  id: 'exportCertifications',
  service: 'push',
  method: 'GET',
  path: `${certifications}/csv`,
  summary: 'certifications.csv, streamed.',
  access: ownCertifications,
  logged: true,
  params: partnerParams,
  query: z.object({ tz: timeZone, name: text(limits.nameMaxLength).optional() }),
  response: bytesOut('text/csv'),
});

const operators = '/v1/admin/push_notifications/certifications';

export const getOperatorCertification = route({
  id: 'getOperatorCertification',
  service: 'push',
  method: 'GET',
  path: operators,
  summary: "The operator's certificate, which tenants without their own use; E40401 until there is one.",
  access: operatorsCertification,
  response: operatorCertification,
  errors: ['E40401'],
});

export const createOperatorCertification = route({
  id: 'createOperatorCertification',
  service: 'push',
  method: 'POST',
  path: operators,
  summary: "Registers the operator's certificate; there is one.",
  access: operatorsCertification,
  body: operatorFields,
  status: 201,
  response: idReply,
  errors: ['E40030', 'E40032'],
});

export const updateOperatorCertification = route({
  id: 'updateOperatorCertification',
  service: 'push',
  method: 'PUT',
  path: operators,
  summary: "Changes the operator's certificate; an absent field stays unchanged.",
  access: operatorsCertification,
  body: operatorFields.extend(deleteFlag.shape),
  response: emptyReply,
  errors: ['E40030', 'E40401'],
});

// Notifications

const notifications = '/v1/partner/partners/:pid/push_notifications';
const sendPushes = { kind: 'partner', roles: admin | pushApi, api: 'push' } as const;

export const notificationStatuses = ['waiting', 'delivering', 'success', 'failure'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

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

/** What the list of notifications is filtered by. */
export const notificationFilters = z.object({
  q: searchText.optional(),
  title: text(255).optional(),
  status: oneOrMoreOf(notificationStatuses).optional(),
  deliverDatetimeStart: dateTime.optional(),
  deliverDatetimeEnd: dateTime.optional(),
  createdAtStart: dateTime.optional(),
  createdAtEnd: dateTime.optional(),
});

/** What an export of notifications is narrowed to. */
export const notificationExportFilters = notificationFilters.extend({ ids: exportedIds });

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

export const readP12 = route({
  id: 'readP12',
  service: 'push',
  method: 'POST',
  path: '/v1/pem',
  summary:
    'Reads a PKCS#12 file with one certificate and its RSA key, and answers both in PEM. It keeps nothing.',
  access: [ownCertifications, operatorsCertification],
  logged: false,
  answersSecret: true,
  maxBody: pushLimits.maxPemBody,
  body: z.object({
    p12: z
      .string()
      .min(1, { error: 'required' })
      .meta({ contentEncoding: 'base64', description: 'At most 1 MiB of bytes, in base64' }),
    password: text(pushLimits.p12PasswordMaxLength).nullable().optional().describe('May be empty'),
  }),
  response: z.object({
    certificate: z.string(),
    privateKey: z.string(),
    topic: z.string().nullable().describe('The app that the certificate is for'),
    subject: z.string(),
    certificateExpiresAt: dateTimeText,
  }),
});

export const devPushbox = route({
  id: 'devPushbox',
  service: 'push',
  method: 'GET',
  path: '/dev/pushbox',
  summary:
    'What the stand-in for FCM and APNs of a demo installation has taken, newest first; for a browser, as a page. Otherwise not found.',
  access: { kind: 'public' },
  tries: 'none',
  query: z.object({
    token: text(pushLimits.tokenMaxLength).optional().describe('Only what went to this push token'),
  }),
  response: z.object({
    pushes: z.array(
      z.object({
        service: z.enum(pushServices),
        token: z.string(),
        title: z.string().nullable(),
        message: z.string(),
        json: z.string().nullable().describe('What the app gets as the key `json`'),
        id: z.string().describe('The same at each try: `apns-id`, or the collapse key of FCM'),
        receivedAt: dateTimeText,
      }),
    ),
  }),
  errors: ['E40401'],
});
