import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ioChunkBytes } from './disk-files.ts';

/** Where a part lies in the file, in bytes. */
interface Place {
  readonly offset: number;
  readonly size: number;
}

export interface GrowingDigest {
  /** A part stands at its place, and stays as it is. */
  add(partNumber: number, place: Place): void;
  /** Of so many parts, in lower-case hexadecimal. Undefined where one was never added, or the file could not be read. */
  finish(parts: number): Promise<string | undefined>;
  /** Resolves once the file is not read any more. */
  stop(): Promise<void>;
}

/**
 * The SHA-256 of a file whose parts come in any order: what stands without a gap from its beginning is hashed while the rest
 * arrives, as long as the kernel still has it in memory.
 */
export function createGrowingDigest(path: string): GrowingDigest {
  const hash = createHash('sha256');
  /** Parts that are not hashed yet. */
  const waiting = new Map<number, Place>();
  let next = 1;
  let isOver = false;
  let reading: Promise<void> | undefined;

  async function readOn(): Promise<void> {
    const handle = await open(path, 'r');
    try {
      const chunk = Buffer.allocUnsafeSlow(ioChunkBytes);
      for (let place = waiting.get(next); place && !isOver; place = waiting.get(next)) {
        const { offset, size } = place;
        for (let at = 0; at < size && !isOver; ) {
          const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, size - at), offset + at);
          if (bytesRead === 0) throw new Error('The file ends before its part.');
          hash.update(chunk.subarray(0, bytesRead));
          at += bytesRead;
        }
        waiting.delete(next);
        next += 1;
      }
    } finally {
      await handle.close();
    }
  }

  function goOn(): void {
    if (reading !== undefined || isOver || !waiting.has(next)) return;
    reading = readOn()
      .catch(() => {
        // Whoever needs the digest reads the whole file.
        isOver = true;
      })
      .finally(() => {
        reading = undefined;
        goOn();
      });
  }

  async function settle(): Promise<void> {
    while (reading !== undefined) await reading;
  }

  return {
    add(partNumber, place) {
      waiting.set(partNumber, place);
      goOn();
    },
    async finish(parts) {
      await settle();
      if (isOver || next <= parts) return undefined;
      isOver = true;
      return hash.digest('hex');
    },
    async stop() {
      isOver = true;
      await settle();
    },
  };
}
