import { createHash } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@portal/kernel';
import { assertObjectKey } from '../object-key.ts';
import type { ByteRange, HashedObject, ObjectContent, ObjectInfo, ObjectStorage } from '../object-storage.ts';
import { productUrls } from '../product-urls.ts';
import { StorageError } from '../storage-error.ts';
import type { UrlSigner } from '../url-signer.ts';
import {
  fileMode,
  infoOf,
  ioChunkBytes,
  isMissing,
  makeDirectory,
  syncDirectory,
  writeBody,
} from './disk-files.ts';
import { createLocalDiskMultipart } from './local-disk-multipart.ts';
import { sendFile } from './send-file.ts';
import { newStampedName, stampOf } from './stamped-name.ts';

/** Each is wanted a moment later, when its upload is completed; 200 bytes each. */
const hashesKept = 1_000;

/**
 * Objects as files below `directory`, which one process at a time may use:
 * `objects/<key>` (the last segment after an `@`, so that `a` and `a/b` may both exist), `incoming/` for single PUTs
 * under way and `multipart/` for uploads in parts. What was acknowledged survives a power cut.
 */
export async function createLocalDiskStorage(options: {
  directory: string;
  clock: Clock;
  signer: UrlSigner;
}): Promise<ObjectStorage> {
  const objects = join(options.directory, 'objects');
  const incoming = join(options.directory, 'incoming');
  const uploads = join(options.directory, 'multipart');
  for (const directory of [objects, incoming, uploads]) await makeDirectory(directory);

  function fileOf(key: string): string {
    assertObjectKey(key);
    const segments = key.split('/');
    return join(objects, ...segments.slice(0, -1), `@${segments.at(-1)}`);
  }

  /** Makes folders or tidies them away, one caller at a time: a new object must not lose its folder in between. */
  let folderWork: Promise<unknown> = Promise.resolve();
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = folderWork.then(work);
    folderWork = result.catch(() => {});
    return result;
  }

  /** Has `work` put a file at `target`, in a folder that is there, so that it outlives a power cut. */
  async function place(target: string, work: () => Promise<void>): Promise<void> {
    const folder = dirname(target);
    await alone(async () => {
      await makeDirectory(folder);
      await work();
      await syncDirectory(folder);
    });
  }

  async function publish(file: string, key: string): Promise<ObjectInfo> {
    const target = fileOf(key);
    const info = infoOf(await stat(file, { bigint: true }));
    await place(target, () => rename(file, target));
    return info;
  }

  async function headOf(key: string): Promise<ObjectInfo | undefined> {
    try {
      return infoOf(await stat(fileOf(key), { bigint: true }));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Of the latest that were stored with `hash`, by ETag, which tells one content from another. */
  const hashes = new Map<string, string>();
  function keepHash({ etag }: ObjectInfo, sha256: string): void {
    hashes.set(etag, sha256);
    const [oldest] = hashes.keys();
    if (hashes.size > hashesKept && oldest !== undefined) hashes.delete(oldest);
  }

  /** A file is never written to once it is an object: another name for it is as good as a copy. */
  async function linkObject(source: string, target: string): Promise<HashedObject | undefined> {
    const file = fileOf(target);
    try {
      await place(file, () => link(fileOf(source), file));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const info = infoOf(await stat(file, { bigint: true }));
    const sha256 = hashes.get(info.etag);
    return sha256 === undefined ? info : { ...info, sha256 };
  }

  const multipart = createLocalDiskMultipart({ directory: uploads, clock: options.clock, publish });

  return {
    async put(key, body, { hash: isHashed = false, maxSize = Number.MAX_SAFE_INTEGER, size } = {}) {
      const file = join(incoming, newStampedName(options.clock));
      const hash = isHashed ? createHash('sha256') : undefined;
      try {
        assertObjectKey(key);
        const handle = await open(file, 'wx', fileMode);
        try {
          const limit = Math.min(maxSize, size ?? maxSize);
          const written = await writeBody(handle, body, { offset: 0, limit, hash });
          if (written < (size ?? 0)) throw new StorageError('wrong-size', `${written} of ${size} bytes`);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        const info = await publish(file, key);
        if (hash) keepHash(info, hash.digest('hex'));
        else hashes.delete(info.etag);
        return info;
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },

    head: headOf,

    async get(key, { range, ifNoneMatch } = {}) {
      let handle: FileHandle;
      try {
        handle = await open(fileOf(key), 'r');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
      try {
        const info = infoOf(await handle.stat({ bigint: true }));
        if (info.etag === ifNoneMatch) {
          await handle.close();
          return 'not-modified';
        }
        const bytes = range ? withinObject(range, info.size) : undefined;
        return { ...info, ...(bytes ? { range: bytes } : {}), ...contentOf(handle, bytes, info.size) };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async delete(key) {
      const file = fileOf(key);
      await alone(async () => {
        await rm(file, { force: true });
        for (let folder = dirname(file); folder !== objects; folder = dirname(folder)) {
          // Fails where other objects live, and is tried on where the folder is gone already.
          const tidied = await rmdir(folder).then(() => true, isMissing);
          if (!tidied) return;
        }
      });
    },

    async createMultipart(key, sizes) {
      assertObjectKey(key);
      return multipart.create(key, sizes);
    },
    putPart: multipart.putPart,
    listParts: multipart.listParts,
    completeMultipart: multipart.complete,
    abortMultipart: multipart.abort,

    async sweepOrphans({ except, olderThan }) {
      const isOrphan = (name: string) => (stampOf(name) ?? Number.POSITIVE_INFINITY) < olderThan.getTime();
      const files = (await readdir(incoming)).filter(isOrphan);
      for (const file of files) await rm(join(incoming, file), { force: true });
      const abandoned = (await readdir(uploads)).filter((name) => isOrphan(name) && !except?.has(name));
      for (const uploadId of abandoned) await multipart.remove(uploadId);
      return files.length + abandoned.length;
    },

    ...((await hasLinks(incoming)) && { link: linkObject }),
    ...productUrls(options.signer),
  };
}

/** Whether files there can have two names: on some file systems, such as those of memory cards, they cannot. */
async function hasLinks(directory: string): Promise<boolean> {
  const [one, other] = [join(directory, 'link'), join(directory, 'linked')];
  try {
    await rm(other, { force: true });
    await writeFile(one, '');
    await link(one, other);
    return true;
  } catch {
    return false;
  } finally {
    await rm(one, { force: true });
    await rm(other, { force: true });
  }
}

/** The two ways to the bytes of an open file, which is closed at the end of either. */
function contentOf(
  handle: FileHandle,
  bytes: Required<ByteRange> | undefined,
  size: number,
): Pick<ObjectContent, 'body' | 'sendTo'> {
  // A stream cannot end before its first byte: an empty object is read from 0 to the end.
  const body = handle.createReadStream({ start: 0, ...bytes, highWaterMark: ioChunkBytes });
  return {
    body,
    async sendTo(response) {
      try {
        await sendFile(handle, bytes ?? { start: 0, end: size - 1 }, response);
      } finally {
        body.destroy();
      }
    },
  };
}

function withinObject({ start, end }: ByteRange, size: number): Required<ByteRange> {
  const last = Math.min(end ?? size - 1, size - 1);
  if (start < 0 || start > last)
    throw new StorageError('bad-range', `${start}-${end ?? ''} of ${size} bytes`);
  return { start, end: last };
}
