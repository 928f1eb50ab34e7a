import type { IncomingMessage } from 'node:http';
import { isTraceparent, type Logger, newId, type RequestContext, runInContext } from '@portal/kernel';
import { type Caller, createRequestObserver, type Telemetry } from '@portal/service-kit';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    context: RequestContext | undefined;
  }
}

/** Gives a request its id, and tells the services who really called, whatever the client claimed. */
export function stampRequest(request: IncomingMessage): string {
  const id = newId();
  const { headers } = request;
  headers['x-request-id'] = id;
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
  if (!isTraceparent(headers.traceparent)) delete headers.traceparent;
  return id;
}

/**
 * Gives every request its place in a trace, its client's or a new one, and runs what is done for it there. Those with an
 * `operation` are spans of the gateway where telemetry is on.
 */
export function traceRequests(app: FastifyInstance, telemetry: Telemetry | undefined): void {
  const observe = telemetry && createRequestObserver(telemetry);
  app.decorateRequest('context', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, id: requestId, method, routeOptions } = request;
    const { operation } = routeOptions.config;
    const context =
      observe && operation
        ? observe(reply.raw, {
            requestId,
            traceparent: headers.traceparent,
            operation,
            method,
            route: routeOptions.url ?? '',
          })
        : { requestId, traceparent: headers.traceparent ?? newTraceparent(requestId) };
    request.context = context;
    headers.traceparent = context.traceparent;
    runInContext(context, done);
  });
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
