import type { IncomingMessage } from 'node:http';
import { staysOpen } from '@portal/contracts';
import { isTraceparent, type Logger, newId, type RequestContext, runInContext } from '@portal/kernel';
import { type AnyCaller, createRequestObserver, type Telemetry } from '@portal/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    caller: AnyCaller | undefined;
    context: RequestContext | undefined;
  }
}

/** Gives a request its id, whatever the client claimed. */
export function stampRequest(request: IncomingMessage): string {
  const id = newId();
  const { headers } = request;
  headers['x-request-id'] = id;
  if (!isTraceparent(headers.traceparent)) headers.traceparent = undefined;
  return id;
}

/** Passes the client's address to the services: from `X-Forwarded-For` only as far as trusted proxies wrote it. */
export function forwardClientAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.headers['x-forwarded-for'] = request.ip;
    done();
  });
}

/**
 * Gives every request its place in a trace, its client's or a new one, and runs what is done for it there. Those with an
 * `operation` are spans of the gateway where telemetry is on.
 */
export function traceRequests(app: FastifyInstance, telemetry: Telemetry | undefined): void {
  const contextOf = telemetry ? observedContexts(telemetry) : plainContext;
  app.decorateRequest('context', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const context = contextOf(request, reply);
    request.context = context;
    request.headers.traceparent = context.traceparent;
    runInContext(context, done);
  });
}

function plainContext({ headers, id }: FastifyRequest): RequestContext {
  return { requestId: id, traceparent: headers.traceparent ?? newTraceparent(id) };
}

function observedContexts(
  telemetry: Telemetry,
): (request: FastifyRequest, reply: FastifyReply) => RequestContext {
  const observe = createRequestObserver(telemetry);
  return (request, reply) => {
    const { headers, id, method, routeOptions } = request;
    const { contract, operation } = routeOptions.config;
    if (!operation) return plainContext(request);
    const route = routeOptions.url ?? '';
    return observe(reply.raw, {
      requestId: id,
      traceparent: headers.traceparent,
      operation,
      method,
      route,
      staysOpen: contract !== undefined && staysOpen(contract),
    });
  };
}

function newTraceparent(requestId: string): string {
  const trace = requestId.replaceAll('-', '');
  // The later half of the id is random, which is all that a span's id needs to be.
  return `00-${trace}-${trace.slice(16)}-00`;
}

/** One line a request, when its last byte is out. Never a query: signed addresses and searches stand there. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  app.decorateRequest('caller', undefined);
  if (!logger.isLevelEnabled('info')) return;
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now();
    const log = () => {
      const { caller } = request;
      logger.info({
        requestId: request.id,
        ...(caller?.kind === 'tenant' ? { partnerId: caller.partnerId } : {}),
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.raw.statusCode,
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
        ms: Math.round(performance.now() - begun),
      });
    };
    reply.raw.once('close', () => (request.context ? runInContext(request.context, log) : log()));
    done();
  });
}

declare module 'node:http' {
  interface IncomingHttpHeaders {
    traceparent?: string | undefined;
  }
}
