import { admits, mediaOf, pathsOf, type RouteContract } from '@portal/contracts';
import { AppError, type Logger } from '@portal/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Authority, admit, identify } from '../auth/authorise.ts';
import { addressOf, callFor, clientAgentOf } from './call-for.ts';
import { headerOf } from './headers.ts';
import type { IdempotentReplies } from './idempotency.ts';
import type { Implementation } from './implement.ts';
import { operationsOf } from './operation-entry.ts';
import { idOf, type OperationLog } from './operation-log.ts';
import { inputReader } from './read-input.ts';
import { canBeKept, sendAnswer, type WrittenAnswer, writeAnswer } from './send-answer.ts';

export interface RouteOptions {
  readonly authority: Authority;
  readonly operationLog: OperationLog;
  readonly idempotentReplies: IdempotentReplies;
  readonly logger: Logger;
}

/** Serves a route at each of its paths: checks the caller and the input, runs the handler, sends and logs its answer. */
export function serveRoute(
  app: FastifyInstance,
  contract: RouteContract,
  handle: Implementation['handle'],
  { authority, idempotentReplies, logger, operationLog }: RouteOptions,
): void {
  const readInput = inputReader(contract);
  const operationOf = operationsOf(contract);
  const keepsAnswers = mayBeRepeated(contract);

  async function onRequest(request: FastifyRequest): Promise<void> {
    const { access } = contract;
    // Who is refused is in the operation log as well.
    request.caller = await identify(access, request, authority);
    if (request.caller) await admit(contract, request.caller, partnerIdIn(request.params), authority);
    if (contract.agent && clientAgentOf(request) === undefined) throw new AppError('E40005');
  }

  function expectEntry(request: FastifyRequest): void {
    if (contract.logged && request.context) {
      operationLog.expect(operationOf(request, String(contract.status)), request.context);
    }
  }

  async function run(request: FastifyRequest): Promise<WrittenAnswer> {
    const input = readInput(request);
    const call = callFor(request, () => expectEntry(request));
    return writeAnswer(contract, await handle(input, call));
  }

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // A sign-in may turn out to be anyone's.
    if (request.caller) expectEntry(request);
    const key = keepsAnswers ? headerOf(request, 'idempotency-key') : undefined;
    const { body, caller, url: target } = request;
    const answer =
      key === undefined
        ? await run(request)
        : await idempotentReplies.once(
            { key, caller, address: addressOf(request), contract, target, body },
            async () => run(request),
          );
    request.made = idOf(answer.body);
    const assertLive = async () => {
      const present = await authority.verifyUser(request);
      await admit(contract, present, partnerIdIn(request.params), authority);
      // What they see was chosen by their role: with another one, they ask again.
      if (caller && 'role' in caller && caller.role !== present.role) throw new AppError('E40301');
    };
    return sendAnswer(contract, answer, { request, reply, logger, assertLive });
  }

  /** Before the answer leaves, so that an acknowledged change is never without its log. */
  async function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    try {
      const result = request.failure ?? String(reply.statusCode);
      await operationLog.record(operationOf(request, result), request.context);
    } catch (error) {
      // An answer that refuses stays what it is; one that grants becomes a refusal, which comes by here again.
      if (request.failure === undefined) throw error;
      logger.error({ err: error, requestId: request.id }, 'Refused call is not in the operation log');
    }
    return payload;
  }

  for (const url of pathsOf(contract)) {
    app.route({
      method: contract.method,
      url,
      bodyLimit: contract.maxBody,
      config: { operation: contract.id, contract },
      onRequest,
      handler,
      ...(contract.logged && { onSend }),
    });
  }
}

/** Whether a repeat can get the first answer: not where the body or the answer is a stream, nor where the answer is secret. */
function mayBeRepeated(contract: RouteContract): boolean {
  const { answersSecret, body, method } = contract;
  const isRead = body === undefined || mediaOf(body).kind !== 'bytes';
  return (
    method === 'POST' && !answersSecret && !admits(contract, 'internal') && isRead && canBeKept(contract)
  );
}

function partnerIdIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('pid' in params)) return undefined;
  return typeof params.pid === 'string' ? params.pid : undefined;
}
