import { limits, type RouteContract } from '@portal/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addressOf, agentOf } from './call-for.ts';
import { type Operation, subjectOf } from './operation-log.ts';

const maxPathLength = 500;

/** Whether the answers of a route name what it made. */
const makesSomething = ({ response }: RouteContract): boolean =>
  response instanceof z.ZodObject && 'id' in response.shape;

/** Makes the operation log's entry of a request. */
export function operationsOf(
  contract: RouteContract,
): (request: FastifyRequest, result: string) => Operation {
  const makes = makesSomething(contract);
  return (request, result) => ({
    contract,
    subject: request.subject ?? (request.caller && subjectOf(request.caller)),
    requestId: request.id,
    address: addressOf(request),
    agent: agentOf(request),
    target: targetOf(request),
    makes,
    made: makes && request.failure === undefined ? request.made : undefined,
    result,
  });
}

/** The path, and the ids in the body: all of those that a call may name which concerns many, or that of an import. */
function targetOf({ body, url }: FastifyRequest): string {
  const path = (url.split('?')[0] ?? '').slice(0, maxPathLength);
  if (typeof body !== 'object' || body === null) return path;
  if ('batch_process_id' in body && Number.isSafeInteger(body.batch_process_id)) {
    return `${path}?id=${body.batch_process_id}`;
  }
  const listed = 'ids' in body && Array.isArray(body.ids) ? body.ids : [];
  const ids = listed.slice(0, limits.maxIdsPerDelete).filter((one) => Number.isSafeInteger(one));
  return ids.length > 0 ? `${path}?ids=${ids.join()}` : path;
}
