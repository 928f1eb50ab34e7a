import { z } from 'zod';
import { id } from '../core/fields.ts';
import { jsonOf, nothing } from '../core/media.ts';
import { type ErrorFormat, route } from '../core/route.ts';
import { verbatim } from '../core/wire.ts';

/**
 * SCIM 2.0 (RFC 7643, RFC 7644), by which the identity provider of a tenant provisions its users and groups. The names are those of
 * the protocol, and so are the errors.
 */

export const scimLimits = {
  /** Resources of an answer. */
  maxCount: 200,
  filterMaxLength: 2_000,
  /** Parentheses and brackets within each other. */
  maxFilterDepth: 10,
  maxFilterTerms: 40,
  attributesMaxLength: 2_000,
  maxOperations: 1_000,
  maxMembers: 10_000,
  /** Far more than any attribute has. */
  maxDepth: 12,
} as const;

export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  serviceProviderConfig: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

const types = ['application/scim+json', 'application/json'] as const;
const scimJson = <S extends z.ZodType>(schema: S): S => jsonOf(types, schema);

const scimTypes = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
] as const;
type ScimType = (typeof scimTypes)[number];

/** What SCIM says of the codes of the product. */
const refusals: Readonly<Record<string, { readonly status?: number; readonly scimType?: ScimType }>> = {
  E40001: { scimType: 'invalidSyntax' },
  E40002: { scimType: 'invalidValue' },
  E40003: { scimType: 'invalidValue' },
  E40008: { status: 403 },
  E40009: { scimType: 'mutability' },
  E40028: { status: 409 },
  E40029: { status: 409, scimType: 'uniqueness' },
  E40031: { status: 409 },
};

/** A wrong field that SCIM has a name for. */
const byField: Readonly<Record<string, ScimType>> = {
  filter: 'invalidFilter',
  path: 'invalidPath',
  target: 'noTarget',
  readOnly: 'mutability',
  resources: 'tooMany',
};

export const scimErrors: ErrorFormat = {
  contentType: 'application/scim+json',
  schema: verbatim(
    z.object({
      schemas: z.array(z.string()),
      status: z.string(),
      scimType: z.enum(scimTypes).optional(),
      detail: z.string(),
    }),
  ),
  write({ code, fields, message, status: usual }) {
    const { scimType: usualType, status: own } = refusals[code] ?? {};
    // A precondition that fails, a method that is not there: what HTTP says of it stands.
    const status = usual === 400 ? (own ?? usual) : usual;
    const [first] = fields;
    const isValue = code === 'E40002' || code === 'E40003';
    const scimType = (isValue && first && byField[first.field]) || usualType;
    const detail = first && isValue ? `${message} ${first.field}: ${first.message}` : message;
    return {
      status,
      body: {
        schemas: [scimSchemas.error],
        status: String(status),
        ...(scimType && (status === 400 || status === 409) && { scimType }),
        detail,
      },
    };
  },
};

const provisioning = { kind: 'tenantKey', bearer: true, api: 'sso' } as const;
const root = '/scim/v2/:pid';
const params = z.object({ pid: id });
const recordParams = z.object({ pid: id, id });

const shared = {
  service: 'sso',
  access: provisioning,
  maxDepth: scimLimits.maxDepth,
  errorFormat: scimErrors,
} as const;

const attributes = z.string().max(scimLimits.attributesMaxLength);

const shown = {
  attributes: attributes.optional().describe('Attributes that alone are answered, separated by commas'),
  excludedAttributes: attributes.optional().describe('Attributes that are not answered, separated by commas'),
};

const wholeNumber = z
  .string()
  .max(20)
  .regex(/^[+-]?\d+$/, { error: 'invalidValue' })
  .transform(Number);

const listed = verbatim(
  z.object({
    filter: z.string().max(scimLimits.filterMaxLength).optional(),
    startIndex: wholeNumber.optional().describe('From 1'),
    count: wholeNumber.optional().describe(`At most ${scimLimits.maxCount}`),
    sortBy: z.string().max(200).optional(),
    sortOrder: z.enum(['ascending', 'descending']).optional(),
    ...shown,
  }),
);
const shownQuery = verbatim(z.object(shown));

const schemaNames = z.array(z.string().max(200)).max(10);
const attributeList = z.array(z.string().max(200)).max(100);

const searchRequest = scimJson(
  z.looseObject({
    schemas: schemaNames.optional(),
    filter: z.string().max(scimLimits.filterMaxLength).optional(),
    startIndex: z.number().int().optional(),
    count: z.number().int().optional(),
    sortBy: z.string().max(200).optional(),
    sortOrder: z.enum(['ascending', 'descending']).optional(),
    attributes: attributeList.optional(),
    excludedAttributes: attributeList.optional(),
  }),
);

/** A resource as a client sends it: names in any case, and whatever else of its schema it knows. */
const givenResource = scimJson(z.looseObject({ schemas: schemaNames.optional() }));

const patchRequest = scimJson(
  z.looseObject({
    schemas: schemaNames.optional(),
    Operations: z
      .array(
        z.looseObject({
          op: z.string().max(20).describe('add, replace or remove, in any case'),
          path: z.string().max(scimLimits.filterMaxLength).nullable().optional(),
          value: z.unknown().optional(),
        }),
      )
      .min(1)
      .max(scimLimits.maxOperations)
      .optional(),
  }),
);

const resource = scimJson(z.looseObject({ schemas: z.array(z.string()) }));
const listResponse = scimJson(
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(z.looseObject({ schemas: z.array(z.string()) })),
  }),
);

export const getScimConfig = route({
  ...shared,
  id: 'getScimConfig',
  method: 'GET',
  path: `${root}/ServiceProviderConfig`,
  summary: 'What this SCIM service can do.',
  params,
  response: resource,
});

export const listScimResourceTypes = route({
  ...shared,
  id: 'listScimResourceTypes',
  method: 'GET',
  path: `${root}/ResourceTypes`,
  summary: 'The resource types: User and Group.',
  params,
  query: listed,
  response: listResponse,
});

export const getScimResourceType = route({
  ...shared,
  id: 'getScimResourceType',
  method: 'GET',
  path: `${root}/ResourceTypes/:name`,
  summary: 'A resource type.',
  params: params.extend({ name: z.string().max(200) }),
  response: resource,
  errors: ['E40401'],
});

export const listScimSchemas = route({
  ...shared,
  id: 'listScimSchemas',
  method: 'GET',
  path: `${root}/Schemas`,
  summary: 'The schemas of the resources.',
  params,
  query: listed,
  response: listResponse,
});

export const getScimSchema = route({
  ...shared,
  id: 'getScimSchema',
  method: 'GET',
  path: `${root}/Schemas/:name`,
  summary: 'A schema, by its URN.',
  params: params.extend({ name: z.string().max(200) }),
  response: resource,
  errors: ['E40401'],
});

export const searchScim = route({
  ...shared,
  id: 'searchScim',
  method: 'POST',
  path: `${root}/.search`,
  summary: 'Users and groups that a filter lets pass.',
  logged: false,
  params,
  body: searchRequest,
  response: listResponse,
});

export const listScimUsers = route({
  ...shared,
  id: 'listScimUsers',
  method: 'GET',
  path: `${root}/Users`,
  summary: 'The users of the tenant.',
  params,
  query: listed,
  response: listResponse,
});

export const searchScimUsers = route({
  ...shared,
  id: 'searchScimUsers',
  method: 'POST',
  path: `${root}/Users/.search`,
  summary: 'The same, with the query in the body.',
  logged: false,
  params,
  body: searchRequest,
  response: listResponse,
});

export const createScimUser = route({
  ...shared,
  id: 'createScimUser',
  method: 'POST',
  path: `${root}/Users`,
  summary:
    'Makes a user without a password, who gets no mail to choose one. `userName` is an e-mail address or a login user id.',
  params,
  query: shownQuery,
  body: givenResource,
  status: 201,
  response: resource,
  errors: ['E40008', 'E40029'],
});

export const getScimUser = route({
  ...shared,
  id: 'getScimUser',
  method: 'GET',
  path: `${root}/Users/:id`,
  summary: 'A user.',
  versioned: true,
  params: recordParams,
  query: shownQuery,
  response: resource,
  errors: ['E40403'],
});

export const replaceScimUser = route({
  ...shared,
  id: 'replaceScimUser',
  method: 'PUT',
  path: `${root}/Users/:id`,
  summary: 'Replaces a user.',
  versioned: true,
  params: recordParams,
  query: shownQuery,
  body: givenResource,
  response: resource,
  errors: ['E40008', 'E40009', 'E40029', 'E40031', 'E40034', 'E40403'],
});

export const patchScimUser = route({
  ...shared,
  id: 'patchScimUser',
  method: 'PATCH',
  path: `${root}/Users/:id`,
  summary:
    'Changes a user. `active: false` ends their sessions, refuses sign-in and frees the licence; `true` takes one again.',
  versioned: true,
  params: recordParams,
  query: shownQuery,
  body: patchRequest,
  response: resource,
  errors: ['E40008', 'E40009', 'E40029', 'E40031', 'E40034', 'E40403'],
});

export const deleteScimUser = route({
  ...shared,
  id: 'deleteScimUser',
  method: 'DELETE',
  path: `${root}/Users/:id`,
  summary: 'Deletes a user.',
  versioned: true,
  params: recordParams,
  status: 204,
  response: nothing,
  errors: ['E40031', 'E40034', 'E40403'],
});

export const listScimGroups = route({
  ...shared,
  id: 'listScimGroups',
  method: 'GET',
  path: `${root}/Groups`,
  summary: 'The groups of the tenant.',
  params,
  query: listed,
  response: listResponse,
});

export const searchScimGroups = route({
  ...shared,
  id: 'searchScimGroups',
  method: 'POST',
  path: `${root}/Groups/.search`,
  summary: 'The same, with the query in the body.',
  logged: false,
  params,
  body: searchRequest,
  response: listResponse,
});

export const createScimGroup = route({
  ...shared,
  id: 'createScimGroup',
  method: 'POST',
  path: `${root}/Groups`,
  summary: 'Makes a group with its users.',
  params,
  query: shownQuery,
  body: givenResource,
  status: 201,
  response: resource,
  errors: ['E40029'],
});

export const getScimGroup = route({
  ...shared,
  id: 'getScimGroup',
  method: 'GET',
  path: `${root}/Groups/:id`,
  summary: 'A group.',
  versioned: true,
  params: recordParams,
  query: shownQuery,
  response: resource,
  errors: ['E40404'],
});

export const replaceScimGroup = route({
  ...shared,
  id: 'replaceScimGroup',
  method: 'PUT',
  path: `${root}/Groups/:id`,
  summary: 'Replaces a group and who is in it.',
  versioned: true,
  params: recordParams,
  query: shownQuery,
  body: givenResource,
  response: resource,
  errors: ['E40029', 'E40034', 'E40404'],
});

export const patchScimGroup = route({
  ...shared,
  id: 'patchScimGroup',
  method: 'PATCH',
  path: `${root}/Groups/:id`,
  summary: 'Changes a group and who is in it; the group is answered where `attributes` are asked for.',
  versioned: true,
  params: recordParams,
  query: shownQuery,
  body: patchRequest,
  status: 204,
  response: nothing,
  otherReplies: { 200: resource },
  errors: ['E40029', 'E40034', 'E40404'],
});

export const deleteScimGroup = route({
  ...shared,
  id: 'deleteScimGroup',
  method: 'DELETE',
  path: `${root}/Groups/:id`,
  summary: 'Takes the users out of a group and deletes it. One with files is refused.',
  versioned: true,
  params: recordParams,
  status: 204,
  response: nothing,
  errors: ['E40028', 'E40034', 'E40404'],
});
