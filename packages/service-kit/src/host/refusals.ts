import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Language } from '@portal/contracts';
import { newId } from '@portal/kernel';
import { errorBody } from '../http/error-reply.ts';
import { apiHeaders } from '../http/headers.ts';

/** How long to read and discard what a refused client still sends, so that it can read the answer. */
const lingerMs = 1_000;

export type RefusalStatus = 400 | 404 | 408 | 413 | 431;

/** Answers on connections where no request can be answered any more, in the form of every other error, and ends them. */
export function createRefusals(headers: readonly (readonly [string, string])[]) {
  const refused = new WeakSet<Duplex>();

  /** `method` of what is refused, where it is known: the answer to a HEAD has no body. */
  return (socket: Duplex, status: RefusalStatus, language: Language, method?: string): void => {
    // What comes after is read by the same parser, which fails again.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable) return void socket.destroy();
    const requestId = newId();
    const body = JSON.stringify(
      errorBody({ code: status === 404 ? 'E40401' : 'E40001' }, { language, requestId }),
    );
    const all = [
      ...headers,
      ...apiHeaders.filter(([name]) => headers.every(([other]) => other !== name)),
      ['content-type', 'application/json; charset=utf-8'],
      ['content-length', Buffer.byteLength(body)],
      ['x-request-id', requestId],
      ['connection', 'close'],
    ];
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...all.map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`);
    const ending = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(ending));
  };
}

/** A request line whose method nobody knows, among which may be one that came after this product. */
const requestLine = /^[A-Z]{1,32} \S{1,500} HTTP\/1\.[01]\r?\n/;

/** What the HTTP parser found, or that it waited too long for it. */
export function statusOfParserError({ code, rawPacket }: ParserError): RefusalStatus {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'HPE_INVALID_METHOD':
      return requestLine.test(rawPacket?.toString('latin1', 0, 600) ?? '') ? 404 : 400;
    default:
      return 400;
  }
}

/** The method of the request that could not be read, if its beginning came with what is wrong. */
export const methodOfParserError = ({ rawPacket }: ParserError): string | undefined =>
  /^[A-Z]{1,32}(?= )/.exec(rawPacket?.toString('latin1', 0, 33) ?? '')?.[0];

export interface ParserError extends Error {
  readonly code?: string | undefined;
  /** What was being read. */
  readonly rawPacket?: Buffer | undefined;
}
