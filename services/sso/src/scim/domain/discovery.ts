import { scimRoutes } from '@portal/contracts';
import type { Resource } from './resources.ts';

/** What the service says of itself (RFC 7643, 5 to 7). */

const { scimLimits, scimSchemas } = scimRoutes;

export function serviceProviderConfig(root: string): Resource {
  return {
    schemas: [scimSchemas.serviceProviderConfig],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: scimLimits.maxCount },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of the tenant, made on the page of single sign-on.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${root}/ServiceProviderConfig`,
    },
  };
}

export const resourceTypes = (root: string): Resource[] => [
  resourceType(root, { name: 'User', endpoint: '/Users', description: 'A user', schema: scimSchemas.user }),
  resourceType(root, {
    name: 'Group',
    endpoint: '/Groups',
    description: 'A group of users',
    schema: scimSchemas.group,
  }),
];

function resourceType(
  root: string,
  type: {
    readonly name: string;
    readonly endpoint: string;
    readonly description: string;
    readonly schema: string;
  },
): Resource {
  return {
    schemas: [scimSchemas.resourceType],
    id: type.name,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${type.name}` },
  };
}

const usual = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

const member = { ...usual, mutability: 'immutable' } as const;

const definitions = [
  {
    id: scimSchemas.user,
    name: 'User',
    description: 'A user',
    attributes: [
      {
        ...usual,
        name: 'userName',
        description: 'What they sign in with: an e-mail address or a login user id, which stays what it is',
        required: true,
        uniqueness: 'server',
      },
      {
        ...usual,
        name: 'name',
        type: 'complex',
        description: 'The name',
        required: true,
        subAttributes: [
          {
            ...usual,
            name: 'formatted',
            description: 'The full name: the same as displayName',
            required: true,
          },
        ],
      },
      { ...usual, name: 'displayName', description: 'The full name', required: true },
      {
        ...usual,
        name: 'active',
        type: 'boolean',
        description: 'False: they cannot sign in, and take no licence',
        required: true,
      },
    ],
  },
  {
    id: scimSchemas.group,
    name: 'Group',
    description: 'A group of users',
    attributes: [
      { ...usual, name: 'displayName', description: 'The name', required: true, uniqueness: 'server' },
      {
        ...usual,
        name: 'members',
        type: 'complex',
        multiValued: true,
        description: 'The users who are in it',
        subAttributes: [
          { ...member, name: 'value', description: 'The id of the user' },
          {
            ...member,
            name: '$ref',
            type: 'reference',
            description: 'The address of the user',
            referenceTypes: ['User'],
            caseExact: true,
          },
          { ...member, name: 'type', description: 'User', canonicalValues: ['User'] },
        ],
      },
    ],
  },
] as const;

export const schemas = (root: string): Resource[] =>
  definitions.map((definition) => ({
    schemas: [scimSchemas.schema],
    ...definition,
    meta: { resourceType: 'Schema', location: `${root}/Schemas/${definition.id}` },
  }));
