import type { Readable } from 'node:stream';
import { limits, type Media } from '@portal/contracts';
import { AppError, runInContext } from '@portal/kernel';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

/** Lets the routes of `scope` accept one kind of body, and no other. */
export function acceptBodies(scope: FastifyInstance, media: Media): void {
  scope.removeAllContentTypeParsers();
  switch (media.kind) {
    case 'json':
      return acceptJson(scope, media.types);
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

function acceptJson(scope: FastifyInstance, types: readonly string[]): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
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

/** The chunks of a body, up to `most` bytes in all; the reader may stop at any time. */
export async function* boundedBytes(body: Readable, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // Destroying the body would close the connection before the answer is sent.
  const chunks = body.iterator({ destroyOnReturn: false });
  try {
    while (true) {
      const next = await chunks.next().catch((error: unknown) => {
        // The connection is broken: there is no client to answer.
        throw new AppError('E40001', [], { cause: error });
      });
      if (next.done) return;
      const chunk: Uint8Array = next.value;
      bytes += chunk.length;
      if (bytes > most) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
      yield chunk;
    }
  } finally {
    // The rest, which nobody reads, can then be discarded.
    await chunks.return?.();
  }
}
