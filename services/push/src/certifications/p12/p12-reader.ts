import { Worker } from 'node:worker_threads';
import { AppError } from '@portal/kernel';
import type { OpenedP12 } from './open-p12.ts';

/** Reads PKCS#12 files, each in a thread of its own: how long one takes is for who wrote it to say. */
export interface P12Reader {
  /**
   * @param asker who waits for one at a time
   * @throws AppError `E50301` while too many are read already, or another of this asker
   */
  read(asker: string, bytes: Uint8Array, password: string): Promise<OpenedP12>;
}

export interface P12Limits {
  /** How long one may take; then it is none. */
  readonly withinMs: number;
  readonly atOnce: number;
  readonly waiting: number;
}

const usual: P12Limits = { withinMs: 5_000, atOnce: 2, waiting: 20 };
const megabytes = 128;

const thread = new URL('./read-p12.worker.ts', import.meta.url);

export function createP12Reader(limits: P12Limits = usual): P12Reader {
  const askers = new Set<string>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(): Promise<void> {
    if (running >= limits.atOnce) {
      if (waiting.length >= limits.waiting) throw new AppError('E50301');
      // Whoever ends gives its turn on.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async read(asker, bytes, password) {
      if (askers.has(asker)) throw new AppError('E50301');
      askers.add(asker);
      try {
        await turn();
        try {
          return await readInThread(bytes, password, limits.withinMs);
        } finally {
          endTurn();
        }
      } finally {
        askers.delete(asker);
      }
    },
  };
}

async function readInThread(bytes: Uint8Array, password: string, withinMs: number): Promise<OpenedP12> {
  const worker = new Worker(thread, {
    workerData: { bytes, password },
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    env: {},
  });
  const answered = Promise.withResolvers<OpenedP12>();
  const timer = setTimeout(() => answered.resolve({ wrong: 'p12' }), withinMs);
  worker.once('message', answered.resolve);
  // Whatever it dies of, the file brought it about.
  worker.once('error', () => answered.resolve({ wrong: 'p12' }));
  worker.once('exit', () => answered.resolve({ wrong: 'p12' }));
  try {
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
