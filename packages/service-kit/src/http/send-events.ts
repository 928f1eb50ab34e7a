import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { type EventsOut, limits, type Media, toWire } from '@portal/contracts';
import type { Logger } from '@portal/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endOfFront } from './stream-signals.ts';

/** How often the session of a stream is looked at where nothing happens. */
const sessionCheckMs = 2_000;
/** A comment, which clients pass over. */
const heartbeat = ':\n\n';

/**
 * Server-sent events for as long as the session lasts and its role stays: who comes again sees what the new one may. A reader that
 * does not keep up holds back its own stream alone: nothing waits for it here beyond one buffer, and the front ends a connection
 * that takes nothing for a minute.
 */
export function sendEvents(
  { follow }: EventsOut<unknown>,
  { data: schema, event, types }: Extract<Media, { kind: 'events' }>,
  exchange: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly logger: Logger;
    readonly assertLive: () => Promise<void>;
  },
): Readable {
  const { assertLive, logger, reply, request } = exchange;
  const convert = toWire(schema);
  const over = new AbortController();
  const stream = new PassThrough();
  const end = () => {
    over.abort();
    stream.end();
  };

  const isLive = async () =>
    assertLive().then(
      () => true,
      () => false,
    );

  async function send(): Promise<void> {
    for await (const { data, id } of follow(over.signal)) {
      // It may have come since the last look at the session.
      if (!(await isLive()) || over.signal.aborted) return;
      const text = JSON.stringify(convert(schema.parse(data)));
      if (!stream.write(`event: ${event}\nid: ${id}\ndata: ${text}\n\n`)) {
        await once(stream, 'drain', { signal: over.signal });
      }
    }
  }

  reply.header('content-type', types[0]).header('x-accel-buffering', 'no');
  // Sends the headers.
  stream.write(heartbeat);
  const beating = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(heartbeat);
  }, limits.streamHeartbeat);
  const checking = setInterval(() => void assertLive().catch(end), sessionCheckMs);
  request.raw.once(endOfFront, end);
  // Also when the client is gone.
  stream.once('close', () => {
    clearInterval(beating);
    clearInterval(checking);
    request.raw.removeListener(endOfFront, end);
    over.abort();
  });
  send()
    .catch((error: unknown) => {
      if (!over.signal.aborted)
        logger.error({ err: error, requestId: request.id }, 'A stream of events failed');
    })
    .finally(end);
  return stream;
}
