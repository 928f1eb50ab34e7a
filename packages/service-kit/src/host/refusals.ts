import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Language } from '@portal/contracts';
import { newId } from '@portal/kernel';
import { errorBody } from '../http/error-reply.ts';
import { apiHeaders } from '../http/headers.ts';

/** How long what a refused client still sends is read and thrown away, so that it gets to read the answer. */
const lingerMs = 1_000;

export type RefusalStatus = 400 | 408 | 413 | 431;

/** Answers on connections where no request can be answered any more, in the form of every other error, and ends them. */
export function createRefusals(headers: readonly (readonly [string, string])[]) {
  const refused = new WeakSet<Duplex>();

  return (socket: Duplex, status: RefusalStatus, language: Language): void => {
    // What comes after is read by the same parser, which fails again.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable) return void socket.destroy();
    const requestId = newId();
    const body = JSON.stringify(errorBody({ code: 'E40001' }, { language, requestId }));
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
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    const ending = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(ending));
  };
}

/** What the HTTP parser found, or that it waited too long for it. */
export function statusOfParserError(code: string | undefined): RefusalStatus {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    default:
      return 400;
  }
}
