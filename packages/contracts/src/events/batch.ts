import { z } from 'zod';
import { languages } from '../core/errors.ts';
import { defineEvent } from '../core/event.ts';
import { dateTimeText } from '../core/fields.ts';

const topic = 'portal.batch';
const batchId = z.number().int();
const rowCount = z.number().int().describe('Rows without the header');

/** What can be exported in the background. */
export const csvKinds = ['files', 'users', 'partners', 'operationLogs'] as const;
export type CsvKind = (typeof csvKinds)[number];

/** Everything that the owner of the rows needs to write the file. */
export const csvRequest = z.object({
  batchId,
  kind: z.enum(csvKinds),
  objectKey: z.string().describe('Where in the store the file is to be'),
  timeZone: z.string().describe('Of the times in it, by its IANA name'),
  language: z.enum(languages).describe('Of the words in it'),
  forImport: z.boolean().optional().describe('Only the columns that an import takes'),
  dateStart: dateTimeText.optional().describe('Rows of this time and later'),
  dateEnd: dateTimeText.optional().describe('Rows before this time'),
  unitId: z.number().int().optional().describe('Only what belongs to this unit and its partners'),
});
export type CsvRequest = z.output<typeof csvRequest>;

export const csvRequested = defineEvent({
  type: 'csv.requested',
  topic,
  summary:
    'Somebody wants an export: whoever owns the rows writes them to the store. Without a tenant: of all.',
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
  summary: 'An export is under way; told every few seconds, so that silence means that it died.',
  key: 'batchId',
  tenant: 'sometimes',
  data: z.object({
    batchId,
    rowCount,
    totalRows: z.number().int().describe('How many there will be'),
    stage: z
      .enum(['processing', 'preparing'])
      .describe('`processing`: rows are written; `preparing`: all are, and the store takes in the file'),
  }),
  example: { batchId: 7, rowCount: 250_000, totalRows: 1_000_000, stage: 'processing' },
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

export const csvFailed = defineEvent({
  type: 'csv.failed',
  topic,
  summary: 'An export came to nothing; whoever still works on it stops.',
  key: 'batchId',
  tenant: 'sometimes',
  data: z.object({
    batchId,
    reason: z
      .enum(['error', 'silence', 'cancelled'])
      .describe('`error`: it was tried in vain; `silence`: nobody answered; `cancelled`: nobody wants it'),
  }),
  example: { batchId: 7, reason: 'error' },
});
