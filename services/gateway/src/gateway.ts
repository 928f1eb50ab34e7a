import rateLimit from '@fastify/rate-limit';
import { pathsOf, type RouteContract } from '@portal/contracts';
import { type Logger, startSpan } from '@portal/kernel';
import {
  callOf,
  languageOf,
  type Readiness,
  replyFor,
  serveHealth,
  type Telemetry,
  type TokenVerifier,
} from '@portal/service-kit';
import type { StorageHandler } from '@portal/storage';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { checkAccess } from './check-access.ts';
import { serveDocuments } from './documents.ts';
import { apiHeaders } from './headers.ts';
import { type RateLimits, rateLimits } from './rate-limits.ts';
import { logRequests, stampRequest, tellAddresses, traceRequests } from './request-log.ts';
import type { Upstream } from './upstream.ts';
import { serveWebClient } from './web-client.ts';

export interface GatewayOptions {
  readonly routes: readonly RouteContract[];
  readonly upstream: Upstream;
  readonly tokens: TokenVerifier;
  readonly apiKey: string;
  readonly storage: StorageHandler;
  /** Where clients reach the store, if not here: the pages of the web client may talk to it. */
  readonly storageUrl?: string | undefined;
  /** The built web client; undefined while a development server serves it. */
  readonly webDirectory: string | undefined;
  readonly readiness: Readiness;
  readonly rateLimits: RateLimits | 'off';
  /** Addresses and networks of proxies that say who calls, in `X-Forwarded-For`; nobody else is believed. */
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
  readonly telemetry?: Telemetry | undefined;
  /** Told of every call that a person or a player of a tenant makes. */
  readonly onTenantCall?: ((partnerId: number) => void) | undefined;
}

/** The one public origin: what is not for a service, the store or the documents is the web client. */
export async function buildGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { logger, routes, upstream } = options;
  const app = Fastify({
    logger: false,
    genReqId: stampRequest,
    trustProxy: [...options.trustedProxies],
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
  });

  // Bodies belong to whoever answers.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, logger));
  tellAddresses(app);
  traceRequests(app, options.telemetry);
  logRequests(app, logger);
  if (options.rateLimits !== 'off') await app.register(rateLimit, { global: false });

  for (const contract of routes) {
    if (contract.access.kind === 'internal') continue;
    const limit = options.rateLimits === 'off' ? undefined : rateLimits(contract, options.rateLimits);
    const ofCall = callOf(contract);
    for (const url of pathsOf(contract)) {
      app.route({
        method: contract.method,
        url,
        // A GET that begins an export does so for a HEAD as well, which promises to do nothing.
        exposeHeadRoute: false,
        config: { operation: contract.id, ...(limit ? { rateLimit: limit } : {}) },
        onRequest: async (request) => checkAccess(contract, request, options),
        handler(request, reply) {
          if (request.caller?.kind === 'tenant') options.onTenantCall?.(request.caller.partnerId);
          reply.hijack();
          for (const [name, value] of apiHeaders) reply.raw.setHeader(name, value);
          reply.raw.setHeader('x-request-id', request.id);
          const call = startSpan(contract.id, ofCall);
          if (call) {
            request.raw.headers.traceparent = call.traceparent;
            reply.raw.once('close', () => call.end());
          }
          upstream.forward(contract.service, request.raw, reply.raw);
        },
      });
    }
  }

  app.route({
    method: ['GET', 'HEAD', 'PUT'],
    url: '/storage/*',
    config: { operation: 'storage' },
    handler(request, reply) {
      reply.hijack();
      void options.storage(request.raw, reply.raw, request.id);
    },
  });

  serveHealth(app, { others: options.readiness });
  serveDocuments(app, routes);
  await serveWebClient(app, {
    directory: options.webDirectory,
    routes,
    storageUrl: options.storageUrl,
  });
  return app;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  const { status, body } = replyFor(error, {
    language: languageOf(request.headers['accept-language']),
    requestId: request.id,
    logger,
  });
  for (const [name, value] of apiHeaders) reply.header(name, value);
  return reply.status(status).send(body);
}
