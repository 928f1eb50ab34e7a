import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Method, mediaOf, methods, staysOpen } from '@portal/contracts';
import { AppError, type Logger } from '@portal/kernel';
import { endOfFront, lostConnection } from '@portal/service-kit';
import { Agent } from 'undici';
import type { Upstream } from './upstream.ts';

const connectWithinMs = 1_000;
/**
 * Idle connections are closed before a stopping service closes them, and each connection is replaced after a while, so
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
 * Forwards requests to services in other processes; bodies stream both ways. An unavailable service is a 503 at once;
 * a read that lost its connection, as to a stopping instance, is sent a second time.
 */
export function createHttpUpstream(options: {
  /** The origin of a service, without a trailing slash. */
  originOf: (service: string) => string;
  logger: Logger;
  /** How long a service may take for the headers of its answer, and between two chunks of it. */
  answerWithinMs?: number;
}): Upstream & { close(): Promise<void> } {
  const { answerWithinMs = 60_000, logger, originOf } = options;
  const agent = new Agent({
    connect: { timeout: connectWithinMs },
    headersTimeout: answerWithinMs,
    bodyTimeout: answerWithinMs,
    ...connections,
  });

  async function pass(
    ...[contract, request, response, refuse]: Parameters<Upstream['forward']>
  ): Promise<void> {
    const { service } = contract;
    const gone = new AbortController();
    response.once('close', () => {
      // An answer that is out needs no end; making the error of one for each costs more than the rest of the passing.
      if (!response.writableFinished) gone.abort(clientGone);
    });
    // A client that hears an end here comes again, to another instance.
    if (staysOpen(contract)) request.once(endOfFront, () => gone.abort(clientGone));
    const reads = methodOf(request) === 'GET';
    const isStreamed = contract.body !== undefined && mediaOf(contract.body).kind === 'bytes';
    if (isStreamed) endWhenLate(request, response, { gone, answerWithinMs });
    const send = () =>
      agent.stream(
        {
          origin: originOf(service),
          path: request.url ?? '/',
          method: methodOf(request),
          headers: passedOn(request.headers),
          body: reads ? null : request,
          signal: gone.signal,
          ...(isStreamed && { headersTimeout: 0 }),
        },
        ({ headers, statusCode }) => response.writeHead(statusCode, passedOn(headers)),
      );
    try {
      await send().catch((error: unknown) => {
        if (!reads || !lostConnection(error) || response.destroyed || response.headersSent) throw error;
        return send();
      });
    } catch (error) {
      if (response.destroyed) return;
      if (response.headersSent) return void response.destroy();
      logger.warn({ err: error, upstream: service }, 'Service is away');
      refuse(new AppError('E50301', [], { cause: error }));
    }
  }

  return {
    forward: (...exchange) => void pass(...exchange),
    close: () => agent.close(),
  };
}

/** A streamed body may take any time: the time for the answer begins when its last byte has been sent. */
function endWhenLate(
  request: IncomingMessage,
  response: ServerResponse,
  { answerWithinMs, gone }: { gone: AbortController; answerWithinMs: number },
): void {
  request.once('end', () => {
    const timer = setTimeout(() => {
      if (!response.headersSent) gone.abort(new Error('No answer in time'));
    }, answerWithinMs);
    response.once('close', () => clearTimeout(timer));
  });
}

function methodOf({ method }: IncomingMessage): Method {
  return methods.find((one) => one === method) ?? 'GET';
}
