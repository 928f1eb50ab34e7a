import { AppError } from '@portal/kernel';

/** Runs work of `name` when it has a turn. Rejects with `E50301` what has waited for one too long, and what comes when too much waits. */
export type Turns = <T>(name: number | string, longestWaitMs: number, work: () => Promise<T>) => Promise<T>;

interface Line {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Has so much work of each name under way at once; the rest waits, in the order in which it came. */
export function createTurns({
  atOnce,
  mostWaiting = Number.POSITIVE_INFINITY,
}: {
  readonly atOnce: number;
  /** Of each name. */
  readonly mostWaiting?: number;
}): Turns {
  const lines = new Map<number | string, Line>();

  return async (name, longestWaitMs, work) => {
    const line = lines.get(name) ?? { underWay: 0, waiting: new Set() };
    lines.set(name, line);
    if (line.underWay < atOnce) line.underWay += 1;
    else {
      if (line.waiting.size >= mostWaiting) throw new AppError('E50301');
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          line.waiting.delete(begin);
          reject(new AppError('E50301'));
        }, longestWaitMs);
        line.waiting.add(begin);
      });
    }
    try {
      return await work();
    } finally {
      const [next] = line.waiting;
      if (next) {
        line.waiting.delete(next);
        next();
      } else {
        line.underWay -= 1;
        if (line.underWay === 0) lines.delete(name);
      }
    }
  };
}
