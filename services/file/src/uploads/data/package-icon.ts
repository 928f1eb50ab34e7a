import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limits } from '@portal/contracts';
import type { ObjectStorage } from '@portal/storage';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { iconName, isIcon } from '../domain/icon.ts';

/** A directory of more entries is not searched to its end. */
const mostEntries = 100_000;
/** Bytes fetched at once: a directory is read in many small steps. */
const windowSize = 256 * 1024;

/**
 * The icon of a package: `icon.png` at the root of a ZIP, read from the store without fetching the rest. Undefined where
 * there is none, or where the package is no ZIP, is damaged or is made to do harm. Rejects only when the store fails.
 */
export async function readIcon(
  storage: ObjectStorage,
  object: { key: string; size: number },
): Promise<Buffer | undefined> {
  const reader = new ObjectReader(storage, object);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, object.size, {
      autoClose: false,
      decodeStrings: false,
    });
    let seen = 0;
    for await (const entry of zip.eachEntry()) {
      seen += 1;
      if (seen > mostEntries) return undefined;
      if (!entry.fileNameRaw.equals(Buffer.from(iconName))) continue;
      if (!isSmall(entry)) return undefined;
      // It is cut off where it inflates to more than the directory says.
      const bytes = await buffer(await zip.openReadStreamPromise(entry));
      return isIcon(bytes) ? bytes : undefined;
    }
    return undefined;
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure;
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function isSmall({ compressedSize, uncompressedSize }: Entry): boolean {
  return uncompressedSize <= limits.maxIconSize && compressedSize <= limits.maxIconSize;
}

/** Lets the ZIP reader jump about in an object of the store. */
class ObjectReader extends RandomAccessReader {
  /** Why the store could not be read: unlike a damaged package, something to try again. */
  failure: Error | undefined;
  readonly #storage: ObjectStorage;
  readonly #object: { readonly key: string; readonly size: number };
  #window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(storage: ObjectStorage, object: { key: string; size: number }) {
    super();
    this.#storage = storage;
    this.#object = object;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytesAt(position, length).then(
      (bytes) => {
        bytes.copy(target, offset);
        callback(bytes.length < length ? new Error('The package ends too soon') : null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = this.#bytesAt(start, end - start);
    return Readable.from(
      (async function* () {
        yield await bytes;
      })(),
    );
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window;
    if (position < start || position + length > start + bytes.length) {
      this.#window = { start: position, bytes: await this.#fetch(position, Math.max(length, windowSize)) };
    }
    const from = position - this.#window.start;
    return this.#window.bytes.subarray(from, from + length);
  }

  async #fetch(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.#object.size) - 1;
    if (position < 0 || end < position) return Buffer.alloc(0);
    try {
      const content = await this.#storage.get(this.#object.key, { range: { start: position, end } });
      if (content === undefined || content === 'not-modified') throw new Error('The package is gone');
      return await buffer(content.body);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error('The store failed', { cause: error });
      throw this.failure;
    }
  }
}
