import { z } from 'zod';
import { defineEvent } from '../core/event.ts';
import { dateTimeText } from '../core/fields.ts';

const id = z.number().int();
const topic = 'portal.file';

export const uploadStarted = defineEvent({
  type: 'upload.started',
  topic,
  summary: 'An upload was opened.',
  data: z.object({
    fileId: id,
    uploadId: z.string(),
    fileName: z.string(),
    fileSize: z.number().int().nullable(),
  }),
  example: {
    fileId: 5,
    uploadId: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    fileName: 'tour.uap',
    fileSize: 52_428_800,
  },
});

export const fileUploaded = defineEvent({
  type: 'file.uploaded',
  topic,
  summary: 'The bytes of a version are complete and verified.',
  data: z.object({
    fileId: id,
    version: z.number().int(),
    fileName: z.string(),
    fileSize: z.number().int(),
    sha256: z.string(),
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
  summary: 'What is known of a file, or its reservations, changed.',
  data: z.object({
    fileId: id,
    name: z.string(),
    note: z.string(),
    deliverReservationAt: dateTimeText.nullable(),
    updateReservationAt: dateTimeText.nullable(),
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
  data: z.object({
    fileId: id,
    groupIds: z.array(id),
    addedGroupIds: z.array(id),
    removedGroupIds: z.array(id),
    notifyEmail: z.boolean(),
    notifyPush: z.boolean(),
  }),
  example: {
    fileId: 5,
    groupIds: [3],
    addedGroupIds: [3],
    removedGroupIds: [],
    notifyEmail: false,
    notifyPush: true,
  },
});

export const fileDelivered = defineEvent({
  type: 'file.delivered',
  topic,
  summary: 'A file became visible to the players of its groups.',
  data: z.object({
    fileId: id,
    name: z.string(),
    groupIds: z.array(id),
    notifyEmail: z.boolean(),
    notifyPush: z.boolean(),
  }),
  example: { fileId: 5, name: 'Tour', groupIds: [3], notifyEmail: false, notifyPush: true },
});

export const fileVersionReleased = defineEvent({
  type: 'file.version_released',
  topic,
  summary: 'Players get another version from now on.',
  data: z.object({ fileId: id, version: z.number().int() }),
  example: { fileId: 5, version: 2 },
});

export const fileDeleted = defineEvent({
  type: 'file.deleted',
  topic,
  summary: 'A file was deleted.',
  data: z.object({ fileId: id }),
  example: { fileId: 5 },
});
