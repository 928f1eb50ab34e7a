import { z } from 'zod';
import { databaseContractStatuses } from '../core/document.ts';
import { defineEvent } from '../core/event.ts';
import { dateTimeText, revision } from '../core/fields.ts';

const topic = 'portal.document';
const id = z.number().int();
const count = z.number().int();

/** What other services are told of the document database of a tenant; its documents are nobody else's. */
export const databaseState = z.object({
  partnerId: id,
  revision,
  db: z.string().describe('The name of the database in addresses'),
  contractStatus: z.literal([...databaseContractStatuses]).describe('0 none, 1 trial, 2 contracted'),
  startDate: dateTimeText,
  expireDate: dateTimeText,
  usageBytes: count,
  documentCount: count,
  quotaBytes: count,
  sealedKey: z.string().describe('Its key; readable only by the tenant service of the portal'),
});
const example = {
  partnerId: 1,
  revision: 1,
  db: 'd1k3x9qa',
  contractStatus: 1,
  startDate: '2026-11-21T09:00:00Z',
  expireDate: '2026-12-21T09:00:00Z',
  usageBytes: 0,
  documentCount: 0,
  quotaBytes: 104_857_600,
  sealedKey: 'c2VhbGVk',
} as const;

export const databaseCreated = defineEvent({
  type: 'database.created',
  topic,
  summary: 'The document database of a tenant was made.',
  key: 'partnerId',
  tenant: 'always',
  data: databaseState,
  example,
});

export const databaseUpdated = defineEvent({
  type: 'database.updated',
  topic,
  urgent: true,
  summary:
    'The contract of the document database of a tenant was changed, its key, or what was measured of its documents.',
  key: 'partnerId',
  tenant: 'always',
  data: databaseState,
  example: { ...example, revision: 2, usageBytes: 300_000_000, documentCount: 1_000_000 },
});

export const databaseDeleted = defineEvent({
  type: 'database.deleted',
  topic,
  urgent: true,
  summary: 'The document database of a tenant was taken away, with its documents.',
  key: 'partnerId',
  tenant: 'always',
  data: z.object({ partnerId: id, revision, db: z.string() }),
  example: { partnerId: 1, revision: 3, db: example.db },
});
