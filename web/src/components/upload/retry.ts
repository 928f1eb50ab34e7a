import { isTransient } from '../../lib/api.ts';
import { ConnectionLost } from './transport.ts';

/** Resolves after `ms`, or at once when the browser says that it is online again. Rejects when `signal` aborts. */
export function pauseUntilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', stop);
    };
    const done = () => {
      end();
      resolve();
    };
    const stop = () => {
      end();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', stop);
  });
}

const firstWait = 1_000;
const longestWait = 10_000;

/**
 * Tries until it works, with growing waits, as long as it is the connection or the server that fails; whatever else goes
 * wrong is thrown. `onTrouble` is told before each wait, `signal` ends it all.
 */
export async function persist<T>(
  attempt: () => Promise<T>,
  { signal, onTrouble }: { signal: AbortSignal; onTrouble: () => void },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConnectionLost || isTransient(error))) throw error;
      onTrouble();
      await pauseUntilOnline(Math.min(longestWait, firstWait * 2 ** failures), signal);
    }
  }
}
