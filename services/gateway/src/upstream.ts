import type { IncomingMessage, ServerResponse } from 'node:http';

/** Hands a request over to a service, which answers it itself. Bodies are never held here. */
export interface Upstream {
  forward(service: string, request: IncomingMessage, response: ServerResponse): void;
}
