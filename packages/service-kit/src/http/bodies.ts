import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits, type Media } from '@portal/contracts';
import { AppError, runInContext } from '@portal/kernel';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

/** Lets the routes of `scope` accept one kind of body, and no other. */
export function acceptBodies(scope: FastifyInstance, media: Media): void {
  scope.removeAllContentTypeParsers();
  switch (media.kind) {
    case 'json':
      return acceptJson(scope, media);
    case 'form':
      scope.addContentTypeParser([...media.types], { parseAs: 'string' }, (request, body, done) => {
        // A body arrives in the context of its connection.
        inContextOf(request, () => {
          try {
            done(null, fieldsOf(body.toString()));
          } catch (error) {
            done(error as Error);
          }
        });
      });
      return;
    case 'bytes':
      scope.addContentTypeParser([...media.types], (_request, payload, done) => done(null, payload));
      return;
    case 'events':
    case 'nothing':
    case 'redirect':
      throw new Error(`No body is ${media.kind}`);
  }
}

function acceptJson(scope: FastifyInstance, { anyKeys, types }: Extract<Media, { kind: 'json' }>): void {
  const keysOfPrototypes = anyKeys ? 'ignore' : 'error';
  const parse = scope.getDefaultJsonParser(keysOfPrototypes, keysOfPrototypes);
  scope.addContentTypeParser([...types], { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    inContextOf(request, () => {
      const { contract } = request.routeOptions.config;
      // Clients send the content type on calls without a body as well.
      if (text === '') done(null, undefined);
      else if (isDeeperThan(text, contract?.maxDepth ?? limits.maxJsonDepth)) done(new AppError('E40001'));
      else void parse(request, text, done);
    });
  });
}

function inContextOf({ context }: FastifyRequest, work: () => void): void {
  if (context) runInContext(context, work);
  else work();
}

/** Refuses a name that occurs twice: two readers could take different values. */
function fieldsOf(text: string): Record<string, string> {
  const fields = new URLSearchParams(text);
  const values = new Map(fields);
  if (values.size < fields.size) throw new AppError('E40001');
  return Object.fromEntries(values);
}

const code = { quote: 34, bracket: 91, backslash: 92, endOfBracket: 93, brace: 123, endOfBrace: 125 };

/** Whether a JSON text has arrays and objects within each other beyond so many levels: told before it is parsed. */
function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === code.quote) isInString = !isInString;
    else if (character === code.backslash) at += 1;
    else if (isInString) continue;
    else if (character === code.brace || character === code.bracket) depth += 1;
    else if (character === code.endOfBrace || character === code.endOfBracket) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** The chunks of a body; the reader may stop at any time. */
export async function* readBody(body: Readable): AsyncGenerator<Uint8Array> {
  // Destroying the body would close the connection before the answer is sent.
  const chunks = body.iterator({ destroyOnReturn: false });
  try {
    while (true) {
      const next = await chunks.next().catch((error: unknown) => {
        // The connection is broken: there is no client to answer.
        throw new AppError('E40001', [], { cause: error });
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // The rest, which nobody reads, can then be discarded.
    await chunks.return?.();
  }
}

/** Up to `most` bytes in all; more is refused. */
export async function* bounded(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > most) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    yield chunk;
  }
}

/**
 * What a compressed body holds, as it comes: no more of either is in memory than a chunk. What is no gzip is refused. Each chunk is inflated
 * before the next one is asked for, so that a reader who stops does not wait for the sender.
 */
export async function* inflated(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  let failure: Error | undefined;
  let hasEnded = false;
  let wake = () => {};
  gunzip.on('readable', () => wake());
  gunzip.on('end', () => {
    hasEnded = true;
    wake();
  });
  gunzip.on('error', (error) => {
    failure = error;
    wake();
  });
  async function* outputUntil(isOver: () => boolean): AsyncGenerator<Uint8Array> {
    while (true) {
      const chunk: Uint8Array | null = gunzip.read();
      if (chunk !== null) yield chunk;
      else if (failure) throw new AppError('E40001', [], { cause: failure });
      else if (isOver()) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  try {
    for await (const chunk of content) {
      let isInflated = false;
      gunzip.write(chunk, () => {
        isInflated = true;
        wake();
      });
      yield* outputUntil(() => isInflated);
    }
    gunzip.end();
    yield* outputUntil(() => hasEnded);
  } finally {
    gunzip.destroy();
  }
}
