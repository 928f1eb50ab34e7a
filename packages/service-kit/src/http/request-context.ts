import { staysOpen } from '@portal/contracts';
import { type RequestContext, runInContext } from '@portal/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestObserver } from '../telemetry/requests.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { headerOf } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext | undefined;
  }
  interface FastifyContextConfig {
    /** The name of the route's contract. */
    operation?: string;
  }
}

/** Everything that is done for a request is done in its context, and in its span where telemetry is on. */
export function runInContexts(app: FastifyInstance, telemetry: Telemetry | undefined): void {
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
    const { contract, operation } = config;
    if (!operation) return context;
    const { method } = request;
    return observe(reply.raw, {
      ...context,
      operation,
      method,
      route,
      staysOpen: contract !== undefined && staysOpen(contract),
      failure: () => request.failure,
    });
  };
}
