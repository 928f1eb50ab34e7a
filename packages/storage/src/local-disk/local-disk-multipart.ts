import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Clock, newId } from '@portal/kernel';
import { assertAllParts, assertMultipartSizes, partBounds, partCount } from '../multipart.ts';
import type {
  HashedObject,
  MultipartUpload,
  ObjectInfo,
  PartReference,
  StoredPart,
} from '../object-storage.ts';
import { StorageError } from '../storage-error.ts';
import { fileMode, ioChunkBytes, isMissing, makeDirectory, syncDirectory, writeBody } from './disk-files.ts';
import { createGrowingDigest, type GrowingDigest } from './growing-digest.ts';
import { appendPart, createJournal, type JournalledPart, readJournal } from './part-journal.ts';
import { newStampedName, stampOf } from './stamped-name.ts';

/** What this process is doing with an upload. The rest of the truth is in the journal. */
interface Activity {
  /** Parts whose place in the object is being written or has been: nobody else may write there. */
  readonly placesTaken: Set<number>;
  readonly writers: Map<Promise<StoredPart>, AbortController>;
  /** Of the parts that this process has written at their places: all of them, unless it was started again meanwhile. */
  digest?: GrowingDigest;
  closing: boolean;
}

/**
 * Uploads in parts, each a directory with one sparse file of the whole object and a journal. A part is written at its
 * place in that file, so completing is a rename. A part that is sent again goes to a spare file and is moved to its
 * place on completion: until it has arrived whole, the one acknowledged before it stands. A part is acknowledged when
 * its bytes and its journal line are on the disk.
 */
export function createLocalDiskMultipart(options: {
  directory: string;
  clock: Clock;
  /** Makes the file the object of `key`. */
  publish: (file: string, key: string) => Promise<ObjectInfo>;
}) {
  const activities = new Map<string, Activity>();

  const activityOf = (uploadId: string): Activity => {
    const known = activities.get(uploadId);
    if (known) return known;
    const fresh: Activity = { placesTaken: new Set(), writers: new Map(), closing: false };
    activities.set(uploadId, fresh);
    return fresh;
  };

  const pathsOf = (upload: MultipartUpload) => {
    if (stampOf(upload.uploadId) === undefined)
      throw new StorageError('unknown-upload', 'no id of an upload');
    const directory = join(options.directory, upload.uploadId);
    return { directory, object: join(directory, 'object'), journal: join(directory, 'journal') };
  };

  /** Ends the writers of an upload, so that none writes into what has become an object. */
  async function stopWriters(activity: Activity): Promise<void> {
    activity.closing = true;
    for (const controller of activity.writers.values()) controller.abort();
    await Promise.allSettled(activity.writers.keys());
  }

  async function remove(uploadId: string): Promise<void> {
    // Made even where there is none: a part that comes meanwhile must not begin in what is being removed.
    const activity = activityOf(uploadId);
    await stopWriters(activity);
    try {
      await activity.digest?.stop();
      await rm(join(options.directory, uploadId), { recursive: true, force: true });
    } finally {
      activities.delete(uploadId);
    }
  }

  async function writePart(
    upload: MultipartUpload,
    partNumber: number,
    body: Readable,
    activity: Activity,
    signal: AbortSignal,
  ): Promise<StoredPart> {
    const paths = pathsOf(upload);
    const { offset, size } = partBounds(upload, partNumber);
    const before = (await readJournal(paths.journal, upload)).get(partNumber);
    const inPlace = before === undefined && !activity.placesTaken.has(partNumber);
    const spare = inPlace ? undefined : newId();
    if (inPlace) activity.placesTaken.add(partNumber);
    const file = spare === undefined ? paths.object : join(paths.directory, spare);
    try {
      const handle = await open(file, inPlace ? 'r+' : 'wx', fileMode);
      try {
        const written = await writeBody(handle, body, { offset: inPlace ? offset : 0, limit: size, signal });
        if (written !== size) throw new StorageError('wrong-size', `${written} bytes for a part of ${size}`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      if (spare !== undefined) await syncDirectory(paths.directory);
      signal.throwIfAborted();
      const part: StoredPart = { partNumber, size, etag: `"${randomBytes(16).toString('hex')}"` };
      await appendPart(paths.journal, spare === undefined ? part : { ...part, spare });
      if (before?.spare !== undefined) await rm(join(paths.directory, before.spare), { force: true });
      if (inPlace) {
        activity.digest ??= createGrowingDigest(paths.object);
        activity.digest.add(partNumber, { offset, size });
      }
      return part;
    } catch (error) {
      if (inPlace) activity.placesTaken.delete(partNumber);
      if (spare !== undefined) await rm(file, { force: true });
      throw error;
    }
  }

  async function moveToPlace(upload: MultipartUpload, parts: Iterable<JournalledPart>): Promise<void> {
    const paths = pathsOf(upload);
    const handle = await open(paths.object, 'r+');
    try {
      for (const { partNumber, spare } of parts) {
        if (spare === undefined) continue;
        const { offset, size } = partBounds(upload, partNumber);
        const source = createReadStream(join(paths.directory, spare), { highWaterMark: ioChunkBytes });
        await writeBody(handle, source, { offset, limit: size });
      }
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  return {
    async create(key: string, sizes: { size: number; partSize: number }): Promise<MultipartUpload> {
      assertMultipartSizes(sizes);
      const upload: MultipartUpload = canonical({ key, uploadId: newStampedName(options.clock), ...sizes });
      const paths = pathsOf(upload);
      await makeDirectory(paths.directory);
      const handle = await open(paths.object, 'wx', fileMode);
      try {
        await handle.truncate(upload.size);
      } finally {
        await handle.close();
      }
      await createJournal(paths.journal, upload);
      await syncDirectory(paths.directory);
      return upload;
    },

    async putPart(given: MultipartUpload, partNumber: number, body: Readable): Promise<StoredPart> {
      const upload = canonical(given);
      const activity = activityOf(upload.uploadId);
      const controller = new AbortController();
      const writing = activity.closing
        ? Promise.reject(new StorageError('unknown-upload', upload.uploadId))
        : writePart(upload, partNumber, body, activity, controller.signal);
      activity.writers.set(writing, controller);
      try {
        return await writing;
      } catch (error) {
        throw controller.signal.aborted ? new StorageError('unknown-upload', upload.uploadId) : error;
      } finally {
        activity.writers.delete(writing);
        const idle = activity.writers.size === 0 && activity.placesTaken.size === 0 && !activity.closing;
        if (idle) activities.delete(upload.uploadId);
      }
    },

    async listParts(given: MultipartUpload): Promise<StoredPart[]> {
      const upload = canonical(given);
      const parts = await readJournal(pathsOf(upload).journal, upload);
      return [...parts.values()]
        .map(({ partNumber, size, etag }) => ({ partNumber, size, etag }))
        .sort((a, b) => a.partNumber - b.partNumber);
    },

    async complete(given: MultipartUpload, named: readonly PartReference[]): Promise<HashedObject> {
      const upload = canonical(given);
      const paths = pathsOf(upload);
      assertAllParts(upload, named, [...(await readJournal(paths.journal, upload)).values()]);
      const activity = activityOf(upload.uploadId);
      if (activity.closing) throw new StorageError('unknown-upload', upload.uploadId);
      let joined: HashedObject;
      try {
        await stopWriters(activity);
        // A part may have been replaced while its writer was being stopped.
        const parts = await readJournal(paths.journal, upload);
        assertAllParts(upload, named, [...parts.values()]);
        await moveToPlace(upload, parts.values());
        joined = await options.publish(paths.object, upload.key);
        const isAsHashed = [...parts.values()].every(({ spare }) => spare === undefined);
        const sha256 = isAsHashed ? await activity.digest?.finish(partCount(upload)) : undefined;
        if (sha256 !== undefined) joined = { ...joined, sha256 };
      } catch (error) {
        activity.closing = false;
        if (isMissing(error)) throw new StorageError('unknown-upload', upload.uploadId);
        throw error;
      }
      await remove(upload.uploadId);
      return joined;
    },

    async abort(given: MultipartUpload): Promise<void> {
      const upload = canonical(given);
      try {
        await readJournal(pathsOf(upload).journal, upload);
      } catch (error) {
        if (error instanceof StorageError) return;
        throw error;
      }
      await remove(upload.uploadId);
    },

    remove,
  };
}

/** Always the same order of fields: the journal holds it as text, and callers may have rebuilt it from a row. */
function canonical({ key, uploadId, size, partSize }: MultipartUpload): MultipartUpload {
  return { key, uploadId, size, partSize };
}
