import { codeOf, fieldErrorsOf, fromWire, limits, pathsOf, toWire } from '@portal/contracts';
import { AppError, type Logger, newId, type RequestContext, runInContext } from '@portal/kernel';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Authority, admit, identify } from '../auth/authorise.ts';
import type { Caller } from '../auth/caller.ts';
import { createRequestObserver } from '../telemetry/requests.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { languageOf, replyFor } from './error-reply.ts';
import type { IdempotentReplies } from './idempotency.ts';
import { type Call, type Implementation, PageReply, StreamReply } from './implement.ts';
import { actorOf, idOf, type Operation, type OperationLog, type OperationSubject } from './operation-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Whom a call without a caller turned out to be about. */
    subject: OperationSubject | undefined;
    /** What the operation log is told: the status, or the code of the error. */
    failure: string | undefined;
    /** The id of what a call made that answers it. */
    made: number | undefined;
    context: RequestContext | undefined;
  }
  interface FastifyContextConfig {
    /** The name of the route's contract. */
    operation?: string;
  }
}

export interface ServerOptions {
  readonly implementations: readonly Implementation[];
  readonly authority: Authority;
  readonly operationLog: OperationLog;
  readonly idempotentReplies: IdempotentReplies;
  readonly logger: Logger;
  readonly telemetry?: Telemetry | undefined;
}

/** Pages of a service are text with styles of their own, and mails in frames, which get the same policy. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Far more than any contract has; whatever reads a body goes a step deeper for each. */
const maxBodyDepth = 64;
const maxPathLength = 500;

const agentPattern = /^[\w.-]+\/[\w.+-]+$/;

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

function clientAgentOf(request: FastifyRequest): string | undefined {
  const agent = headerOf(request, 'x-agent');
  return agent !== undefined && agentPattern.test(agent) ? agent : undefined;
}

/** The HTTP side of a service: every route checked, run and answered in the same way. It does not listen. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { logger } = options;
  const app = Fastify({
    logger: false,
    bodyLimit: limits.maxAnonymousBody,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' ? given : newId();
    },
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void failed(error, request, reply),
  });

  app.decorateRequest('caller', undefined);
  app.decorateRequest('subject', undefined);
  app.decorateRequest('failure', undefined);
  app.decorateRequest('made', undefined);
  acceptEmptyBodies(app);
  runInContexts(app, options.telemetry);

  function failed(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const language = languageOf(request.headers['accept-language']);
    const { status, body } = replyFor(error, {
      language,
      requestId: request.id,
      internal: request.url.startsWith('/internal/'),
      logger,
    });
    request.failure = body.code;
    if (status === 503) reply.header('retry-after', limits.retryAfterSeconds);
    return reply.status(status).send(body);
  }
  app.setErrorHandler(failed);
  app.setNotFoundHandler((request, reply) => failed(new AppError('E40401'), request, reply));

  for (const implementation of options.implementations) register(app, implementation, options);
  return app;
}

/** Everything that is done for a request is done in its context, and in its span where telemetry is on. */
function runInContexts(app: FastifyInstance, telemetry: Telemetry | undefined): void {
  const contextOf = telemetry ? observedContexts(telemetry) : plainContext;
  app.decorateRequest('context', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.context = contextOf(request, reply);
    runInContext(request.context, done);
  });
}

function plainContext(request: FastifyRequest): RequestContext {
  return { requestId: request.id, traceparent: headerOf(request, 'traceparent') };
}

function observedContexts(
  telemetry: Telemetry,
): (request: FastifyRequest, reply: FastifyReply) => RequestContext {
  const observe = createRequestObserver(telemetry);
  return (request, reply) => {
    const context = plainContext(request);
    const { config, url: route = '' } = request.routeOptions;
    const { operation } = config;
    if (!operation) return context;
    const { method } = request;
    return observe(reply.raw, { ...context, operation, method, route, failure: () => request.failure });
  };
}

/** Clients send `Content-Type: application/json` on calls without a body as well. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    const go = () => {
      if (text === '') done(null, undefined);
      else if (isDeeperThan(text, maxBodyDepth)) done(new AppError('E40001'));
      else void parse(request, text, done);
    };
    // A body arrives in the context of its connection.
    if (request.context) runInContext(request.context, go);
    else go();
  });
}

function register(app: FastifyInstance, { contract, handle }: Implementation, options: ServerOptions): void {
  const { authority, operationLog, idempotentReplies } = options;
  const readQuery = fromWire(contract.query);
  const readBody = fromWire(contract.body ?? z.undefined());
  const writeAnswer = toWire(contract.response);
  const makes = contract.response instanceof z.ZodObject && 'id' in contract.response.shape;

  async function run(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const input = {
      params: parseParams(contract.params, request.params),
      query: parse(contract.query, withoutEmpty(readQuery(request.query))),
      body: contract.body ? parse(contract.body, readBody(objectOf(request.body))) : undefined,
    };
    const call: Call = {
      // `admit` has let pass only the kind of caller that the contract names.
      caller: request.caller as Call['caller'],
      requestId: request.id,
      language: languageOf(request.headers['accept-language']),
      agent: headerOf(request, 'x-agent') ?? request.headers['user-agent'] ?? '',
      clientAgent: clientAgentOf(request),
      address: headerOf(request, 'x-forwarded-for') ?? request.ip,
      wantsPage: request.headers.accept?.includes('text/html') ?? false,
      concerns: (subject) => {
        request.subject = subject;
      },
      signedIn: (actor) => {
        request.subject = actor;
        expectEntry(request);
      },
    };
    const answer = await handle(input, call);
    if (answer instanceof StreamReply) {
      const name = encodeURIComponent(answer.fileName);
      reply.header('Content-Type', answer.contentType);
      reply.header('Content-Disposition', `attachment; filename*=UTF-8''${name}`);
      return answer.body;
    }
    if (answer instanceof PageReply) {
      reply.header('Content-Type', 'text/html; charset=utf-8');
      reply.header('Content-Security-Policy', pagePolicy);
      return answer.html;
    }
    return writeAnswer(contract.response.parse(answer));
  }

  const operationOf = (request: FastifyRequest, result: string): Operation => ({
    contract,
    subject: request.subject ?? (request.caller && actorOf(request.caller)),
    requestId: request.id,
    address: headerOf(request, 'x-forwarded-for') ?? request.ip,
    agent: headerOf(request, 'x-agent') ?? request.headers['user-agent'] ?? '',
    target: targetOf(request),
    makes,
    made: request.failure === undefined ? request.made : undefined,
    result,
  });

  function expectEntry(request: FastifyRequest): void {
    if (contract.logged && request.context) {
      operationLog.expect(operationOf(request, String(contract.status)), request.context);
    }
  }

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // A sign-in may turn out to be anyone's.
    if (request.caller) expectEntry(request);
    const key = contract.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
    reply.status(contract.status);
    const answer =
      key === undefined || !request.caller
        ? await run(request, reply)
        : await idempotentReplies.once(
            { key, caller: request.caller, operation: contract.id, target: request.url, body: request.body },
            async () => run(request, reply),
          );
    if (makes) request.made = idOf(answer);
    return answer;
  }

  for (const url of pathsOf(contract)) {
    app.route({
      method: contract.method,
      url,
      bodyLimit: contract.maxBody,
      config: { operation: contract.id },
      onRequest: async (request) => {
        const { access } = contract;
        // Who is refused is in the operation log as well.
        request.caller = await identify(access, request.headers.authorization, authority);
        if (request.caller) await admit(access, request.caller, partnerIdIn(request.params), authority);
        if (contract.agent && clientAgentOf(request) === undefined) throw new AppError('E40005');
      },
      handler,
      // Before the answer leaves, so that an acknowledged change is never without its log.
      ...(contract.logged && {
        onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
          try {
            const result = request.failure ?? String(reply.statusCode);
            await operationLog.record(operationOf(request, result), request.context);
          } catch (error) {
            // An answer that refuses stays what it is; one that grants becomes a refusal, which comes by here again.
            if (request.failure === undefined) throw error;
            options.logger.error(
              { err: error, requestId: request.id },
              'Refused call is not in the operation log',
            );
          }
          return payload;
        },
      }),
    });
  }
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

const code = { quote: 34, bracket: 91, backslash: 92, endOfBracket: 93, brace: 123, endOfBrace: 125 };

/** Whether a JSON text has arrays and objects within each other beyond so many levels: told before it is parsed. */
function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === code.quote) isInString = !isInString;
    else if (character === code.backslash) at += 1;
    else if (isInString) continue;
    else if (character === code.brace || character === code.bracket) depth += 1;
    else if (character === code.endOfBrace || character === code.endOfBracket) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

function partnerIdIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('pid' in params)) return undefined;
  return typeof params.pid === 'string' ? params.pid : undefined;
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
