import type { z } from 'zod';
import { type ErrorCode, errorCodes, statusOf } from '../core/errors.ts';
import { agentPattern, eventIdPattern } from '../core/fields.ts';
import { mediaOf, staysOpen } from '../core/media.ts';
import { errorCatalogue } from '../core/messages.ts';
import { type AccessList, admits, needsLicence, type RouteContract, takesBearerKey } from '../core/route.ts';
import { type JsonSchema, wireSchema } from './json-schema.ts';

/** What every route may answer with a status other than that of its code: never reached by who keeps within the limits. */
const otherStatuses: Readonly<Partial<Record<number, string>>> = {
  408: 'The request took too long',
  413: 'The body is too large',
  429: 'Too many requests',
  431: 'The URL or the headers are too large',
};

const commonErrors = (contract: RouteContract): ErrorCode[] => [
  'E40001',
  ...(contract.body || Object.keys(contract.query.shape).length > 0 ? (['E40002', 'E40003'] as const) : []),
  ...(contract.agent ? (['E40005'] as const) : []),
  ...(admits(contract, 'public') || admits(contract, 'apiKey')
    ? []
    : (['E40101', 'E40102', 'E40301'] as const)),
  ...(admits(contract, 'apiKey') || (admits(contract, 'tenantKey') && !takesBearerKey(contract))
    ? (['E40033'] as const)
    : []),
  ...(needsLicence(contract) ? (['E40302'] as const) : []),
  ...(contract.access.some((access) => 'api' in access && access.api) ? (['E40304'] as const) : []),
  ...(contract.path.includes(':') ? (['E40401'] as const) : []),
  ...(contract.path.includes('/:pid') ? (['E40402'] as const) : []),
  'E50001',
  'E50301',
];

const errorBody: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'errors', 'request_id'],
  properties: {
    code: { type: 'string', enum: [...errorCodes] },
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    challenge: {
      type: 'string',
      description: 'With E40103 alone: what the second step of the sign-in takes with the code',
    },
    request_id: { type: 'string' },
  },
};

/** What a caller shows: one of these. */
function security(access: AccessList) {
  const schemes = access.flatMap(({ kind }) => {
    if (kind === 'public') return [];
    const isKey = kind === 'apiKey' || (kind === 'tenantKey' && !takesBearerKey({ access }));
    return isKey ? ['apiKey'] : ['bearer'];
  });
  return [...new Set(schemes)].map((scheme) => ({ [scheme]: [] }));
}

function parameters(contract: RouteContract): JsonSchema[] {
  const { properties = {}, required = [] } = wireSchema(contract.query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  const inPath = Object.entries(contract.params.shape).map(([name, field]) => ({
    name,
    in: 'path',
    required: true,
    schema: wireSchema(field, 'input'),
  }));
  const inQuery = Object.entries(properties).map(([name, field]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // An empty value is the same as an absent one.
    ...(!required.includes(name) && { allowEmptyValue: true }),
    schema: field,
  }));
  const agent = {
    name: 'X-Agent',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: agentPattern.source, example: 'my-player/1.0.0' },
  };
  const condition = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  const known = condition('If-None-Match', 'The version that the caller has');
  const expected = condition('If-Match', 'The version that the change is meant for');
  const lastEvent = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event that the caller has: those after it come first',
    schema: { type: 'string', pattern: eventIdPattern.source },
  };
  return [
    ...inPath,
    ...inQuery,
    ...(staysOpen(contract) ? [lastEvent] : []),
    ...(contract.agent ? [agent] : []),
    ...(contract.versioned ? [contract.method === 'GET' ? known : expected] : []),
  ];
}

const isText = (type: string) => type.startsWith('text/') || type.endsWith('xml');

/** What is sent or answered, by its content types; undefined where it has no body. */
function contentOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema | undefined {
  const media = mediaOf(schema);
  if (!('types' in media)) return undefined;
  return Object.fromEntries(
    media.types.map((type) => {
      // Bytes of any length are described by their type alone.
      if (media.kind === 'bytes') return [type, { schema: isText(type) ? { type: 'string' } : {} }];
      // An event by an event: `event`, `id`, and `data` as JSON of this schema.
      if (media.kind === 'events')
        return [
          type,
          { schema: { type: 'string' }, 'x-event': media.event, 'x-event-data': wireSchema(media.data, io) },
        ];
      return [type, { schema: wireSchema(schema, io) }];
    }),
  );
}

const descriptions: Readonly<Partial<Record<number, string>>> = {
  202: 'Accepted, to be done later',
  302: 'To be found elsewhere',
  303: 'To be found elsewhere',
};

function reply(contract: RouteContract, status: number, schema: z.ZodType): JsonSchema {
  const content = contentOf(schema, 'output');
  const headers = {
    ...(mediaOf(schema).kind === 'redirect' && {
      Location: { required: true, schema: { type: 'string', format: 'uri' } },
    }),
    ...(contract.versioned && {
      ETag: { description: 'The version of what is answered', schema: { type: 'string' } },
    }),
  };
  return {
    description: descriptions[status] ?? 'Done',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content && { content }),
  };
}

/** The answers that refuse, by a name for each: routes share most of them. */
type Refusals = Map<string, JsonSchema>;

/** A reference to the answer that refuses with one of `codes`, or with a status of its own. */
function refusal(
  refusals: Refusals,
  codes: readonly ErrorCode[],
  { errorFormat }: RouteContract,
  status = codes[0] ? statusOf(codes[0]) : 500,
): JsonSchema {
  const told = codes.map((code) => `${code}: ${errorCatalogue[code].en}`).join('\n');
  const json = {
    schema: {
      allOf: [
        { $ref: '#/components/schemas/Error' },
        { type: 'object', properties: { code: { enum: codes } } },
      ],
    },
  };
  const answer = {
    description: otherStatuses[status] ?? told,
    ...((status === 429 || status === 503) && { headers: { 'Retry-After': retryAfter } }),
    content: errorFormat
      ? { [errorFormat.contentType]: { schema: wireSchema(errorFormat.schema, 'output') } }
      : { 'application/json': json },
  };
  if (errorFormat) return answer;
  const name = [...(otherStatuses[status] ? [status] : []), ...codes].join('-');
  refusals.set(name, answer);
  return { $ref: `#/components/responses/${name}` };
}

const retryAfter = { required: true, description: 'Seconds', schema: { type: 'integer', minimum: 0 } };

function responses(contract: RouteContract, refusals: Refusals): JsonSchema {
  const codes = [...new Set([...commonErrors(contract), ...contract.errors])].sort();
  const { method, replies, versioned } = contract;
  return {
    ...Object.fromEntries(
      Object.entries(replies).map(([status, schema]) => [status, reply(contract, Number(status), schema)]),
    ),
    ...(versioned && method === 'GET' && { 304: { description: 'The version that the caller has' } }),
    ...(versioned && method !== 'GET' && { 412: refusal(refusals, ['E40034'], contract, 412) }),
    ...Object.fromEntries(
      [...Map.groupBy(codes, statusOf)].map(([status, ofStatus]) => [
        status,
        refusal(refusals, ofStatus, contract),
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(otherStatuses).map((status) => [
        status,
        refusal(refusals, ['E40001'], contract, Number(status)),
      ]),
    ),
  };
}

/** The HTTP contract as an OpenAPI 3.1 document. */
export function openApiDocument(routes: readonly RouteContract[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const refusals: Refusals = new Map();
  for (const contract of routes) {
    const template = contract.path.replace(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [contract.method.toLowerCase()]: {
        operationId: contract.id,
        tags: [contract.service],
        summary: contract.summary,
        security: security(contract.access),
        parameters: parameters(contract),
        ...(contract.body && {
          requestBody: { required: true, content: contentOf(contract.body, 'input') },
        }),
        responses: responses(contract, refusals),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Haishin Portal',
      version: '1.0.0',
      description:
        'Distributes files and apps to the users of customer organisations.\n\n' +
        'Every path under /v1 also exists under /v2, and vice versa. A trailing slash is ignored. A method that a path ' +
        'does not have is not found: 404 with E40401.\n\n' +
        'Messages are in the language of `Accept-Language`: ja (default) or en. A POST may carry an `Idempotency-Key`: a ' +
        'repeat within 24 hours with the same key and body gets the first answer, with another body 400 with E40001.\n\n' +
        'A body may have at most 64 KiB without a token and 1 MiB with one, URL and headers 16 KiB. Lengths are counted in ' +
        'characters (code points). Unknown fields of a body are ignored; the name `__proto__` is refused with E40001.',
    },
    paths,
    components: {
      schemas: { Error: errorBody },
      responses: Object.fromEntries([...refusals].sort(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  };
}
