import { limits, type Media, mediaOf, type RouteContract } from '@portal/contracts';
import { AppError, newId } from '@portal/kernel';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Authority } from '../auth/authorise.ts';
import type { AnyCaller } from '../auth/caller.ts';
import { createTokenVerifier, type TokenOptions } from '../auth/tokens.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { acceptBodies } from './bodies.ts';
import { languageOf, replyFor } from './error-reply.ts';
import type { Implementation } from './implement.ts';
import type { OperationSubject } from './operation-log.ts';
import { runInContexts } from './request-context.ts';
import { type RouteOptions, serveRoute } from './serve-route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: AnyCaller | undefined;
    /** Whom a call without a caller turned out to be about. */
    subject: OperationSubject | undefined;
    /** The result for the operation log: the status, or the code of the error. */
    failure: string | undefined;
    /** The id of what a call made that answers it. */
    made: number | undefined;
  }
  interface FastifyContextConfig {
    contract?: RouteContract;
  }
}

export interface ServerOptions extends Omit<RouteOptions, 'authority'> {
  readonly tokens: TokenOptions;
  readonly authority: Omit<Authority, 'verifyUser'>;
  readonly implementations: readonly Implementation[];
  readonly telemetry?: Telemetry | undefined;
}

const usualBody: Media = { kind: 'json', types: ['application/json'] };

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
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => void failed(error, request, reply),
  });

  app.decorateRequest('caller', undefined);
  app.decorateRequest('subject', undefined);
  app.decorateRequest('failure', undefined);
  app.decorateRequest('made', undefined);
  acceptBodies(app, usualBody);
  runInContexts(app, options.telemetry);

  function failed(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const { contract } = request.routeOptions.config;
    const { code, contentType, status, body } = replyFor(error, {
      language: languageOf(request.headers['accept-language']),
      requestId: request.id,
      contract,
      logger,
    });
    request.failure = code;
    // A stream that failed before its first byte has set them.
    for (const name of ['content-disposition', 'etag', 'location']) reply.removeHeader(name);
    if (status === 503) reply.header('retry-after', limits.retryAfterSeconds);
    return reply.status(status).type(contentType).send(JSON.stringify(body));
  }
  app.setErrorHandler(failed);
  app.setNotFoundHandler((request, reply) => failed(new AppError('E40401'), request, reply));

  const tokens = createTokenVerifier(app, options.tokens);
  const authority = { ...options.authority, verifyUser: (request: FastifyRequest) => tokens.verify(request) };
  serveRoutes(app, options.implementations, { ...options, authority });
  return app;
}

/** Serves the routes, grouped by their kind of body: each group accepts only its own content types. */
function serveRoutes(
  app: FastifyInstance,
  implementations: readonly Implementation[],
  options: RouteOptions,
): void {
  const routes = implementations.flatMap(({ contracts, handle }) =>
    contracts.map((contract) => ({
      contract,
      handle,
      media: contract.body ? mediaOf(contract.body) : usualBody,
    })),
  );
  const keyOf = (media: Media) => JSON.stringify(media);
  for (const [key, sameBody] of Map.groupBy(routes, ({ media }) => keyOf(media))) {
    const serve = (scope: FastifyInstance) => {
      for (const { contract, handle } of sameBody) serveRoute(scope, contract, handle, options);
    };
    if (key === keyOf(usualBody)) {
      serve(app);
      continue;
    }
    void app.register(async (scope) => {
      if (sameBody[0]) acceptBodies(scope, sameBody[0].media);
      serve(scope);
    });
  }
}
