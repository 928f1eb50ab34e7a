import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { reasons } from './domain/outcomes.ts';
import { createTimeLimits } from './time-limits.ts';

/** Why there is no answer; `message` is one of `reasons`. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface Http2Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Connections of HTTP/2 to one origin. */
export interface Http2Pool {
  /** Sends by POST. Rejects with `NoAnswer`, within the time limit. */
  post(
    call: {
      readonly path: string;
      /** Names and values in turn, which Node takes as they are. */
      readonly headers: readonly string[];
      readonly body: string;
    },
    signal?: AbortSignal,
  ): Promise<Http2Answer>;
  close(): void;
}

interface Connection {
  readonly session: ClientHttp2Session;
  /** Requests without an answer. */
  inFlight: number;
  /** When the last answer came, of `performance.now()`. */
  lastAnswer: number;
}

/** FCM allows 100 streams on a connection: this many connections carry what is in flight at most. */
const mostConnections = 6;
const streamsBeforeSettings = 100;
const mostAnswerBytes = 65_536;

export function createHttp2Pool(options: {
  readonly url: string;
  readonly ca?: string | undefined;
  readonly requestMs: number;
}): Http2Pool {
  const { ca, requestMs, url } = options;
  const connections = new Set<Connection>();
  const limits = createTimeLimits(requestMs);
  let isClosed = false;

  function open(): Connection {
    const session = connect(url, { ...(ca !== undefined && { ca }) });
    const connection = { session, inFlight: 0, lastAnswer: 0 };
    connections.add(connection);
    const forget = () => connections.delete(connection);
    // From here on the server looks at no new stream. Those that it has not begun end with an error, the others go on.
    session.once('goaway', forget);
    session.once('close', forget);
    session.on('error', forget);
    // A connection keeps nobody from ending.
    session.unref();
    return connection;
  }

  /** The one with the fewest requests, or a new one where all are full. */
  function choose(): Connection {
    let best: Connection | undefined;
    for (const connection of connections) {
      if (connection.session.closed || connection.session.destroyed) connections.delete(connection);
      else if (!best || connection.inFlight < best.inFlight) best = connection;
    }
    if (!best) return open();
    const { maxConcurrentStreams = streamsBeforeSettings } = best.session.remoteSettings;
    return best.inFlight >= maxConcurrentStreams && connections.size < mostConnections ? open() : best;
  }

  return {
    async post({ body, headers, path }, signal) {
      if (isClosed || signal?.aborted) throw new NoAnswer(reasons.stopped);
      const connection = choose();
      const begun = performance.now();
      return new Promise<Http2Answer>((resolve, reject) => {
        const { session } = connection;
        const stream = session.request([
          ':method',
          'POST',
          ':path',
          path,
          ...headers,
          'content-length',
          String(Buffer.byteLength(body)),
        ]);
        let status = 0;
        let retryAfter: string | undefined;
        let text = '';
        let isSettled = false;

        connection.inFlight += 1;
        // Only while something is under way.
        if (connection.inFlight === 1) session.ref();
        const settle = () => {
          if (isSettled) return false;
          isSettled = true;
          connection.inFlight -= 1;
          if (connection.inFlight === 0) session.unref();
          ended();
          return true;
        };
        const fail = (reason: string) => {
          if (!settle()) return;
          stream.close(constants.NGHTTP2_CANCEL);
          reject(new NoAnswer(reason));
        };
        const ended = limits.start((reason) => {
          fail(reasons[reason]);
          // Nothing has come on it since: the network has lost it, perhaps.
          if (reason === 'timeout' && connection.lastAnswer < begun) session.destroy();
        }, signal);

        stream.setEncoding('utf8');
        stream.on('response', (answered) => {
          status = answered[':status'] ?? 0;
          const after = answered['retry-after'];
          retryAfter = typeof after === 'string' ? after : undefined;
        });
        stream.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > mostAnswerBytes) fail(reasons.answerTooLong);
        });
        stream.on('end', () => {
          if (status === 0 || stream.rstCode !== constants.NGHTTP2_NO_ERROR)
            return fail(reasons.connectionClosed);
          if (!settle()) return;
          connection.lastAnswer = performance.now();
          resolve({ status, retryAfter, body: text });
        });
        stream.on('error', () => fail(reasons.connectionClosed));
        // Without an end or an error: a stream that is reset without a code, say.
        stream.on('close', () => fail(reasons.connectionClosed));
        stream.end(body);
      });
    },

    close() {
      isClosed = true;
      for (const { session } of connections) session.destroy();
      connections.clear();
    },
  };
}
