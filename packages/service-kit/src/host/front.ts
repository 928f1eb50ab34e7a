import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '@portal/kernel';
import type { FastifyInstance } from 'fastify';
import { errorBody, languageOf } from '../http/error-reply.ts';
import { apiHeaders, serverHeaders } from '../http/headers.ts';
import { endOfFront, streamedBody } from '../http/stream-signals.ts';
import { type ConnectionLimits, defaultConnections, limitConnections } from './connections.ts';
import {
  createRefusals,
  methodOfParserError,
  type ParserError,
  type RefusalStatus,
  statusOfParserError,
} from './refusals.ts';

/** The listening side of a process. It exists before the app is ready, and until the last request has ended. */
export interface Front {
  /** What `/readyz` answers until `serve`. */
  waitFor(what: string): void;
  /** Hands every request to `app`, which is ready but does not listen by itself. */
  serve(app: FastifyInstance): void;
  /** Makes `/readyz` fail and tells clients to reconnect; requests are still answered. */
  retire(): void;
  /** Takes no more connections and lets the requests in flight end. */
  close(): Promise<void>;
}

/** How long a client may take, in milliseconds. */
export interface FrontTimes {
  /** From the first moment of a connection, or the first byte of a next request, to the end of its headers. */
  readonly headers: number;
  /** For the whole of a body, but for those of files and of routes that read a body as it comes. */
  readonly body: number;
  /** Without a byte of a body, or with an answer that is not read: files take as long as they move. */
  readonly silence: number;
}

export const frontTimes: FrontTimes = { headers: 15_000, body: 60_000, silence: 60_000 };

export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  /** Clients reach it by https alone. */
  readonly secure?: boolean;
  readonly connections?: ConnectionLimits;
  readonly times?: FrontTimes;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** What its connection had taken of answers when it was looked at, and since when it is no more. */
  taken: { readonly bytes: number; readonly since: number } | undefined;
}

/** How long a client that is answered before it has sent everything may continue to send, so that it can read the answer. */
const lingerMs = 2_000;
const lookEveryMs = 50;
const closeWithinMs = 10_000;
/** How long a connection is kept at the end whose first byte may be under way. Clients open some ahead that they may never use. */
const unusedMs = 1_000;
const keepAliveMs = 72_000;

/** @throws Error when the port is taken */
export async function openFront(options: FrontOptions): Promise<Front> {
  const { connections = defaultConnections, secure = false, times = frontTimes } = options;
  const headers = serverHeaders(secure);
  const refuse = createRefusals(headers);
  /** The latest of each connection; it may be over. */
  const exchanges = new Map<Duplex, Exchange>();
  const open = new Set<Socket>();
  let app: FastifyInstance | undefined;
  let waitingFor: string | undefined;
  let retired = false;

  function underWay(socket: Duplex): Exchange | undefined {
    const exchange = exchanges.get(socket);
    return exchange?.response.destroyed ? undefined : exchange;
  }

  /** The end of a connection whose client is wrong or too slow, with an answer where none has begun. */
  function cut(socket: Duplex, status: RefusalStatus, method?: string): void {
    const { request, response } = underWay(socket) ?? {};
    if (response?.headersSent) socket.destroy();
    else refuse(socket, status, languageOf(request?.headers['accept-language']), method ?? request?.method);
  }

  function follow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // Forgotten by who looks for stalled readers: a listener for the end of each would cost every request.
    exchanges.set(socket, { request, response, socket, taken: undefined });
    if (!hasBody(request)) return;
    let timer = pathOf(request).startsWith('/storage/')
      ? undefined
      : setTimeout(() => cut(socket, 408), times.body);
    request.once('close', () => clearTimeout(timer));
    request.once(streamedBody, () => clearTimeout(timer));
    response.once('finish', () => {
      // A rest that nobody reads would hold up the next request of the connection.
      request.resume();
      if (request.complete) return;
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), lingerMs);
    });
  }

  /** A reader that takes nothing of what waits for it is gone, whatever it sends meanwhile. */
  function endStalledReaders(): void {
    const now = performance.now();
    for (const [socket, exchange] of exchanges) {
      if (socket.destroyed || exchange.response.destroyed) {
        exchanges.delete(socket);
        continue;
      }
      // A finished request may have lost its socket.
      const bytes = exchange.socket.bytesWritten;
      const isWaiting = exchange.response.headersSent && exchange.response.writableLength > 0;
      if (!isWaiting || exchange.taken?.bytes !== bytes) exchange.taken = { bytes, since: now };
      else if (now - exchange.taken.since > times.silence) socket.destroy();
    }
  }

  /** For Node a connection that has not sent anything yet is not idle. */
  function endUnused(): void {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }

  function answerAny(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of headers) response.setHeader(name, value);
    follow(request, response);
    if (request.headers.host === undefined && request.httpVersion === '1.1') return cut(request.socket, 400);
    if (retired) response.setHeader('connection', 'close');
    if (waitingFor !== undefined && pathOf(request) === '/readyz')
      return answer(response, 503, { [waitingFor]: 'down' });
    if (app) return app.routing(request, response);
    refuseUntilStarted(request, response);
  }

  const server = createServer(
    {
      // A file may take as long as its bytes move: `follow` and the silence of a connection end the rest.
      requestTimeout: 0,
      headersTimeout: times.headers,
      connectionsCheckingInterval: times.headers / 5,
      // It outlives the connection of whoever calls through it.
      keepAliveTimeout: keepAliveMs,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    answerAny,
  );
  server.on('checkExpectation', answerAny);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', (error: ParserError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else cut(socket, statusOfParserError(error), methodOfParserError(error));
  });
  server.setTimeout(times.silence, (socket: Socket) => {
    const exchange = underWay(socket);
    if (!exchange) return void socket.destroy();
    // A client that has sent everything waits for the answer, or reads it.
    if (!exchange.request.complete) cut(socket, 408);
  });
  limitConnections(server, connections);
  const looking = setInterval(endStalledReaders, times.silence / 4);
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
      for (const { request } of exchanges.values()) request.emit(endOfFront);
      // Connections are kept alive for a next request; a transfer that takes too long is cut, and its client resumes it.
      const timer = setInterval(() => {
        const passed = performance.now() - begun;
        if (passed > closeWithinMs) server.closeAllConnections();
        else server.closeIdleConnections();
        if (passed > unusedMs) endUnused();
      }, lookEveryMs);
      await closed;
      clearInterval(timer);
      clearInterval(looking);
    },
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

function refuseUntilStarted(request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request);
  request.resume();
  if (path === '/healthz') return answer(response, 200, undefined);
  if (path === '/readyz') return answer(response, 503, { start: 'down' });
  const requestId = newId();
  const language = languageOf(request.headers['accept-language']);
  for (const [name, value] of [...apiHeaders, ['x-request-id', requestId] as const])
    response.setHeader(name, value);
  send(response, 503, errorBody({ code: 'E50301' }, { language, requestId }));
}

function answer(
  response: ServerResponse,
  status: 200 | 503,
  checks: Record<string, 'down'> | undefined,
): void {
  response.setHeader('cache-control', 'no-store');
  send(response, status, { status: status === 200 ? 'ok' : 'down', ...(checks && { checks }) });
}

function send(response: ServerResponse, status: 200 | 503, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
