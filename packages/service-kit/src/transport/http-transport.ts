import { methods } from '@portal/contracts';
import { AppError, isUnavailable } from '@portal/kernel';
import { Agent, request } from 'undici';
import type { PeerTransport } from '../peers.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { lostConnection, neverConnected } from './lost-connection.ts';

const connectWithinMs = 1_000;
const failuresBeforeOpen = 5;
const openMs = 1_000;
/**
 * Idle connections are closed before a stopping process closes them, and each connection is replaced after a while, so
 * that instances that were added get their share.
 */
const connections = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 4_000, maxRequestsPerClient: 1_000 };

/**
 * Reaches services over HTTP. A request that lost its connection and cannot have taken effect (a GET, or one that was never
 * connected) is sent a second time; a service that does not answer is `E50301`, and after five times in a row at once, until it answers again.
 */
export function createHttpTransport(options: {
  /** The origin of a service, without a trailing slash. */
  originOf: (service: string) => string;
  /** How long a service may take for the headers of its answer, and between two chunks of it. */
  answerWithinMs?: number;
}): PeerTransport & { close(): Promise<void> } {
  const { answerWithinMs = 10_000, originOf } = options;
  const agent = new Agent({
    connect: { timeout: connectWithinMs },
    headersTimeout: answerWithinMs,
    bodyTimeout: answerWithinMs,
    ...connections,
  });
  const circuits = new Map<string, Circuit>();

  function circuitOf(service: string): Circuit {
    const circuit =
      circuits.get(service) ?? createCircuit({ failures: failuresBeforeOpen, openMs, isAway: isUnavailable });
    circuits.set(service, circuit);
    return circuit;
  }

  async function send(
    service: string,
    message: Parameters<PeerTransport['request']>[1],
  ): Promise<{ status: number; body: string }> {
    const { body, headers, method, url } = message;
    const reply = await request(`${originOf(service)}${url}`, {
      method: methods.find((one) => one === method) ?? 'GET',
      headers,
      body: body ?? null,
      dispatcher: agent,
    });
    return { status: reply.statusCode, body: await reply.body.text() };
  }

  return {
    request: (service, message) =>
      circuitOf(service).run(async () => {
        try {
          return await send(service, message);
        } catch (error) {
          if (!(message.method === 'GET' ? lostConnection(error) : neverConnected(error))) {
            throw new AppError('E50301', [], { cause: error });
          }
        }
        try {
          return await send(service, message);
        } catch (error) {
          throw new AppError('E50301', [], { cause: error });
        }
      }),
    close: () => agent.close(),
  };
}
