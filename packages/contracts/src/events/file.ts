import { z } from 'zod';
import { approvalKinds } from '../core/changes.ts';
import { defineEvent } from '../core/event.ts';
import { dateTimeText, revision } from '../core/fields.ts';

const id = z.number().int();
const topic = 'portal.file';

const publisher = z.object({
  unitId: id.nullable().describe('The unit that publishes it; null: the platform'),
});
const fileSize = z.number().int().describe('In bytes');
const notices = {
  notifyEmail: z.boolean().describe('The users of the groups get a mail'),
  notifyPush: z.boolean().describe('Their devices get a push notification'),
};

export const uploadStarted = defineEvent({
  type: 'upload.started',
  topic,
  summary: 'An upload was opened.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    uploadId: z.string().describe('The id of this attempt; a later attempt has another'),
    fileName: z.string(),
    fileSize: z.number().int().nullable().describe('In bytes; null while unknown'),
  }),
  example: {
    fileId: 5,
    uploadId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    fileName: 'tour.uap',
    fileSize: 52_428_800,
  },
});

export const uploadCompleted = defineEvent({
  type: 'upload.completed',
  topic,
  summary: 'An upload that is not a file of a tenant, such as the CSV file of an import, is complete.',
  key: 'uploadId',
  tenant: 'always',
  data: z.object({
    uploadId: z.string(),
    purpose: z.literal('users_csv').describe('What the bytes are for'),
    importId: id.describe('The import of users that they belong to'),
    objectKey: z.string().describe('The key of the bytes in the store; they are deleted after a day'),
    size: fileSize,
  }),
  example: {
    uploadId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    purpose: 'users_csv',
    importId: 7,
    objectKey: 'partners/1/imports/7/019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    size: 1_048_576,
  },
});

export const uploadFailed = defineEvent({
  type: 'upload.failed',
  topic,
  summary: 'The upload of a file, or of an application, ended without its bytes, other than by who began it.',
  key: 'fileId',
  tenant: 'sometimes',
  data: z.object({
    fileId: id.describe('Of the file or of the application'),
    uploadId: z.string(),
    name: z.string().describe('The name of the file on the screens'),
    fileName: z.string(),
    fileDeleted: z.boolean().describe('The file never had bytes, and was deleted with the upload'),
    openedBy: id
      .nullable()
      .describe(
        'The account, of an application the administrator, that began it; null for one from before this was kept',
      ),
    publisher: publisher.optional().describe('Of an application. Absent of a file of a tenant'),
    reason: z
      .enum(['expired', 'refused', 'given_up', 'outdated'])
      .describe(
        '`expired`: nothing arrived for 24 hours; `refused`: the file got groups meanwhile, and who completed it may not change what players get; `given_up`: somebody else ended it; `outdated`: what it was to replace has changed meanwhile',
      ),
  }),
  example: {
    fileId: 5,
    uploadId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    name: 'Tour',
    fileName: 'tour.uap',
    fileDeleted: false,
    openedBy: 12,
    reason: 'expired',
  },
});

export const fileUploaded = defineEvent({
  type: 'file.uploaded',
  topic,
  summary: 'The bytes of a version are complete and verified.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    version: z.number().int().describe('1 for the first version'),
    fileName: z.string(),
    fileSize,
    sha256: z.string().describe('The SHA-256 of the bytes, in hexadecimal'),
    reserved: z.boolean().optional().describe('It is a reserved update, which players get later'),
  }),
  example: {
    fileId: 5,
    version: 1,
    fileName: 'tour.uap',
    fileSize: 52_428_800,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
});

export const fileUpdated = defineEvent({
  type: 'file.updated',
  topic,
  summary: 'The name, the note or a reservation of a file was changed.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    name: z.string(),
    note: z.string(),
    deliverReservationAt: dateTimeText
      .nullable()
      .describe('When the file becomes visible to players; null: as soon as it is assigned'),
    updateReservationAt: dateTimeText
      .nullable()
      .describe('When the reserved version replaces, or replaced, the earlier one; null: never reserved'),
  }),
  example: {
    fileId: 5,
    name: 'Tour',
    note: '',
    deliverReservationAt: '2026-12-01T00:00:00Z',
    updateReservationAt: null,
  },
});

export const fileAssigned = defineEvent({
  type: 'file.assigned',
  topic,
  summary: 'The groups that a file is delivered to were set.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    groupIds: z.array(id).describe('All groups to which it is now assigned; 0 is everyone'),
    addedGroupIds: z.array(id),
    removedGroupIds: z.array(id),
    ...notices,
    assignmentId: z
      .uuid()
      .optional()
      .describe('The id of the assignment for the service that held the groups; absent if none was held'),
  }),
  example: {
    fileId: 5,
    groupIds: [3],
    addedGroupIds: [3],
    removedGroupIds: [],
    notifyEmail: false,
    notifyPush: true,
    assignmentId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
  },
});

export const fileDelivered = defineEvent({
  type: 'file.delivered',
  topic,
  summary: 'A file became visible to the players of its groups.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    name: z.string(),
    groupIds: z
      .array(id)
      .describe(
        'The groups to which it is visible now: those for which no such event was published before, or all of them if their users get a notice; none where people are named',
      ),
    userIds: z
      .array(id)
      .min(1)
      .optional()
      .describe(
        'People whom it has reached while it goes out in stages, and who get a notice now, at most 1000; absent where groups are named',
      ),
    ...notices,
  }),
  example: { fileId: 5, name: 'Tour', groupIds: [3], notifyEmail: false, notifyPush: true },
});

export const fileVersionReleased = defineEvent({
  type: 'file.version_released',
  topic,
  summary: 'Players get another version from now on.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({ fileId: id, version: z.number().int().describe('The one that players get now') }),
  example: { fileId: 5, version: 2 },
});

export const fileVersionRestored = defineEvent({
  type: 'file.version_restored',
  topic,
  summary: 'The bytes of a former version became a new one, which players get now or at a time.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    version: z.number().int().describe('The new one; of a reserved one, the number that it is to get'),
    restoredFrom: z.number().int().describe('The version whose bytes it has'),
    updateReservationAt: dateTimeText.nullable().describe('When players get it; null: now'),
    fileSize: z
      .number()
      .int()
      .optional()
      .describe('Bytes; absent in events from before the size was part of them'),
  }),
  example: { fileId: 5, version: 3, restoredFrom: 1, updateReservationAt: null, fileSize: 1048576 },
});

export const fileReceived = defineEvent({
  type: 'file.received',
  topic,
  late: true,
  summary: 'Something became of a version on a device: its state there is another one now.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({
    fileId: id,
    version: z.number().int(),
    userId: id,
    deviceUuid: z.string(),
    status: z.enum(['downloading', 'downloaded', 'installed', 'failed', 'removed']),
    reason: z.string().nullable().describe('Why it failed, as the player told it'),
    toldBy: z.enum(['player', 'gateway']).describe('`gateway`: the last byte was sent'),
  }),
  example: {
    fileId: 5,
    version: 2,
    userId: 12,
    deviceUuid: 'a3c5e7',
    status: 'installed',
    reason: null,
    toldBy: 'player',
  },
});

const rolloutExample = { fileId: 5, name: 'Tour', version: 2 };
const ofRollout = {
  fileId: id.describe('Of the file or of the application'),
  name: z.string().describe('Of the file'),
  version: z.number().int(),
  publisher: publisher
    .optional()
    .describe('Of an application: its stages go over all tenants that have it. Absent of a file of a tenant'),
};

export const fileRolloutAdvanced = defineEvent({
  type: 'file.rollout_advanced',
  topic,
  summary: 'A stage began: a version reaches more devices.',
  key: 'fileId',
  tenant: 'sometimes',
  data: z.object({
    ...ofRollout,
    stage: z.number().int().describe('Its number, from 1'),
    percent: z.number().int().describe('Of the devices, or of those of the pilot groups'),
    groupIds: z.array(id).nullable().describe('The pilot groups; null: all that have the file'),
    isLast: z.boolean().describe('Everyone gets the version now'),
  }),
  example: { ...rolloutExample, stage: 1, percent: 10, groupIds: null, isLast: false },
});

export const fileRolloutHalted = defineEvent({
  type: 'file.rollout_halted',
  topic,
  summary: 'No further device gets a version: those that have not installed it get the version before.',
  key: 'fileId',
  tenant: 'sometimes',
  data: z.object({
    ...ofRollout,
    reports: z.number().int().describe('Devices that installed it or failed'),
    failures: z.number().int(),
    haltedBy: id
      .nullable()
      .describe(
        'The account, of an application the administrator, that halted it; null: the limit of its failures',
      ),
  }),
  example: { ...rolloutExample, reports: 20, failures: 5, haltedBy: null },
});

export const fileRolloutResumed = defineEvent({
  type: 'file.rollout_resumed',
  topic,
  summary: 'The stages of a version go on, with the same devices as before.',
  key: 'fileId',
  tenant: 'sometimes',
  data: z.object(ofRollout),
  example: rolloutExample,
});

export const fileRolloutCancelled = defineEvent({
  type: 'file.rollout_cancelled',
  topic,
  summary: 'The stages of a version ended for good: who has not installed it gets the version before.',
  key: 'fileId',
  tenant: 'sometimes',
  data: z.object(ofRollout),
  example: rolloutExample,
});

export const fileDeleted = defineEvent({
  type: 'file.deleted',
  topic,
  summary: 'A file was deleted.',
  key: 'fileId',
  tenant: 'always',
  data: z.object({ fileId: id }),
  example: { fileId: 5 },
});

const approvalState = {
  approvalId: id,
  what: z.enum(approvalKinds).describe('The kind of change; `settings`: the approvals themselves'),
  fileId: id.nullable().describe('Null of settings'),
  name: z.string().nullable().describe('The name of the file; null of settings'),
  requestedBy: id.describe('The account of the admin who asked'),
  requestedByName: z.string().describe('By the name of that time'),
};

const approvalExample = {
  approvalId: 8,
  what: 'restore' as const,
  fileId: 5,
  name: 'Tour',
  requestedBy: 12,
  requestedByName: 'Taro Yamada',
};

export const approvalRequested = defineEvent({
  type: 'approval.requested',
  topic,
  summary: 'A change of what people get waits for another admin of the tenant.',
  key: 'approvalId',
  tenant: 'always',
  data: z.object({ ...approvalState, expiresAt: dateTimeText }),
  example: { ...approvalExample, expiresAt: '2026-12-08T00:00:00Z' },
});

export const approvalDecided = defineEvent({
  type: 'approval.decided',
  topic,
  summary: 'A change that waited for another admin waits no more: it was made, or it will not be.',
  key: 'approvalId',
  tenant: 'always',
  data: z.object({
    ...approvalState,
    state: z
      .enum(['approved', 'declined', 'expired', 'stale'])
      .describe(
        '`approved`: it was made; `declined`: also by who asked; `expired`: nobody decided; `stale`: its effect was another by then',
      ),
    decidedBy: id.nullable().describe('The account of who decided; null where nobody did'),
    comment: z.string().nullable(),
  }),
  example: { ...approvalExample, state: 'approved', decidedBy: 14, comment: null },
});

const applicationKey = id.describe(
  'The id under which tenants and players see it, the same over all versions',
);

/**
 * What other services keep of a published application: the events `application.published`, `application.updated` and
 * `application.deleted` tell it. The tenant service decides by it whether somebody who signs up may have the application.
 */
export const applicationState = z.object({
  applicationId: applicationKey,
  revision,
  name: z.string(),
  saleType: z
    .union([z.literal(1), z.literal(2)])
    .describe('1: everyone in its tenants gets it; 2: they assign it to their groups'),
  allDeliverFlag: z.boolean().describe('It is for every partner that its publisher reaches, later ones too'),
  partnerIds: z.array(id).describe('The tenants that it goes to; empty where it goes to all'),
  unitId: id.nullable().describe('The unit whose administrator published it; null: the platform'),
  version: z.number().int(),
  fileName: z.string(),
});

const applicationExample = {
  applicationId: 5,
  revision: 1,
  name: 'Viewer',
  saleType: 1 as const,
  allDeliverFlag: false,
  partnerIds: [3],
  unitId: null,
  version: 1,
  fileName: 'viewer.uap',
};

export const applicationPublished = defineEvent({
  type: 'application.published',
  topic,
  summary: 'The bytes of an application, or of a new version of it, are complete: its tenants have it.',
  key: 'applicationId',
  tenant: 'never',
  data: applicationState.extend({ fileSize, sha256: z.string() }),
  example: {
    ...applicationExample,
    fileSize: 52_428_800,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
});

export const applicationUpdated = defineEvent({
  type: 'application.updated',
  topic,
  summary: 'The name of a published application, or the tenants that it goes to, were changed.',
  key: 'applicationId',
  tenant: 'never',
  data: applicationState,
  example: { ...applicationExample, name: 'Viewer 2', revision: 2 },
});

export const applicationWithdrawn = defineEvent({
  type: 'application.withdrawn',
  topic,
  summary: 'Tenants are no destinations of a published application any more: their players remove it.',
  key: 'applicationId',
  tenant: 'never',
  data: z.object({
    applicationId: applicationKey,
    fromAll: z.boolean().describe('It went to every tenant that its publisher reaches, and does so no more'),
    partnerIds: z.array(id).describe('The tenants that were named and are not any more'),
  }),
  example: { applicationId: 5, fromAll: false, partnerIds: [3] },
});

export const applicationDeleted = defineEvent({
  type: 'application.deleted',
  topic,
  summary: 'A published application was deleted: players remove it.',
  key: 'applicationId',
  tenant: 'never',
  data: z.object({ applicationId: applicationKey }),
  example: { applicationId: 5 },
});
