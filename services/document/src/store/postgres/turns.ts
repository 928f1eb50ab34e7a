import { AppError } from '@portal/kernel';

/** Runs work of `name` when it has a turn. Rejects with `E50301` what has waited for one too long. */
export type Turns = <T>(name: number | string, work: () => Promise<T>) => Promise<T>;

interface Line {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Has so much work of each name under way at once; the rest waits, in the order in which it came. */
export function createTurns({
  atOnce,
  longestWaitMs,
}: {
  readonly atOnce: number;
  readonly longestWaitMs: number;
}): Turns {
  const lines = new Map<number | string, Line>();

  return async (name, work) => {
    const line = lines.get(name) ?? { underWay: 0, waiting: new Set() };
    lines.set(name, line);
    if (line.underWay < atOnce) line.underWay += 1;
    else {
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
