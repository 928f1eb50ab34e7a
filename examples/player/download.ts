import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { placeOf } from './library.ts';

export interface Download {
  readonly path: string;
  /** Bytes that were there from an earlier try; 0 for a download from the beginning. */
  readonly resumedAt: number;
}

/**
 * Downloads `file` to its place below `folder`. It continues an interrupted download: it requests the rest by range, on condition that the
 * content is still the same. It moves the result into place only if its SHA-256 is the portal's. The address is valid for a
 * limited time, and only while the file is delivered to the user: a later attempt requests a new one, and continues where this
 * one ended.
 */
export async function downloadFile(
  file: {
    id: number;
    version: number;
    fileName: string;
    fileSize: number;
    sha256: string;
    signedUrl: string;
  },
  folder: string,
): Promise<Download> {
  const path = placeOf(folder, file);
  await mkdir(dirname(path), { recursive: true });
  // The file name contains the hash, so a partial download of another version is never continued.
  const partial = join(folder, `.${file.id}-${file.sha256.slice(0, 16)}.part`);
  const resumedAt = await sizeOf(partial);
  if (resumedAt < file.fileSize) {
    const response = await fetch(
      file.signedUrl,
      resumedAt > 0 ? { headers: { range: `bytes=${resumedAt}-` } } : {},
    );
    if (!response.ok || !response.body) throw new Error(`The download was refused: ${response.status}`);
    const continues = response.status === 206;
    await pipeline(response.body, createWriteStream(partial, { flags: continues ? 'a' : 'w' }));
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(partial), hash);
  if (hash.digest('hex') !== file.sha256) {
    await rm(partial, { force: true });
    throw new Error(`${file.fileName} did not arrive as it was sent; try again`);
  }
  await rename(partial, path);
  return { path, resumedAt };
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
