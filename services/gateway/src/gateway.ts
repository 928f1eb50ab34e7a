import { admits, limits, mediaOf, methods, pathsOf, type RouteContract } from '@portal/contracts';
import { AppError, type Clock, type Logger, startSpan } from '@portal/kernel';
import {
  type ApiKeys,
  apiHeaders,
  apiKeyCheck,
  type Caller,
  callOf,
  createTokenVerifier,
  languageOf,
  type Readiness,
  replyFor,
  serveHealth,
  streamedBody,
  type Telemetry,
  type TokenOptions,
} from '@portal/service-kit';
import type { StorageHandler } from '@portal/storage';
import Fastify, { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { checkAccess } from './check-access.ts';
import { serveDocuments } from './documents.ts';
import { type Counts, createRateLimiter, TooManyRequests, unlimited } from './rate-limits.ts';
import { forwardClientAddress, logRequests, stampRequest, traceRequests } from './request-log.ts';
import type { Upstream } from './upstream.ts';
import { serveWebClient, versionOf } from './web-client.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of a contract, which counts by who calls. */
    isCall?: boolean;
  }
}

export interface GatewayOptions {
  readonly routes: readonly RouteContract[];
  readonly upstream: Upstream;
  readonly tokens: TokenOptions;
  readonly apiKeys: ApiKeys;
  readonly storage: StorageHandler;
  /** Where browsers open it. */
  readonly publicUrl: string;
  /** Where clients reach the store, if not here: the pages of the web client may talk to it. */
  readonly storageUrl?: string | undefined;
  /** The built web client; undefined while a development server serves it. */
  readonly webDirectory: string | undefined;
  readonly readiness: Readiness;
  /** What rate limits are counted in. */
  readonly counts: Counts | 'off';
  /** Addresses and networks of proxies that say who calls, in `X-Forwarded-For`; nobody else is believed. */
  readonly trustedProxies: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry?: Telemetry | undefined;
  /** Told of every call that somebody makes with a token. */
  readonly onCall?: ((caller: Caller) => void) | undefined;
}

/** The one public origin: what is not for a service, the store or the documents is the web client. */
export async function buildGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { logger, routes, upstream } = options;
  const version = await versionOf(options.webDirectory);
  const app = Fastify({
    logger: false,
    genReqId: stampRequest,
    // An empty list would be gone through for every request.
    trustProxy: options.trustedProxies.length > 0 && [...options.trustedProxies],
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-version', version.name);
      void sendError(error, request, reply, logger);
    },
  });

  // The service that answers reads the body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, logger));
  forwardClientAddress(app);
  traceRequests(app, options.telemetry);
  logRequests(app, logger);

  const limiter = options.counts === 'off' ? unlimited : createRateLimiter(options.counts);
  const { clock } = options;
  const tokens = createTokenVerifier(app, options.tokens);
  const door = { isApiKey: apiKeyCheck(options.apiKeys), tokens, clock, limiter };
  // Calls are counted by who makes them; whatever else there is, found or not, by the address alone.
  app.addHook('onRequest', async (request, reply) => {
    // Past what a service answers with: every page compares it with its own.
    reply.raw.setHeader('x-version', version.name);
    if (!request.routeOptions.config.isCall) limiter.page(request.ip);
  });

  for (const contract of routes) {
    if (admits(contract, 'internal')) continue;
    const ofCall = callOf(contract);
    for (const url of pathsOf(contract)) {
      app.route({
        method: contract.method,
        url,
        // A GET that begins an export does so for a HEAD as well, which promises to do nothing.
        exposeHeadRoute: false,
        config: { operation: contract.id, contract, isCall: true },
        onRequest: async (request, reply) => {
          await checkAccess(contract, request, reply, door);
          // Bodies of unknown length are counted by the service.
          if (Number(request.headers['content-length'] ?? 0) > contract.maxBody) {
            throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
          }
        },
        handler(request, reply) {
          if (request.caller && request.caller.kind !== 'tenantKey') options.onCall?.(request.caller);
          hijack(request, reply);
          const call = startSpan(contract.id, ofCall);
          if (call) {
            request.raw.headers.traceparent = call.traceparent;
            reply.raw.once('close', () => call.end());
          }
          if (contract.body && mediaOf(contract.body).kind === 'bytes') request.raw.emit(streamedBody);
          upstream.forward(contract, request.raw, reply.raw, (error) => {
            const { body, headers, status } = errorReply(error, request, logger);
            reply.raw.writeHead(status, headers).end(body);
          });
        },
      });
    }
  }

  refuseInTheirForm(app, routes);

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
    publicUrl: options.publicUrl,
    storageUrl: options.storageUrl,
    version,
  });
  return app;
}

/**
 * Routes with errors of their own form have them also where nothing is: 405 for a method that a path does not have, else 404.
 */
function refuseInTheirForm(app: FastifyInstance, routes: readonly RouteContract[]): void {
  const ofProtocols = routes.filter((contract) => contract.errorFormat && !admits(contract, 'internal'));
  for (const [url, there] of Map.groupBy(ofProtocols, ({ path }) => path)) {
    const allowed = there.map(({ method }) => method);
    const others = methods.filter((method) => !allowed.includes(method));
    const [contract] = there;
    if (!contract || others.length === 0) continue;
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      config: { operation: contract.id, contract },
      handler(_request, reply) {
        reply.header('allow', allowed.join(', '));
        throw new AppError('E40401', [], { status: 405 });
      },
    });
  }
  for (const [root, [contract]] of Map.groupBy(ofProtocols, ({ path }) => path.slice(0, path.indexOf(':')))) {
    if (!contract) continue;
    app.route({
      method: [...methods],
      url: `${root}*`,
      exposeHeadRoute: false,
      config: { operation: 'notFound', contract },
      handler() {
        throw new AppError('E40401');
      },
    });
  }
}

/** Leaves the answer to another, who may say otherwise than its headers do. */
function hijack(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  for (const [name, value] of apiHeaders) reply.raw.setHeader(name, value);
  reply.raw.setHeader('x-request-id', request.id);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  const { body, headers, status } = errorReply(error, request, logger);
  return reply.headers(headers).status(status).send(body);
}

function errorReply(
  error: unknown,
  request: FastifyRequest,
  logger: Logger,
): { status: number; headers: Record<string, string>; body: string } {
  const { body, contentType, status } = replyFor(error, {
    language: languageOf(request.headers['accept-language']),
    requestId: request.id,
    contract: request.routeOptions.config.contract,
    logger,
  });
  const wait = error instanceof TooManyRequests ? error.retryAfterSeconds : limits.retryAfterSeconds;
  return {
    status,
    headers: {
      ...Object.fromEntries(apiHeaders),
      'content-type': contentType,
      'x-request-id': request.id,
      ...(status === 429 || status === 503 ? { 'retry-after': String(wait) } : {}),
    },
    body: JSON.stringify(body),
  };
}
