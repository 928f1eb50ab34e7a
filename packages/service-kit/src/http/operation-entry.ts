import {
  limits,
  maxId,
  mediaOf,
  type OperationTarget,
  operationTargetOf,
  type RouteContract,
} from '@portal/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addressOf, agentOf } from './call-for.ts';
import { type Operation, recordOf, selectedIn, subjectOf } from './operation-log.ts';

const maxPathLength = 500;

/** Whether the answers of a route name what it made. */
const makesSomething = ({ response }: RouteContract): boolean =>
  response instanceof z.ZodObject && 'id' in response.shape;

/** The body of a request as far as its names are ours: what customers write in documents of their own is in no log. */
function bodyOf({ body: schema }: RouteContract): (request: FastifyRequest) => unknown {
  const media = schema && mediaOf(schema);
  return media?.kind === 'json' && media.anyKeys ? () => undefined : ({ body }) => body;
}

/** Makes the operation log's entry of a request. */
export function operationsOf(
  contract: RouteContract,
): (request: FastifyRequest, result: string) => Operation {
  const makes = makesSomething(contract);
  const targetKind = operationTargetOf(contract);
  const readBody = bodyOf(contract);
  return (request, result) => {
    const body = readBody(request);
    return {
      contract,
      subject: request.subject ?? (request.caller && subjectOf(request.caller)),
      requestId: request.id,
      address: addressOf(request),
      agent: agentOf(request),
      target: targetOf(request.url, body),
      targetKind,
      targetIds: targetIdsOf(request.params, body, targetKind),
      targetName: nameIn(body),
      about: () => recordOf(request.context),
      selected: () => selectedIn(request.context),
      makes,
      made: makes && request.failure === undefined ? request.made : undefined,
      result,
    };
  };
}

/** The path, and the ids in the body: all of those that a call may name which concerns many, or that of an import. */
function targetOf(url: string, body: unknown): string {
  const path = (url.split('?')[0] ?? '').slice(0, maxPathLength);
  if (typeof body !== 'object' || body === null) return path;
  if ('batch_process_id' in body && Number.isSafeInteger(body.batch_process_id)) {
    return `${path}?id=${body.batch_process_id}`;
  }
  const ids = listedIn(body);
  return ids.length > 0 ? `${path}?ids=${ids.join()}` : path;
}

/** The parameters of paths that name a record. */
const idParams = ['id', 'adminId'];

/** The parameter that alone names a record of its kind, whatever else the path names, or nothing. */
const ownParams: Partial<Record<OperationTarget, string>> = { partner: 'pid', export: 'batchId' };

/** The ids in the path, or else in the body. */
function targetIdsOf(params: unknown, body: unknown, kind: OperationTarget | undefined): readonly number[] {
  const ownParam = kind && ownParams[kind];
  if (ownParam) return idsIn(params, [ownParam]);
  const inPath = idsIn(params, idParams);
  if (inPath.length > 0 || typeof body !== 'object' || body === null) return inPath;
  return [...idsIn(body, ['batch_process_id']), ...listedIn(body)];
}

function idsIn(values: unknown, names: readonly string[]): readonly number[] {
  if (typeof values !== 'object' || values === null) return [];
  const known = new Map(Object.entries(values));
  return names
    .map((name) => numberIn(known.get(name)))
    .filter((id) => Number.isInteger(id) && id > 0 && id <= maxId);
}

/** Of what a client sends, some has no number, and says so by an exception. */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

function listedIn(body: object): readonly number[] {
  const listed = 'ids' in body && Array.isArray(body.ids) ? body.ids : [];
  return listed
    .slice(0, limits.maxIdsPerDelete)
    .filter((one) => Number.isInteger(one) && one > 0 && one <= maxId);
}

function nameIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('name' in body)) return undefined;
  return typeof body.name === 'string' ? body.name : undefined;
}
