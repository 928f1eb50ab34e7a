import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The listening side of a process: there before what it serves, and until the last request of it has ended. */
export interface Front {
  /** What is told by `/readyz` until `serve`. */
  waitFor(what: string): void;
  /** Hands every request to `app`, which is ready but does not listen by itself. */
  serve(app: FastifyInstance): void;
  /** Tells `/readyz` to say no, and clients to reconnect, while everything goes on: nothing new is sent here any more. */
  retire(): void;
  /** Takes no more connections and lets the requests in flight end. */
  close(): Promise<void>;
}

const lookEveryMs = 50;
const closeWithinMs = 10_000;
const keepAliveMs = 72_000;

/** @throws Error when the port is taken */
export async function openFront(options: { host: string; port: number }): Promise<Front> {
  let app: FastifyInstance | undefined;
  let waitingFor: string | undefined;
  let retired = false;

  // A transfer may take as long as its bytes move, and a connection outlives that of whoever calls through it.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: keepAliveMs }, (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (retired) response.setHeader('connection', 'close');
    if (path === '/readyz' && waitingFor !== undefined)
      return answer(response, 503, { [waitingFor]: 'down' });
    if (app) return app.routing(request, response);
    refuseUntilStarted(path, request, response);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');

  return {
    waitFor(what) {
      waitingFor = what;
    },
    serve(started) {
      app = started;
      waitingFor = undefined;
    },
    retire() {
      waitingFor = 'stopping';
      retired = true;
    },
    async close() {
      const begun = performance.now();
      const closed = once(server, 'close');
      server.close();
      // Connections are kept alive for a next request; a transfer that takes too long is cut, and its client resumes it.
      const timer = setInterval(() => {
        if (performance.now() - begun > closeWithinMs) server.closeAllConnections();
        else server.closeIdleConnections();
      }, lookEveryMs);
      await closed;
      clearInterval(timer);
    },
  };
}

function refuseUntilStarted(
  path: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  request.resume();
  if (path === '/healthz') answer(response, 200, undefined);
  else answer(response, 503, { start: 'down' });
}

function answer(
  response: ServerResponse,
  status: 200 | 503,
  checks: Record<string, 'down'> | undefined,
): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify({ status: status === 200 ? 'ok' : 'down', ...(checks && { checks }) }));
}
