import type { PushProvider } from './provider.ts';

/** Providers that are in use or were lately, each made once. */
export interface ProviderCache {
  /**
   * Runs `work` with the provider of a key, which is made if there is none. The key changes with what the provider is made of.
   */
  use<T>(key: string, make: () => PushProvider, work: (provider: PushProvider) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Entry {
  readonly provider: PushProvider;
  users: number;
  /** Of `performance.now()`. */
  lastUsed: number;
}

/** @param most how many unused providers are kept @param idleMs how long */
export function createProviderCache({
  idleMs = 5 * 60_000,
  most = 50,
}: {
  readonly most?: number;
  readonly idleMs?: number;
} = {}): ProviderCache {
  const entries = new Map<string, Entry>();

  async function closeUnused(keptMs: number): Promise<void> {
    const unused = [...entries].filter(([, { users }]) => users === 0).sort(byUse);
    const now = performance.now();
    const closed = unused.filter(
      ([, { lastUsed }], at) => now - lastUsed >= keptMs || at < unused.length - most,
    );
    for (const [key] of closed) entries.delete(key);
    await Promise.all(closed.map(async ([, { provider }]) => provider.close()));
  }

  const sweeping = setInterval(() => void closeUnused(idleMs), Math.min(idleMs, 60_000));
  sweeping.unref();

  return {
    async use(key, make, work) {
      let entry = entries.get(key);
      if (!entry) {
        entry = { provider: make(), users: 0, lastUsed: 0 };
        entries.set(key, entry);
      }
      entry.users += 1;
      try {
        return await work(entry.provider);
      } finally {
        entry.users -= 1;
        entry.lastUsed = performance.now();
        if (entries.size > most) await closeUnused(idleMs);
      }
    },
    async close() {
      clearInterval(sweeping);
      await Promise.all([...entries.values()].map(async ({ provider }) => provider.close()));
      entries.clear();
    },
  };
}

const byUse = ([, a]: [string, Entry], [, b]: [string, Entry]) => a.lastUsed - b.lastUsed;
