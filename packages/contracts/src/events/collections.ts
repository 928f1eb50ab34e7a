import { z } from 'zod';
import { importModes } from '../core/document.ts';
import { defineEvent } from '../core/event.ts';

const topic = 'portal.document';
const id = z.number().int();
const count = z.number().int();

const collectionOf = z.object({ partnerId: id, db: z.string(), collection: z.string() });
const collectionExample = { partnerId: 1, db: 'd1k3x9qa', collection: 'orders' };

export const collectionCreated = defineEvent({
  type: 'collection.created',
  topic,
  summary: 'A collection of a document database was made.',
  key: 'partnerId',
  tenant: 'always',
  data: collectionOf,
  example: collectionExample,
});

export const collectionDeleted = defineEvent({
  type: 'collection.deleted',
  topic,
  summary: 'A collection of a document database was deleted, with its documents.',
  key: 'partnerId',
  tenant: 'always',
  data: collectionOf,
  example: collectionExample,
});

export const documentsImported = defineEvent({
  type: 'documents.imported',
  topic,
  summary: 'Documents were imported into a collection.',
  key: 'partnerId',
  tenant: 'always',
  data: collectionOf.extend({
    mode: z.enum(importModes),
    count: count.describe('Documents that were stored'),
    failed: count.describe('Bad lines'),
  }),
  example: { ...collectionExample, mode: 'insert', count: 1000, failed: 2 },
});
