import type { z } from 'zod';
import { camelKey, snakeKey } from '../core/case.ts';
import { type ErrorCode, errorCatalogue, statusOf } from '../core/errors.ts';
import { type Access, pathsOf, type RouteContract } from '../core/route.ts';
import { type JsonSchema, wireSchema } from './json-schema.ts';

const commonErrors = (contract: RouteContract): ErrorCode[] => [
  ...(contract.body || Object.keys(contract.query.shape).length > 0
    ? (['E40001', 'E40002', 'E40003'] as const)
    : []),
  ...(contract.agent ? (['E40005'] as const) : []),
  ...(contract.access.kind === 'public' || contract.access.kind === 'apiKey'
    ? []
    : (['E40101', 'E40102', 'E40301'] as const)),
  ...(contract.access.kind === 'apiKey' ? (['E40033'] as const) : []),
  ...('api' in contract.access && contract.access.api ? (['E40304'] as const) : []),
  ...(contract.path.includes(':') ? (['E40401'] as const) : []),
];

const errorBody: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'errors', 'request_id'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    request_id: { type: 'string' },
  },
};

const security = (access: Access) => {
  if (access.kind === 'public') return [];
  return access.kind === 'apiKey' ? [{ apiKey: [] }] : [{ bearer: [] }];
};

function parameters(contract: RouteContract): JsonSchema[] {
  const of = (schema: z.ZodObject, place: 'path' | 'query') =>
    Object.entries(schema.shape).map(([key, field]) => ({
      name: place === 'path' ? key : snakeKey(key),
      in: place,
      required: place === 'path',
      schema: wireSchema(field as z.ZodType, 'input'),
    }));
  const agent = {
    name: 'X-Agent',
    in: 'header',
    required: true,
    schema: { type: 'string', example: 'my-player/1.0.0' },
  };
  return [...of(contract.params, 'path'), ...of(contract.query, 'query'), ...(contract.agent ? [agent] : [])];
}

function responses(contract: RouteContract): JsonSchema {
  const codes = [...new Set([...commonErrors(contract), ...contract.errors])].sort();
  const byStatus = Map.groupBy(codes, statusOf);
  const contentType = String(contract.response.meta()?.contentType ?? 'application/json');
  return {
    [contract.status]: {
      description: 'Done',
      content: { [contentType]: { schema: wireSchema(contract.response, 'output') } },
    },
    ...Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `${code}: ${errorCatalogue[code].en}`).join('\n'),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
    ),
  };
}

/** The HTTP contract as an OpenAPI 3.1 document. */
export function openApiDocument(routes: readonly RouteContract[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of routes) {
    pathsOf(contract).forEach((path, index) => {
      const template = path.replace(/:(\w+)/g, '{$1}');
      paths[template] = {
        ...paths[template],
        [contract.method.toLowerCase()]: {
          operationId: index === 0 ? contract.id : camelKey(`${contract.id}_${contract.versions[index]}`),
          tags: [contract.service],
          summary: contract.summary,
          security: security(contract.access),
          parameters: parameters(contract),
          ...(contract.body
            ? {
                requestBody: {
                  required: true,
                  content: { 'application/json': { schema: wireSchema(contract.body, 'input') } },
                },
              }
            : {}),
          responses: responses(contract),
        },
      };
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Haishin Portal',
      version: '1.0.0',
      description:
        'Distributes files and apps to the people of customer organisations.\n\n' +
        'Any address may answer besides, as an Error with the code E40001: 400 what is no request, 408 a request that ' +
        'takes too long, 413 a body of more than 64 KiB without a token or of more than 1 MiB with one, 429 too many ' +
        'requests, with Retry-After, and 431 an address or headers of more than 16 KiB.',
    },
    paths,
    components: {
      schemas: { Error: errorBody },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  };
}
