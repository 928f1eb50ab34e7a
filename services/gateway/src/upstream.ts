import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteContract } from '@portal/contracts';
import type { AppError } from '@portal/kernel';

/** Hands a request over to the service of a route, which answers it itself. Bodies are never held here. */
export interface Upstream {
  forward(
    contract: RouteContract,
    request: IncomingMessage,
    response: ServerResponse,
    /** Answers in place of a service that is away. */
    refuse: (error: AppError) => void,
  ): void;
}
