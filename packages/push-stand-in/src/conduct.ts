import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Writable } from 'node:stream';

/** What a server does with a notification instead of taking it. */
export type Conduct =
  /** Refuses it in the words of its protocol. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly reason: string;
      readonly retryAfter?: string;
      /** When the token ended, in ms, which APNs tells with 410. */
      readonly timestamp?: number;
    }
  /** Answers something that is not of its protocol, as a proxy in between does. */
  | { readonly kind: 'text'; readonly status: number; readonly body: string; readonly retryAfter?: string }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Answers with a body that does not end. */
  | { readonly kind: 'endless' }
  /** Answers one byte after the other, without an end. */
  | { readonly kind: 'drip' }
  /** Resets the stream. */
  | { readonly kind: 'reset' }
  /** Closes the connection without a word. */
  | { readonly kind: 'drop' }
  /** Announces the connection's end by GOAWAY: neither this stream nor later ones are looked at. */
  | { readonly kind: 'goaway' };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where one answer goes. */
export interface Wire {
  readonly body: Writable;
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  /** Breaks off this answer alone. */
  reset(): void;
  /** Breaks off the connection. */
  drop(): void;
  goAway(): void;
}

const chunk = Buffer.alloc(65_536, ' ');
const dripMs = 50;

export function send(wire: Wire, { body, headers, status }: Answer): void {
  wire.begin(status, headers);
  wire.body.end(body);
}

export function misbehave(wire: Wire, conduct: Exclude<Conduct, { kind: 'refuse' }>): void {
  switch (conduct.kind) {
    case 'text': {
      const { body, retryAfter, status } = conduct;
      const headers = {
        'content-type': 'text/html',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      };
      return send(wire, { status, headers, body });
    }
    case 'hang':
      return;
    case 'endless':
      wire.begin(200, {});
      return pour(wire.body);
    case 'drip':
      wire.begin(200, {});
      return drip(wire.body);
    case 'reset':
      return wire.reset();
    case 'drop':
      return wire.drop();
    case 'goaway':
      return wire.goAway();
  }
}

function pour(body: Writable): void {
  const more = () => {
    while (!body.destroyed && body.write(chunk));
  };
  body.on('drain', more);
  more();
}

function drip(body: Writable): void {
  const timer = setInterval(() => body.write(' '), dripMs);
  body.once('close', () => clearInterval(timer));
}

/** A stream of HTTP/2. */
export function streamWire(stream: ServerHttp2Stream): Wire {
  const { session } = stream;
  return {
    body: stream,
    begin: (status, headers) => stream.respond({ ...headers, ':status': status }),
    reset: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    drop: () => session?.destroy(),
    goAway() {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      if (!session || session.closed) return;
      session.goaway(constants.NGHTTP2_NO_ERROR, Math.max((stream.id ?? 0) - 2, 0));
      session.close();
    },
  };
}
