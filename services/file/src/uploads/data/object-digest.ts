import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStorage } from '@portal/storage';

export interface Digest {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * Reads an object once. It stays on the event loop: a chunk of 1 MiB keeps it half a millisecond, and sending 2 GiB of
 * chunks to another thread would cost more than it saves. Undefined when the object is not there.
 */
export async function digestObject(
  storage: ObjectStorage,
  key: string,
  signal: AbortSignal,
): Promise<Digest | undefined> {
  const content = await storage.get(key);
  if (content === undefined || content === 'not-modified') return undefined;
  const hash = createHash('sha256');
  await pipeline(
    content.body,
    through(hash),
    async (chunks) => {
      for await (const _ of chunks);
    },
    { signal },
  );
  return { size: content.size, sha256: hash.digest('hex') };
}

/** Gives an object a second key: what stands under `target` then is what the digest is of, whatever comes under `source`. */
export async function copyWithDigest(
  storage: ObjectStorage,
  { source, target }: { source: string; target: string },
  signal: AbortSignal,
): Promise<Digest | undefined> {
  if (storage.link) {
    const linked = await storage.link(source, target);
    if (linked?.sha256 === undefined) return linked && digestObject(storage, target, signal);
    return { size: linked.size, sha256: linked.sha256 };
  }
  const content = await storage.get(source);
  if (content === undefined || content === 'not-modified') return undefined;
  const hash = createHash('sha256');
  const copy = new PassThrough();
  const [stored] = await Promise.all([
    storage.put(target, copy, { size: content.size }).catch((error: unknown) => {
      // Ends the reading as well.
      copy.destroy();
      throw error;
    }),
    pipeline(content.body, through(hash), copy, { signal }),
  ]);
  return { size: stored.size, sha256: hash.digest('hex') };
}

function through(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
