import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@portal/contracts';
import { startEngines, startServices } from '@portal/testing/distributed';
import { freePort, startProduct } from '@portal/testing/product';
import { inject } from 'vitest';
import { isDistributed } from './host.ts';

/** The product that a spec looks at. */
export interface Portal {
  readonly url: string;
  /** Starts it again with a clock that is ahead by `ms`. */
  restartAhead(ms: number): Promise<void>;
  remove(): Promise<void>;
}

/** One that no other spec sees. */
export async function startPortal(): Promise<Portal> {
  return isDistributed ? startDistributed() : startEmbedded();
}

/** For specs that leave the others undisturbed: one for all of them where that saves time. */
export async function sharedPortal(): Promise<Pick<Portal, 'url' | 'remove'>> {
  // Engines listen at fixed addresses in Docker: there can be no other beside that of a spec of its own.
  return isDistributed ? startDistributed() : { url: inject('portalUrl'), remove: async () => undefined };
}

async function startEmbedded(): Promise<Portal> {
  const product = await startProduct();
  return {
    url: product.url,
    remove: () => product.remove(),
    async restartAhead(ms) {
      await product.stop();
      await product.start({ CLOCK_OFFSET_MS: String(ms) });
    },
  };
}

async function startDistributed(): Promise<Portal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-distributed-'));
  const engines = await startEngines({ dataDir, given: {}, step: () => undefined });
  const ports = new Map<ServiceName, number>();
  for (const service of serviceNames) ports.set(service, await freePort());
  const start = (env: Readonly<Record<string, string>> = {}) =>
    startServices({
      dataDir,
      env: { ...engines.settings, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', ...env },
      portOf: (service) => ports.get(service) ?? 0,
    });
  const removeEngines = async () => {
    await engines.remove();
    await rm(dataDir, { recursive: true, force: true });
  };
  let services = await start().catch(async (error: unknown) => {
    await removeEngines();
    throw error;
  });
  return {
    url: services.url,
    async restartAhead(ms) {
      await services.stop();
      services = await start({ CLOCK_OFFSET_MS: String(ms) });
    },
    async remove() {
      await services.stop();
      await removeEngines();
    },
  };
}
