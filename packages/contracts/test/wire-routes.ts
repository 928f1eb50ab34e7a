import { z } from 'zod';
import {
  bytesIn,
  bytesOut,
  customerJson,
  form,
  jsonOf,
  nothing,
  orGzipped,
  redirect,
} from '../src/core/media.ts';
import { type ErrorFormat, route } from '../src/core/route.ts';
import { verbatim } from '../src/core/wire.ts';

/** Routes with every kind of wire that a contract can have, for the tests of the documents and of the kit. */

const shared = { service: 'user', summary: '', access: { kind: 'anyToken' }, logged: false } as const;

const document = verbatim(z.looseObject({ _id: z.string().optional(), firstName: z.string().optional() }));

export const putDocument = route({
  ...shared,
  id: 'putDocument',
  method: 'PUT',
  path: '/api/v2/documents/:name',
  params: z.object({ name: z.string() }),
  body: document,
  maxDepth: 100,
  versioned: true,
  response: document,
  otherReplies: { 201: document },
});

export const getDocument = route({
  ...shared,
  id: 'getDocument',
  method: 'GET',
  path: '/api/v2/documents/:name',
  params: z.object({ name: z.string() }),
  versioned: true,
  response: document,
  errors: ['E40401'],
});

/** Fields of ours around a document of somebody else. */
export const wrapDocument = route({
  ...shared,
  id: 'wrapDocument',
  method: 'POST',
  path: '/api/v2/wrapped',
  query: z.object({ orderKey: z.enum(['a', 'b']).optional() }),
  body: z.object({ displayName: z.string().optional(), wrappedDocument: document }),
  response: z.object({ displayName: z.string().optional(), wrappedDocument: document }),
});

export const postSaml = route({
  ...shared,
  id: 'postSaml',
  method: 'POST',
  path: '/v1/user/login/sso/acs',
  access: { kind: 'public' },
  body: form(z.object({ SAMLResponse: z.string().min(1), RelayState: z.string().optional() })),
  maxBody: 100_000,
  status: 302,
  response: redirect,
  errors: ['E40037'],
});

export const importLines = route({
  ...shared,
  id: 'importLines',
  method: 'POST',
  path: '/api/v2/import',
  body: bytesIn('application/x-ndjson', 'application/json'),
  maxBody: 2_000_000,
  response: z.object({ byteCount: z.number(), contentType: z.string() }),
});

export const importCompressed = route({
  ...shared,
  id: 'importCompressed',
  method: 'POST',
  path: '/api/v2/import/compressed',
  body: orGzipped(bytesIn('application/x-ndjson')),
  maxBody: 2_000_000,
  response: z.object({ byteCount: z.number() }),
});

export const postAnyKeys = route({
  ...shared,
  id: 'postAnyKeys',
  method: 'POST',
  path: '/api/v2/any-keys',
  body: customerJson('An object'),
  response: z.object({ keys: z.array(z.string()) }),
});

export const exportLines = route({
  ...shared,
  id: 'exportLines',
  method: 'GET',
  path: '/api/v2/export',
  query: z.object({
    format: z.enum(['lines', 'array', 'csv']).default('lines'),
    then: z.string().optional(),
  }),
  response: bytesOut('application/x-ndjson', 'application/json', 'text/csv'),
});

export const samlMetadata = route({
  ...shared,
  id: 'samlMetadata',
  method: 'GET',
  path: '/v1/user/login/sso/metadata',
  access: { kind: 'public' },
  response: bytesOut('application/samlmetadata+xml'),
});

export const restore = route({
  ...shared,
  id: 'restore',
  method: 'POST',
  path: '/v1/restore',
  body: z.object({ then: z.enum(['restored', 'asked', 'nothing', 'undeclared']) }),
  status: 201,
  response: z.object({ newVersion: z.number() }),
  otherReplies: { 202: z.object({ approvalId: z.number() }), 204: nothing },
});

const scimTypes = ['application/scim+json', 'application/json'] as const;
const scimErrors: ErrorFormat = {
  contentType: 'application/scim+json',
  schema: verbatim(
    z.object({
      schemas: z.array(z.string()),
      status: z.string(),
      scimType: z.string().optional(),
      detail: z.string(),
    }),
  ),
  write({ code, message, status: usual }) {
    const isTaken = code === 'E40029';
    const status = isTaken ? 409 : usual;
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
    return {
      status,
      body: { schemas, status: String(status), ...(isTaken && { scimType: 'uniqueness' }), detail: message },
    };
  },
};

export const patchPerson = route({
  ...shared,
  id: 'patchPerson',
  method: 'PATCH',
  path: '/scim/v2/:pid/Users/:userId',
  params: z.object({ pid: z.coerce.number<string | number>(), userId: z.string() }),
  body: jsonOf(
    scimTypes,
    z.object({
      schemas: z.array(z.string()).max(10),
      Operations: z.array(z.looseObject({ op: z.string() })).max(100),
    }),
  ),
  versioned: true,
  response: jsonOf(scimTypes, z.looseObject({ userName: z.string() })),
  otherReplies: { 204: nothing },
  errors: ['E40029'],
  errorFormat: scimErrors,
});
