import { z } from 'zod';
import { documentLimits, importModes } from '../core/document.ts';
import { emptyReply, pageNumber, pageReply, pageSize, queryFlag } from '../core/fields.ts';
import { bytesIn, bytesOut, customerJson, orGzipped } from '../core/media.ts';
import { adminRoleBits, allUserRoleBits, userRoleBits } from '../core/roles.ts';
import { route } from '../core/route.ts';
import { verbatim } from '../core/wire.ts';
import { databaseName } from './databases.ts';

/** The collections and documents of a tenant: JSON with the names of the tenant. */

const service = 'document';
const holdersOfKey = { kind: 'tenantKey', api: 'doc-browsing' } as const;
const readers = [
  { kind: 'partner', roles: allUserRoleBits, api: 'doc-browsing' },
  holdersOfKey,
  { kind: 'admin', roles: adminRoleBits.canReadTenantInformation },
] as const;
const writers = [
  { kind: 'partner', roles: userRoleBits.admin | userRoleBits.developer, api: 'doc-browsing' },
  holdersOfKey,
] as const;

const databaseParams = z.object({ db: databaseName });
const collectionParams = z.object({ db: databaseName, name: z.string().max(500) });
const documentParams = collectionParams.extend({ id: z.string().max(500) });

const document = verbatim(z.looseObject({}));
const documentBody = customerJson(
  'A document: no key begins with `$`, holds NUL or is `__proto__`; `_id` is 1 to 128 of letters, digits, `-`, `_`, `.`, `:`, and neither `.` nor `..`',
);
const stored = verbatim(
  z.looseObject({
    _id: z.string(),
    _created_at: z.string(),
    _updated_at: z.string(),
    _version: z.number().int(),
  }),
);

const filter = z
  .string()
  .max(documentLimits.filterMaxLength)
  .describe(
    'A JSON object: equality on dotted paths, and $eq $ne $gt $gte $lt $lte $in $nin $exists $and $or $nor $not $regex',
  );
const field = z.string().min(1, { error: 'required' }).max(documentLimits.fieldMaxLength);

const collections = '/api/v2/:db/collection';
const collection = `${collections}/:name`;
const documents = `${collection}/documents`;

/** Of every call that reads, and of every one that writes. */
const reading = ['E40302', 'E40401'] as const;
const writing = ['E40016', 'E40302', 'E40401'] as const;

export const listCollections = route({
  id: 'listCollections',
  service,
  method: 'GET',
  path: collections,
  summary: 'The collections of a document database, by name.',
  access: readers,
  params: databaseParams,
  response: z.object({
    collections: z.array(
      z.object({
        name: z.string(),
        count: z.number().int().describe('Documents'),
        size: z.number().int().describe('Bytes'),
      }),
    ),
  }),
  errors: reading,
});

export const createCollection = route({
  id: 'createCollection',
  service,
  method: 'POST',
  path: collections,
  summary: 'Makes a collection; at most 100.',
  access: writers,
  params: databaseParams,
  body: z.object({
    name: z
      .string()
      .min(1, { error: 'required' })
      .max(documentLimits.collectionNameMaxLength)
      .regex(/^(?!system)[A-Za-z0-9_-]*$/, { error: 'invalidValue' })
      .describe('Letters, digits, `-` and `_`; it does not begin with `system`'),
  }),
  status: 201,
  response: z.object({ name: z.string() }),
  errors: [...writing, 'E40029'],
});

export const deleteCollection = route({
  id: 'deleteCollection',
  service,
  method: 'DELETE',
  path: collection,
  summary: 'Deletes a collection with its documents.',
  access: writers,
  params: collectionParams,
  response: emptyReply,
  errors: reading,
});

export const listDocuments = route({
  id: 'listDocuments',
  service,
  method: 'GET',
  path: documents,
  summary: 'The documents of a collection, by page or after a cursor.',
  access: readers,
  params: collectionParams,
  query: z.object({
    filter: filter.optional(),
    sort: z
      .string()
      .max(documentLimits.sortMaxLength)
      .optional()
      .describe('Dotted paths, separated by commas; with `-` before one, from the last to the first'),
    fields: z
      .string()
      .max(documentLimits.fieldsMaxLength)
      .optional()
      .describe('Dotted paths that alone are answered, separated by commas; `_id` always is'),
    page: pageNumber,
    perPage: pageSize,
    after: z
      .string()
      .max(documentLimits.cursorMaxLength)
      .optional()
      .describe('As the list before answered it; goes before `page`'),
  }),
  response: pageReply.extend({
    documents: z.array(document),
    after: z.string().nullable().describe('The cursor of the next page; null at the end'),
  }),
  errors: reading,
});

export const createDocument = route({
  id: 'createDocument',
  service,
  method: 'POST',
  path: documents,
  summary: 'Stores a document, under its `_id` where it has one.',
  access: writers,
  params: collectionParams,
  body: documentBody,
  maxBody: documentLimits.maxDocumentSize,
  maxDepth: documentLimits.maxDocumentDepth,
  versioned: true,
  status: 201,
  response: stored,
  errors: [...writing, 'E40029'],
});

export const deleteDocuments = route({
  id: 'deleteDocuments',
  service,
  method: 'DELETE',
  path: documents,
  summary: 'Deletes the documents that a filter matches.',
  access: writers,
  params: collectionParams,
  query: z.object({ filter: filter.min(1, { error: 'required' }) }),
  response: z.object({ count: z.number().int() }),
  errors: reading,
});

export const getDocument = route({
  id: 'getDocument',
  service,
  method: 'GET',
  path: `${documents}/:id`,
  summary: 'One document.',
  access: readers,
  params: documentParams,
  versioned: true,
  response: stored,
  errors: reading,
});

export const replaceDocument = route({
  id: 'replaceDocument',
  service,
  method: 'PUT',
  path: `${documents}/:id`,
  summary:
    'Replaces a document as a whole, or makes it (201). With `If-Match` it changes that version alone.',
  access: writers,
  params: documentParams,
  body: documentBody,
  maxBody: documentLimits.maxDocumentSize,
  maxDepth: documentLimits.maxDocumentDepth,
  versioned: true,
  response: stored,
  otherReplies: { 201: stored },
  errors: writing,
});

export const deleteDocument = route({
  id: 'deleteDocument',
  service,
  method: 'DELETE',
  path: `${documents}/:id`,
  summary: 'Deletes a document; with `If-Match` that version alone.',
  access: writers,
  params: documentParams,
  versioned: true,
  response: emptyReply,
  errors: reading,
});

export const importDocuments = route({
  id: 'importDocuments',
  service,
  method: 'POST',
  path: `${collection}/import`,
  summary:
    'Stores documents from JSON lines or one JSON array, as they come; also compressed by gzip (`Content-Encoding`).',
  access: writers,
  params: collectionParams,
  query: z.object({
    mode: z
      .enum(importModes)
      .default('insert')
      .describe('Whether documents whose `_id` is there are refused, alone replaced, or either'),
    allOrNothing: queryFlag.optional().describe('Stores nothing where a line is bad'),
  }),
  body: orGzipped(bytesIn('application/x-ndjson', 'application/json')),
  maxBody: documentLimits.maxImportSize,
  response: z.object({
    count: z.number().int().describe('Documents that were stored'),
    lineErrors: z
      .array(z.object({ line: z.number().int(), message: z.string() }))
      .describe('The first 100 bad lines'),
    failed: z.number().int().describe('Bad lines'),
  }),
  errors: writing,
});

export const exportDocuments = route({
  id: 'exportDocuments',
  service,
  method: 'GET',
  path: `${collection}/export`,
  summary: 'The documents of a collection as JSON lines or one JSON array, streamed; an import takes them.',
  access: readers,
  logged: true,
  params: collectionParams,
  query: z.object({
    format: z.enum(['lines', 'array']).default('lines'),
    filter: filter.optional(),
  }),
  response: bytesOut('application/x-ndjson', 'application/json'),
  errors: reading,
});

const index = z.object({ field });

export const listIndexes = route({
  id: 'listIndexes',
  service,
  method: 'GET',
  path: `${collection}/indexes`,
  summary: 'The indexes of a collection.',
  access: readers,
  params: collectionParams,
  response: z.object({ indexes: z.array(z.object({ field: z.string() })) }),
  errors: reading,
});

export const createIndex = route({
  id: 'createIndex',
  service,
  method: 'POST',
  path: `${collection}/indexes`,
  summary: 'Makes an index on a field of a collection, which a dotted path names; at most 10.',
  access: writers,
  params: collectionParams,
  body: index,
  status: 201,
  response: z.object({ field: z.string() }),
  errors: [...writing, 'E40029'],
});

export const deleteIndex = route({
  id: 'deleteIndex',
  service,
  method: 'DELETE',
  path: `${collection}/indexes`,
  summary: 'Deletes an index of a collection.',
  access: writers,
  params: collectionParams,
  query: index,
  response: emptyReply,
  errors: reading,
});
