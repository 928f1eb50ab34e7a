import { startProduct } from '@portal/testing/product';
import { inject } from 'vitest';
import { startDistributedHost } from '../distributed/host.ts';
import { isDistributed, runningUrl } from './host.ts';

/** The product that a spec looks at. */
export interface Portal {
  readonly url: string;
  /** Starts it again with a clock that is ahead by `ms`. */
  restartAhead(ms: number): Promise<void>;
  remove(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** One that no other spec sees, unless one runs already, whose settings are as they are. */
export async function startPortal(env: Settings = {}): Promise<Portal> {
  if (runningUrl) return { url: runningUrl, restartAhead: noRestart, remove: async () => undefined };
  return isDistributed ? startDistributed(env) : startEmbedded(env);
}

/** For specs that leave the others undisturbed: one for all of a worker, where there can be one beside that of a spec of its own. */
export async function sharedPortal(): Promise<Pick<Portal, 'url' | 'remove'>> {
  // Vitest numbers its workers from 1; two that run at the same time never have the same number.
  const url = inject('portalUrls')[Number(process.env['VITEST_POOL_ID']) - 1];
  return url === undefined ? startPortal() : { url, remove: async () => undefined };
}

function noRestart(): Promise<never> {
  return Promise.reject(new Error('A portal that runs already cannot be started again'));
}

async function startEmbedded(env: Settings): Promise<Portal> {
  const product = await startProduct(env);
  return {
    url: product.url,
    remove: () => product.remove(),
    async restartAhead(ms) {
      await product.stop();
      await product.start({ CLOCK_OFFSET_MS: String(ms) });
    },
  };
}

async function startDistributed(env: Settings = {}): Promise<Portal> {
  const host = await startDistributedHost({ env: { LOG_LEVEL: 'warn', ...env } });
  return {
    url: host.url,
    restartAhead: (ms) => host.restart({ CLOCK_OFFSET_MS: String(ms) }),
    remove: () => host.remove(),
  };
}
