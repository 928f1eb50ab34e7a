import type { Hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal, finished, type Readable, Writable } from 'node:stream';
import type { ObjectInfo } from '../object-storage.ts';
import { StorageError } from '../storage-error.ts';

/** Bytes moved by one call to the disk. Larger gained nothing when measured, smaller cost a third of the speed. */
export const ioChunkBytes = 1024 * 1024;

export const fileMode = 0o600;
const directoryMode = 0o700;

/**
 * Writes `body` at `offset`, at most `limit` bytes; a longer body is cut before its excess reaches the disk. Gives
 * the bytes written; `hash` gets them all. When it fails the body is left as it is: the sender may still be owed an answer. The handle
 * stays open, and nothing writes to it any more once it has been closed.
 */
export async function writeBody(
  handle: FileHandle,
  body: Readable,
  options: { offset: number; limit: number; hash?: Hash | undefined; signal?: AbortSignal },
): Promise<number> {
  const sink = new DiskSink(handle, options);
  if (options.signal) addAbortSignal(options.signal, sink);
  const forget = finished(body, { writable: false }, (error) => {
    if (error) sink.destroy(error);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      finished(sink, (error) => (error ? reject(error) : resolve()));
      body.pipe(sink);
    });
  } finally {
    forget();
    body.unpipe(sink);
  }
  return sink.written;
}

/** Gathers what arrives while one write is under way into the next one: the network never waits for small writes. */
class DiskSink extends Writable {
  written = 0;
  readonly #handle: FileHandle;
  readonly #offset: number;
  readonly #limit: number;
  readonly #hash: Hash | undefined;

  constructor(
    handle: FileHandle,
    { hash, limit, offset }: { offset: number; limit: number; hash?: Hash | undefined },
  ) {
    super({ highWaterMark: ioChunkBytes });
    this.#handle = handle;
    this.#offset = offset;
    this.#limit = limit;
    this.#hash = hash;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#store([chunk]).then(() => done(), done);
  }

  override _writev(items: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#store(items.map((item) => item.chunk)).then(() => done(), done);
  }

  async #store(chunks: Buffer[]): Promise<void> {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (this.written + size > this.#limit)
      throw new StorageError('too-large', `more than ${this.#limit} bytes`);
    const position = this.#offset + this.written;
    const writing = this.#handle.writev(chunks, position);
    // Beside the write, which another thread does.
    for (const chunk of chunks) this.#hash?.update(chunk);
    const { bytesWritten } = await writing;
    // A short write is rare; the next one tells the reason, such as a full disk.
    if (bytesWritten < size) {
      await writeFully(this.#handle, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten);
    }
    this.written += size;
  }
}

async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

/** The ETag comes from the file itself, so that it costs no pass over the bytes and no second file. */
export function infoOf(stat: BigIntStats): ObjectInfo {
  const etag = [stat.mtimeNs, stat.ino, stat.size].map((part) => part.toString(36)).join('-');
  return { size: Number(stat.size), etag: `"${etag}"`, lastModified: stat.mtime };
}

/** Makes `path` and what is missing above it, so that they outlive a power cut. */
export async function makeDirectory(path: string): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true, mode: directoryMode });
  if (firstMade === undefined) return;
  for (let made = path; made.length >= firstMade.length; made = dirname(made))
    await syncDirectory(dirname(made));
}

/** A rename is durable only when its directory is. Windows has no such call and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
