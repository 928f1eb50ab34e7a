import { randomFillSync } from 'node:crypto';
import { open } from 'node:fs/promises';

const blockBytes = 8 * 1024 * 1024;

/** Writes a file of random bytes, which nothing on the way can make smaller, down to the disk. */
export async function writeRandomFile(path: string, size: number): Promise<void> {
  const block = Buffer.alloc(blockBytes);
  const file = await open(path, 'w');
  try {
    for (let written = 0; written < size; ) {
      randomFillSync(block);
      written += (await file.write(block, 0, Math.min(blockBytes, size - written))).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
