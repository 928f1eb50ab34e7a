import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@portal/contracts';
import { AppError, type Logger } from '@portal/kernel';
import { languageOf, replyFor } from '@portal/service-kit';
import { Agent } from 'undici';
import type { Upstream } from './upstream.ts';

const connectWithinMs = 1_000;
const answerWithinMs = 60_000;
/**
 * Connections in rest are given up sooner than a service that is told to stop closes them, and each after a while, so
 * that instances that were added get their share.
 */
const connections = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 4_000, maxRequestsPerClient: 1_000 };

/** What belongs to one connection and must not be passed on (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const clientGone = new Error('The client is gone');

function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value;
  }
  return kept;
}

/**
 * Hands requests to services that are processes of their own; bodies stream both ways. One that is away is a 503 at once;
 * a read that met an instance on its way out is sent a second time.
 */
export function createHttpUpstream(options: {
  /** The origin of a service, without a trailing slash. */
  originOf: (service: string) => string;
  logger: Logger;
}): Upstream & { close(): Promise<void> } {
  const { logger, originOf } = options;
  const agent = new Agent({
    connect: { timeout: connectWithinMs },
    headersTimeout: answerWithinMs,
    bodyTimeout: answerWithinMs,
    ...connections,
  });

  async function pass(service: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      // An answer that is out needs no end; making the error of one for each costs more than the rest of the passing.
      if (!response.writableFinished) gone.abort(clientGone);
    });
    const reads = methodOf(request) === 'GET';
    const send = () =>
      agent.stream(
        {
          origin: originOf(service),
          path: request.url ?? '/',
          method: methodOf(request),
          headers: passedOn(request.headers),
          body: reads ? null : request,
          signal: gone.signal,
        },
        ({ headers, statusCode }) => response.writeHead(statusCode, passedOn(headers)),
      );
    try {
      await send().catch((error: unknown) => {
        if (!reads || response.destroyed || response.headersSent) throw error;
        return send();
      });
    } catch (error) {
      if (response.destroyed) return;
      if (response.headersSent) return void response.destroy();
      logger.warn({ err: error, upstream: service }, 'Service is away');
      const { body, status } = replyFor(new AppError('E50301', [], { cause: error }), {
        language: languageOf(request.headers['accept-language']),
        requestId: String(request.headers['x-request-id']),
        logger,
      });
      response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'retry-after': String(limits.retryAfterSeconds),
        })
        .end(JSON.stringify(body));
    }
  }

  return {
    forward: (service, request, response) => void pass(service, request, response),
    close: () => agent.close(),
  };
}

function methodOf(request: IncomingMessage): 'GET' | 'POST' | 'PUT' | 'DELETE' {
  const { method } = request;
  return method === 'POST' || method === 'PUT' || method === 'DELETE' ? method : 'GET';
}
