import { limits, pathsOf, type RouteContract } from '@portal/contracts';
import { type Clock, type Logger, startSpan } from '@portal/kernel';
import {
  apiHeaders,
  callOf,
  languageOf,
  type Readiness,
  replyFor,
  serveHealth,
  type Telemetry,
  type TokenVerifier,
} from '@portal/service-kit';
import type { StorageHandler } from '@portal/storage';
import Fastify, { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { checkAccess } from './check-access.ts';
import { serveDocuments } from './documents.ts';
import { type Budgets, createRateLimiter, TooManyRequests, unlimited } from './rate-limits.ts';
import { logRequests, stampRequest, tellAddresses, traceRequests } from './request-log.ts';
import type { Upstream } from './upstream.ts';
import { serveWebClient } from './web-client.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of a contract, which counts by who calls. */
    isCall?: boolean;
  }
}

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
  /** What rate limits are counted in. */
  readonly budgets: Budgets | 'off';
  /** Addresses and networks of proxies that say who calls, in `X-Forwarded-For`; nobody else is believed. */
  readonly trustedProxies: readonly string[];
  readonly clock: Clock;
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
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply, logger),
  });

  // Bodies belong to whoever answers.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, logger));
  tellAddresses(app);
  traceRequests(app, options.telemetry);
  logRequests(app, logger);

  const limiter = options.budgets === 'off' ? unlimited : createRateLimiter(options.budgets);
  const door = { apiKey: options.apiKey, tokens: options.tokens, clock: options.clock, limiter };
  // Calls are counted by who makes them; whatever else there is, found or not, by the address alone.
  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.isCall) limiter.page(request.ip);
  });

  for (const contract of routes) {
    if (contract.access.kind === 'internal') continue;
    const ofCall = callOf(contract);
    for (const url of pathsOf(contract)) {
      app.route({
        method: contract.method,
        url,
        // A GET that begins an export does so for a HEAD as well, which promises to do nothing.
        exposeHeadRoute: false,
        config: { operation: contract.id, isCall: true },
        onRequest: async (request, reply) => {
          await checkAccess(contract, request, reply, door);
          // Bodies of unknown length are counted by the service.
          if (Number(request.headers['content-length'] ?? 0) > contract.maxBody) {
            throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
          }
        },
        handler(request, reply) {
          if (request.caller?.kind === 'tenant') options.onTenantCall?.(request.caller.partnerId);
          hijack(request, reply);
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
      hijack(request, reply);
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

/** Leaves the answer to another, who may say otherwise than its headers do. */
function hijack(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  for (const [name, value] of apiHeaders) reply.raw.setHeader(name, value);
  reply.raw.setHeader('x-request-id', request.id);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  const { status, body } = replyFor(error, {
    language: languageOf(request.headers['accept-language']),
    requestId: request.id,
    logger,
  });
  for (const [name, value] of apiHeaders) reply.header(name, value);
  if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfterSeconds);
  if (status === 503) reply.header('retry-after', limits.retryAfterSeconds);
  return reply.header('x-request-id', request.id).status(status).send(body);
}
