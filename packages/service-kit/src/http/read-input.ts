import { Readable } from 'node:stream';
import {
  type BytesIn,
  codeOf,
  fieldErrorsOf,
  fromWire,
  type Media,
  mediaOf,
  type RouteContract,
  type RouteInput,
} from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { errorCodes, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { bounded, inflated, readBody } from './bodies.ts';
import { streamedBody } from './stream-signals.ts';

/** Reads a handler's input: parameters, query and body, checked by the contract's schemas, with the names of the code. */
export function inputReader(contract: RouteContract): (request: FastifyRequest) => RouteInput<RouteContract> {
  const readQuery = fromWire(contract.query);
  const readBody = bodyReader(contract);
  return (request) => ({
    params: parseParams(contract.params, request.params),
    query: parse(contract.query, withoutEmpty(readQuery(request.query))),
    body: readBody(request),
  });
}

function bodyReader({ body: schema, maxBody }: RouteContract): (request: FastifyRequest) => unknown {
  if (!schema) return () => undefined;
  const media = mediaOf(schema);
  if (media.kind === 'bytes') return (request) => bytesOf(request, media, maxBody);
  const read = fromWire(schema);
  return ({ body }) => parse(schema, read(objectOf(body)));
}

function bytesOf(
  request: FastifyRequest,
  { gzip, types }: Extract<Media, { kind: 'bytes' }>,
  maxBody: number,
): BytesIn<string> {
  const { body, headers, raw } = request;
  const type = types.find((one) => one === headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase());
  if (type === undefined || !(body instanceof Readable)) throw new AppError('E40001');
  if (Number(headers['content-length'] ?? 0) > maxBody) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && !(gzip && coding === 'gzip')) throw new AppError('E40001');
  raw.emit(streamedBody);
  const content = bounded(readBody(body), maxBody);
  return { type, content: coding === 'gzip' ? bounded(inflated(content), maxBody) : content };
}

/** An empty query value is the same as an absent one. */
function withoutEmpty(query: unknown): Record<string, unknown> {
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const fields = fieldErrorsOf(result.error);
  throw new AppError(codeOf(fields), fields);
}

/** What is no id names nothing. */
function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const result = schema.safeParse(params);
  if (!result.success) throw new AppError('E40401');
  return result.data;
}

function objectOf(body: unknown): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('E40001');
  return body;
}
