import {
  admits,
  type FieldMessageKey,
  fromWire,
  isErrorCode,
  isFieldMessageKey,
  type RouteContract,
  type RouteReply,
  type RouteRequest,
  toWire,
} from '@portal/contracts';
import { AppError, currentContext, inSpan } from '@portal/kernel';
import { z } from 'zod';
import { callOf } from './telemetry/call-span.ts';

/** How a request reaches another service: inside the process, or over the network. */
export interface PeerTransport {
  /** Rejects with `E50301` when the service cannot be reached. */
  request(
    service: string,
    request: { method: string; url: string; headers: Record<string, string>; body: string | undefined },
  ): Promise<{ status: number; body: string }>;
}

/** Asks other services by their internal contracts. */
export interface Peers {
  call<C extends RouteContract>(contract: C, request: Partial<RouteRequest<C>>): Promise<RouteReply<C>>;
}

const errorReply = z.object({
  code: z.string(),
  errors: z.array(z.object({ field: z.string(), key: z.string().optional() })).default([]),
});

export function createPeers(options: {
  transport: PeerTransport;
  tokenFor: (service: string) => string;
}): Peers {
  const { tokenFor, transport } = options;
  async function send(contract: RouteContract, request: { params?: object; body?: unknown }) {
    const context = currentContext();
    const body =
      contract.body && request.body !== undefined ? toWire(contract.body)(request.body) : undefined;
    const hasBody = body !== undefined;
    const reply = await transport.request(contract.service, {
      method: contract.method,
      url: urlOf(contract, request.params ?? {}),
      headers: {
        accept: 'application/json',
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...(admits(contract, 'internal') ? { authorization: `Bearer ${tokenFor(contract.service)}` } : {}),
        ...(context ? { 'x-request-id': context.requestId } : {}),
        ...(context?.traceparent ? { traceparent: context.traceparent } : {}),
      },
      body: hasBody ? JSON.stringify(body) : undefined,
    });
    const answer: unknown = JSON.parse(reply.body);
    if (reply.status >= 400) throw errorOf(answer);
    return contract.response.parse(fromWire(contract.response)(answer));
  }

  return {
    call: async (contract, request) =>
      inSpan(contract.id, callOf(contract), async () => {
        // The schema is the contract's own.
        return (await send(contract, request)) as RouteReply<typeof contract>;
      }),
  };
}

function urlOf(contract: RouteContract, params: object): string {
  const values = new Map(Object.entries(params));
  return contract.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

/** The error of the other service, passed on to the caller's client. */
function errorOf(answer: unknown): AppError {
  const reply = errorReply.safeParse(answer);
  if (!reply.success || !isErrorCode(reply.data.code)) return new AppError('E50001');
  const fields = reply.data.errors.flatMap(({ field, key }) =>
    key !== undefined && isFieldMessageKey(key) ? [{ field, message: key satisfies FieldMessageKey }] : [],
  );
  return new AppError(reply.data.code, fields);
}
