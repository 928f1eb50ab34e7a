import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type BytesOut,
  type EventsOut,
  isVerbatim,
  mediaOf,
  type RouteContract,
  toWire,
} from '@portal/contracts';
import type { Logger } from '@portal/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answer, HtmlPage, type PageOptions, WrittenJson } from './answer.ts';
import { headerOf } from './headers.ts';
import { sendEvents } from './send-events.ts';
import { namesVersion, tagOf } from './versions.ts';

/** Pages of a service are text with styles of their own, and mails in frames, which get the same policy. */
function policyOf({ formTo, script }: PageOptions): string {
  const hash = script === undefined ? undefined : createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    ...(hash === undefined ? [] : [`script-src 'sha256-${hash}'`]),
    "base-uri 'none'",
    // Browsers hold the places to which an answer to the form redirects to the same list.
    `form-action ${formTo === undefined ? "'none'" : `https: ${formTo}`}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** An answer, checked and with the names of the wire. */
export interface WrittenAnswer {
  readonly status: number;
  readonly version: string | null;
  /** Where what was made is found. */
  readonly location?: string | undefined;
  readonly body: unknown;
}

/** Checks a handler's answer against the contract. Streams and written JSON are not read, so their content is not checked. */
export function writeAnswer(contract: RouteContract, answer: unknown): WrittenAnswer {
  if (answer instanceof HtmlPage) return { status: contract.status, version: null, body: answer };
  const { location, status, value, version }: Answer =
    answer instanceof Answer ? answer : new Answer(contract.status, answer);
  const schema = contract.replies[status];
  if (!schema) throw new Error(`${contract.id} declares no answer with ${status}`);
  if (value instanceof WrittenJson && !isVerbatim(schema))
    throw new Error(`${contract.id} has names of ours`);
  const isStream = ['bytes', 'events'].includes(mediaOf(schema).kind);
  return {
    status,
    version: version ?? null,
    ...(location !== undefined && { location }),
    body: isStream || value instanceof WrittenJson ? value : toWire(schema)(schema.parse(value)),
  };
}

/** Whether all answers of a route can be stored and sent a second time. */
export const canBeKept = ({ replies }: RouteContract): boolean =>
  Object.values(replies).every((schema) => ['json', 'nothing'].includes(mediaOf(schema).kind));

/** @returns what Fastify sends */
export function sendAnswer(
  contract: RouteContract,
  { body, location, status, version }: WrittenAnswer,
  exchange: {
    request: FastifyRequest;
    reply: FastifyReply;
    logger: Logger;
    /** Rejects once the session of the caller has ended, they may not make this call any more, or their role is another one. */
    assertLive: () => Promise<void>;
  },
): unknown {
  const { reply, request } = exchange;
  if (body instanceof HtmlPage) {
    reply.type('text/html; charset=utf-8').header('content-security-policy', policyOf(body.options));
    return body.html;
  }
  reply.status(status);
  if (location !== undefined) reply.header('location', new URL(location).href);
  if (version !== null) {
    reply.header('etag', tagOf(version));
    const known = contract.method === 'GET' && headerOf(request, 'if-none-match');
    if (known && namesVersion(known, version)) return reply.status(304).send();
  }
  const media = mediaOf(contract.replies[status as keyof typeof contract.replies] ?? contract.response);
  switch (media.kind) {
    case 'nothing':
      return reply.send();
    case 'redirect':
      return reply.header('location', new URL(String(body)).href).send();
    case 'bytes':
      return sendBytes(body as BytesOut<string>, media.types[0], exchange);
    case 'events':
      return sendEvents(body as EventsOut<unknown>, media, exchange);
    default: {
      const [type] = media.types;
      if (body instanceof WrittenJson) return reply.type(`${type}; charset=utf-8`).send(body.text);
      return type === 'application/json' ? body : reply.type(type).send(JSON.stringify(body));
    }
  }
}

function sendBytes(
  { content, fileName, type: given }: BytesOut<string>,
  usual: string,
  { logger, reply, request }: { request: FastifyRequest; reply: FastifyReply; logger: Logger },
): unknown {
  const type = given ?? usual;
  reply.header('content-type', type.startsWith('text/') ? `${type}; charset=utf-8` : type);
  if (fileName !== undefined) {
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
  }
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return Buffer.from(content.buffer, content.byteOffset, content.length);
  const stream = content instanceof Readable ? content : Readable.from(content, { objectMode: false });
  stream.once('error', (error) => {
    // Before the first byte, the error handler answers and logs. After it, Fastify closes the connection, so that no client
    // takes a part for the whole.
    if (reply.raw.headersSent)
      logger.error({ err: error, requestId: request.id }, 'A streamed answer failed');
  });
  return stream;
}
