import { z } from 'zod';
import { languages } from '../core/errors.ts';
import { defineEvent } from '../core/event.ts';
import { dateTimeText } from '../core/fields.ts';

const topic = 'portal.batch';
const batchId = z.number().int();
const rowCount = z.number().int().describe('Rows without the header');

/** Everything that the owner of the rows needs to write the file. */
export const csvRequest = z.object({
  batchId,
  kind: z.string().describe('The export, by the name in its declaration, such as `users`'),
  objectKey: z.string().describe('The key under which the store keeps the file'),
  timeZone: z.string().describe('The time zone of the times in it, as an IANA name'),
  language: z.enum(languages).describe('The language of the words in it'),
  forImport: z.boolean().optional().describe('Only the columns that an import reads'),
  dateStart: dateTimeText.optional().describe('Only rows from this time on'),
  dateEnd: dateTimeText.optional().describe('Only rows before this time'),
  filter: z
    .record(z.string(), z.string())
    .optional()
    .describe('Only the rows that the list shows with these filters, by their names'),
  unitId: z.number().int().optional().describe('Only what belongs to this unit and its partners'),
});
export type CsvRequest = z.output<typeof csvRequest>;

export const csvRequested = defineEvent({
  type: 'csv.requested',
  topic,
  summary:
    'An export was requested: the service that owns the rows writes them to the store. Without a tenant, it covers all tenants.',
  key: 'batchId',
  tenant: 'sometimes',
  data: csvRequest,
  example: {
    batchId: 7,
    kind: 'users',
    objectKey: 'partners/1/exports/019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
    timeZone: 'Asia/Tokyo',
    language: 'ja',
  },
});

export const csvProgressed = defineEvent({
  type: 'csv.progressed',
  topic,
  summary:
    'An export is in progress. Published every few seconds: if this event stops, the export has died, unless it waits again.',
  key: 'batchId',
  tenant: 'sometimes',
  data: z.object({
    batchId,
    rowCount,
    totalRows: z.number().int().describe('Rows in the finished file'),
    stage: z
      .enum(['processing', 'preparing'])
      .describe(
        '`processing`: rows are being written; `preparing`: all rows are written, and the store finishes the file',
      ),
  }),
  example: { batchId: 7, rowCount: 250_000, totalRows: 1_000_000, stage: 'processing' },
});

export const csvWaiting = defineEvent({
  type: 'csv.waiting',
  topic,
  summary:
    'Exports wait for their turn in the service that owns their rows. Published every half a minute while some do: if neither this event nor `csv.progressed` tells of an export, it has died.',
  key: 'kind',
  tenant: 'never',
  data: z.object({
    kind: z.string().describe('The export, by the name in its declaration, such as `users`'),
    batchIds: z.array(batchId).describe('Those of this kind that wait, of all tenants'),
  }),
  example: { kind: 'users', batchIds: [8, 9] },
});

export const csvCompleted = defineEvent({
  type: 'csv.completed',
  topic,
  summary: 'The file of an export is in the store.',
  key: 'batchId',
  tenant: 'sometimes',
  data: z.object({ batchId, rowCount, objectKey: z.string() }),
  example: {
    batchId: 7,
    rowCount: 1_000_000,
    objectKey: 'partners/1/exports/019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
  },
});

export const exportReady = defineEvent({
  type: 'export.ready',
  topic,
  summary: 'An export is complete, and its file can be downloaded by who asked for it.',
  key: 'batchId',
  tenant: 'sometimes',
  data: z.object({
    batchId,
    kind: z.string().describe('The export, by the name in its declaration, such as `users`'),
    rowCount,
    owner: z
      .object({ kind: z.enum(['account', 'admin']), id: z.number().int() })
      .describe('Who asked for it: a person of the tenant, or an administrator'),
    unitId: z.number().int().optional().describe('The unit of the administrator; absent for others'),
  }),
  example: { batchId: 7, kind: 'users', rowCount: 1_000_000, owner: { kind: 'account', id: 12 } },
});

export const csvFailed = defineEvent({
  type: 'csv.failed',
  topic,
  summary: 'An export failed or was cancelled; a service that is still writing it stops.',
  key: 'batchId',
  tenant: 'sometimes',
  data: z.object({
    batchId,
    reason: z
      .enum(['error', 'silence', 'cancelled'])
      .describe(
        '`error`: every attempt failed; `silence`: no service answered; `cancelled`: the user cancelled it',
      ),
  }),
  example: { batchId: 7, reason: 'error' },
});
