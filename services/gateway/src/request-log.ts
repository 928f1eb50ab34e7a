import type { IncomingMessage } from 'node:http';
import { type Logger, newId } from '@portal/kernel';
import type { Caller } from '@portal/service-kit';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

const traceparentPattern = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Gives a request its id and its trace, and tells the services who really called, whatever the client claimed. */
export function stampRequest(request: IncomingMessage): string {
  const id = newId();
  const { headers } = request;
  headers['x-request-id'] = id;
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
  if (typeof headers.traceparent !== 'string' || !traceparentPattern.test(headers.traceparent)) {
    const trace = id.replaceAll('-', '');
    // The later half of the id is random, which is all that a span's id needs to be.
    headers.traceparent = `00-${trace}-${trace.slice(16)}-00`;
  }
  return id;
}

/** One line a request, when its last byte is out. Never a query: signed addresses and searches stand there. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  app.decorateRequest('caller', undefined);
  if (!logger.isLevelEnabled('info')) return;
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now();
    reply.raw.once('close', () => {
      const { caller } = request;
      logger.info({
        requestId: request.id,
        traceId: request.headers.traceparent?.slice(3, 35),
        ...(caller?.kind === 'tenant' ? { partnerId: caller.partnerId } : {}),
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.raw.statusCode,
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
        ms: Math.round(performance.now() - begun),
      });
    });
    done();
  });
}

declare module 'node:http' {
  interface IncomingHttpHeaders {
    traceparent?: string;
  }
}
