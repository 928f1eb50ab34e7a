import { z } from 'zod';
import {
  bodyId,
  dateTime,
  dateTimeText,
  emptyReply,
  groupId,
  id,
  idName,
  listQuery,
  oneOrMoreOf,
  pageNumber,
  pageReply,
  pageSize,
  queryFlag,
  text,
} from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { adminRoleBits, userRoleBits } from '../core/roles.ts';
import { applicationRolloutChange, rolloutChange, rolloutReply } from '../core/rollout.ts';
import { route, routeAt } from '../core/route.ts';
import { previewToken, versionNote, waiting } from './file.ts';

/** The versions of files, and what becomes of what is delivered. */

const { admin, developer } = userRoleBits;
const distribute = { kind: 'partner', roles: admin } as const;
const editFiles = { kind: 'partner', roles: admin | developer } as const;
const administerFiles = { kind: 'admin', roles: adminRoleBits.fileAdministration } as const;

const ofPartner = z.object({ pid: id });
const ofFile = z.object({ pid: id, id });
const ofVersion = z.object({ pid: id, id, version: id });

/** What a version is at this moment; it has one of them. */
export const versionStates = ['current', 'reserved', 'former', 'removed'] as const;
export type VersionState = (typeof versionStates)[number];

const versionRow = z.object({
  version: z.number().int().meta({
    description:
      'In the order in which versions go live, from 1. A reserved one has the number that it will get',
  }),
  state: z.enum(versionStates).meta({
    description:
      'current: players get it; reserved: they get it at a time that is ahead; former: they got it, and its bytes are ' +
      'there; removed: its bytes are gone',
  }),
  fileName: z.string(),
  fileSize: z.number().int(),
  sha256: z.string(),
  note: z.string(),
  createdAt: dateTimeText,
  createdBy: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .meta({ description: 'Who made it, by the name of that time. Null for the files of the demo' }),
  liveFrom: dateTimeText.meta({ description: 'Since when players get it, or from when on they will' }),
  liveUntil: dateTimeText
    .nullable()
    .meta({ description: 'When the next version took its place; null of the current and the reserved one' }),
  restoredFrom: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The version whose bytes it has; null of one that was uploaded' }),
  rollout: rolloutReply
    .nullable()
    .meta({ description: 'Its stages; null of one that everyone gets at once' }),
  signedUrl: z.string().nullable().meta({ description: 'Null once its bytes are removed' }),
});

export const listVersions = route({
  id: 'listVersions',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files/:id/versions',
  summary: 'The versions of a file, newest first: every upload that was completed, and every restoration.',
  access: editFiles,
  params: ofFile,
  query: z.object({ page: pageNumber, perPage: pageSize }),
  response: pageReply.extend({ versions: z.array(versionRow) }),
  errors: ['E40405'],
});

export const restoreVersion = route({
  id: 'restoreVersion',
  service: 'file',
  method: 'POST',
  path: '/v1/partner/partners/:pid/files/:id/versions/:version/restore',
  summary:
    'Makes the bytes of a former version a new one, now or at a time, without an upload. If the file has groups, only ' +
    'company admins can do this.',
  access: editFiles,
  params: ofVersion,
  body: z.object({
    updateReservationAt: dateTime.optional(),
    versionNote: versionNote.optional(),
    previewToken: previewToken.optional(),
    rollout: rolloutChange,
  }),
  status: 201,
  response: z.object({ version: z.number().int() }),
  otherReplies: { 202: waiting },
  errors: ['E40019', 'E40025', 'E40034', 'E40404', 'E40405'],
});

const path = '/v1/admin/applications';

export const listApplicationVersions = routeAt(
  { ...listVersions, params: z.object({ id }) },
  {
    id: 'listApplicationVersions',
    path: `${path}/:id/versions`,
    summary: 'The versions of an application, newest first; without addresses of their bytes.',
    access: administerFiles,
  },
);

export const restoreApplicationVersion = route({
  id: 'restoreApplicationVersion',
  service: 'file',
  method: 'POST',
  path: `${path}/:id/versions/:version/restore`,
  summary:
    'Makes the bytes of a former version of an application a new one, for everybody at once or in stages.',
  access: administerFiles,
  params: z.object({ id, version: id }),
  body: z.object({ versionNote: versionNote.optional(), rollout: applicationRolloutChange }),
  status: 201,
  response: restoreVersion.response,
  errors: ['E40034', 'E40405'],
});

const settings = z.object({
  versionsKept: z
    .number()
    .int()
    .min(1)
    .max(limits.maxVersionsKept)
    .meta({
      description:
        'How many of the newest versions of each file keep their bytes, the current one among them. The bytes of older ones ' +
        'are removed 7 days later',
    }),
  approvalRequired: z.boolean().meta({
    description:
      'What people get is changed by two admins: what one of them changes waits until another one approves it',
  }),
});

export const getDeliverySettings = route({
  id: 'getDeliverySettings',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/delivery_settings',
  summary: 'How many versions of its files the tenant keeps, and whether changes need a second admin.',
  access: distribute,
  params: ofPartner,
  response: settings,
});

export const updateDeliverySettings = route({
  id: 'updateDeliverySettings',
  service: 'file',
  method: 'PUT',
  path: '/v1/partner/partners/:pid/delivery_settings',
  summary:
    'Says how many versions of its files the tenant keeps, and whether changes need a second admin: that takes two admins ' +
    'to turn on, and an approval to turn off.',
  access: distribute,
  params: ofPartner,
  body: z.object({
    versionsKept: settings.shape.versionsKept.optional().meta({ description: 'Absent: as it is' }),
    approvalRequired: settings.shape.approvalRequired.optional().meta({ description: 'Absent: as it is' }),
  }),
  response: emptyReply,
  otherReplies: { 202: waiting },
  errors: ['E40034'],
});

/** What a player tells of a version on its device. */
export const receiptStatuses = ['downloading', 'downloaded', 'installed', 'failed', 'removed'] as const;
export const deliveryStates = ['not_seen', 'seen', ...receiptStatuses] as const;

export const sendReceipt = route({
  id: 'sendReceipt',
  service: 'file',
  method: 'PUT',
  path: '/v1/user/files/:id/receipt',
  summary:
    'Tells what has become of a version of a file on the device of the caller. A repeat and an older step change nothing. Of each ' +
    'device a burst of ten is taken, then one a second.',
  access: { kind: 'player' },
  takes: 'receipts',
  logged: false,
  params: z.object({ id }),
  body: z.object({
    version: bodyId,
    status: z.enum(receiptStatuses),
    at: dateTime.meta({ description: 'When it was so; at most 5 minutes ahead' }),
    progress: z.number().min(0).max(1).optional(),
    reason: text(limits.receiptReasonMaxLength).nullable().optional(),
  }),
  response: emptyReply,
  errors: ['E40405'],
});

const numbers = z.object({
  targeted: z.object({ users: z.number().int(), devices: z.number().int() }).meta({
    description: 'The people who are to have this version now, and their devices',
  }),
  states: z
    .object({
      notSeen: z.number().int(),
      seen: z.number().int(),
      downloading: z.number().int(),
      downloaded: z.number().int(),
      installed: z.number().int(),
      failed: z.number().int(),
      removed: z.number().int(),
    })
    .meta({ description: 'Each targeted device is in one of them' }),
  failureReasons: z.array(z.object({ reason: z.string().nullable(), count: z.number().int() })),
});

const numbersByVersion = numbers.extend({
  version: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The current one; null where nobody is to have any' }),
  versions: z.array(numbers.extend({ version: z.number().int() })),
});

export const getDelivery = route({
  id: 'getDelivery',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files/:id/delivery',
  summary:
    'What has become of a file: how many devices are in which state, of each version and of each group.',
  access: editFiles,
  params: ofFile,
  response: numbersByVersion.extend({
    groups: z.array(numbers.extend({ id: z.number().int(), name: z.string() })),
  }),
  errors: ['E40405'],
});

export const getApplicationDelivery = route({
  id: 'getApplicationDelivery',
  service: 'file',
  method: 'GET',
  path: `${path}/:id/delivery`,
  summary:
    'What has become of an application: how many devices are in which state, added up over all tenants that it reaches, of each ' +
    'version, and in each of one page of these tenants, by their names.',
  access: administerFiles,
  params: z.object({ id }),
  query: z.object({ page: pageNumber, perPage: pageSize }),
  response: pageReply.extend({
    ...numbersByVersion.shape,
    partners: z.array(numbers.extend({ id: z.number().int(), name: z.string() })),
  }),
  errors: ['E40405'],
});

export const deliveryOrderKeys = ['at', 'user', 'device', 'version', 'status', 'reason'] as const;

/** What the devices of a delivery can be narrowed to. */
const deviceFilters = z.object({
  device: text(255).optional().meta({ description: 'A part of its name, or its whole uuid' }),
  version: id.optional().meta({
    description: 'Also devices that told of it and are to have another one now. By default the current one',
  }),
  status: oneOrMoreOf(deliveryStates).optional(),
  reason: text(limits.receiptReasonMaxLength).optional().meta({ description: 'A part of it' }),
  atStart: dateTime.optional(),
  atEnd: dateTime.optional(),
});
export const deliveryFilters = deviceFilters.extend({
  user: text(255).optional().meta({ description: 'A part of a name or of a login' }),
  group: groupId
    .optional()
    .meta({ description: 'Of the people of this group; 0: of all, where the file is for everyone' }),
  targeted: queryFlag.optional().meta({
    description: 'True: the devices alone that are to have this version now, whom its numbers count',
  }),
});

const deviceRow = z.object({
  device: z.object({
    uuid: z.string(),
    name: z.string(),
    osType: z.string(),
    osVersion: z.string(),
    playerVersion: z.string(),
  }),
  version: z.number().int(),
  status: z.enum(deliveryStates),
  reason: z.string().nullable(),
  progress: z.number().nullable(),
  at: dateTimeText.nullable().meta({ description: 'Null of a device that has not seen it' }),
  toldBy: z
    .enum(['player', 'gateway'])
    .nullable()
    .meta({ description: '`gateway`: the last byte was sent; null of a device that told nothing' }),
});

export const listDeliveryDevices = route({
  id: 'listDeliveryDevices',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files/:id/delivery/devices',
  summary: 'The devices that are to have a file now, and what has become of it on each.',
  access: editFiles,
  params: ofFile,
  query: listQuery(deliveryOrderKeys).extend(deliveryFilters.shape),
  response: pageReply.extend({
    devices: z.array(deviceRow.extend({ user: idName.extend({ loginId: z.string() }) })),
  }),
  errors: ['E40405'],
});

export const userDeliveryOrderKeys = ['at', 'file', 'device', 'version', 'status', 'reason'] as const;

export const listUserDelivery = route({
  id: 'listUserDelivery',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/users/:id/delivery',
  summary: 'The files that the devices of a user are to have now, and what has become of each there.',
  access: editFiles,
  params: ofFile,
  query: listQuery(userDeliveryOrderKeys).extend({
    ...deviceFilters.shape,
    file: text(255).optional().meta({ description: 'A part of its name' }),
  }),
  response: pageReply.extend({ devices: z.array(deviceRow.extend({ file: idName })) }),
  errors: ['E40403'],
});

export const getDeliveryHistory = route({
  id: 'getDeliveryHistory',
  service: 'file',
  method: 'GET',
  path: '/v1/partner/partners/:pid/files/:id/delivery/history',
  summary:
    'How the numbers of a version came to be what they are: at most 129 points, the older the further apart, the last one now.',
  access: editFiles,
  params: ofFile,
  query: z.object({
    version: id.optional().meta({ description: 'By default the current one' }),
  }),
  response: z.object({
    version: z.number().int().nullable().meta({ description: 'Null where nobody is to have any' }),
    points: z
      .array(
        z.object({
          at: dateTimeText,
          devices: z.number().int(),
          installed: z.number().int(),
          onTheWay: z.number().int().meta({ description: 'downloading or downloaded' }),
          failed: z.number().int(),
          notYet: z.number().int().meta({ description: 'The rest' }),
        }),
      )
      .meta({ description: 'What a point says is so until the next one' }),
  }),
  errors: ['E40405'],
});
