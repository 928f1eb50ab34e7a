import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf } from './library.ts';

/** Some minutes. */
const mostAttempts = 100;

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
    const response = await request(file.signedUrl, resumedAt);
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

/** Many download at once, or the portal is being updated: it says when to ask again, and that is no failure of the file. */
async function request(url: string, from: number): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, from > 0 ? { headers: { range: `bytes=${from}-` } } : {});
    if (attempt === mostAttempts || ![429, 503].includes(response.status)) return response;
    await response.body?.cancel();
    await sleep(Number(response.headers.get('retry-after') ?? 5) * 1_000);
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
