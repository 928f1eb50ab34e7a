import { finished, type Readable, Transform, type TransformCallback } from 'node:stream';
import { StorageError } from '../storage-error.ts';

/** A checksum that comes after a streamed body, so that no store takes one that was cut off for a whole one; some would. */
export const withChecksum = { ChecksumAlgorithm: 'CRC32' } as const;

/**
 * Streams `body` to `send`, which must stop at `signal`. A body that fails or is not of `size` bytes never ends there,
 * so that the store keeps nothing of it. `body` is left as it is.
 */
export async function sendSized<T>(
  body: Readable,
  size: number,
  send: (stream: Readable, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    stop.abort();
  };
  const stream = new SizedStream(size, fail);
  const forget = finished(body, { writable: false }, (error) => {
    if (error) fail(error);
  });
  body.pipe(stream);
  try {
    return await send(stream, stop.signal);
  } catch (error) {
    throw failure ?? error;
  } finally {
    forget();
    body.unpipe(stream);
    stream.destroy();
  }
}

/** S3 refuses a streamed body whose chunks are smaller, but for the last. The SDK's own buffer knows no backpressure. */
const leastChunkBytes = 8 * 1024;

/**
 * Gathers chunks to `leastChunkBytes`, and holds the last one back until it is known to be the last: a body that is too long
 * must not look complete. One of the wrong size never ends; an error of the stream itself would reach nobody inside the SDK.
 */
class SizedStream extends Transform {
  readonly #size: number;
  readonly #fail: (error: StorageError) => void;
  #arrived = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(size: number, fail: (error: StorageError) => void) {
    super();
    this.#size = size;
    this.#fail = fail;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#arrived += chunk.length;
    if (this.#arrived > this.#size) {
      this.#fail(new StorageError('too-large', `more than ${this.#size} bytes`));
      return;
    }
    if (this.#heldBytes >= leastChunkBytes) this.#release();
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#arrived < this.#size) {
      this.#fail(new StorageError('wrong-size', `${this.#arrived} of ${this.#size} bytes`));
      return;
    }
    if (this.#heldBytes > 0) this.#release();
    done();
  }

  #release(): void {
    this.push(this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held));
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** The bytes of a body in pieces of `pieceSize` but for the last, at least one, possibly empty. */
export async function* piecesOf(
  body: Readable,
  { least, most, pieceSize }: { least: number; most: number; pieceSize: number },
): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let gathered = 0;
  let arrived = 0;
  // The body is left as it is when its reader stops early.
  for await (const read of body.iterator({ destroyOnReturn: false })) {
    const chunk: Buffer = Buffer.isBuffer(read) ? read : Buffer.from(read);
    arrived += chunk.length;
    if (arrived > most) throw new StorageError('too-large', `more than ${most} bytes`);
    chunks.push(chunk);
    gathered += chunk.length;
    if (gathered < pieceSize) continue;
    const bytes = Buffer.concat(chunks);
    let at = 0;
    for (; bytes.length - at > pieceSize; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
    chunks = [bytes.subarray(at)];
    gathered = bytes.length - at;
  }
  if (arrived < least) throw new StorageError('wrong-size', `${arrived} of ${least} bytes`);
  yield Buffer.concat(chunks);
}
