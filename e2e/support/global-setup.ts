import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct } from '@portal/testing/product';
import type { TestProject } from 'vitest/node';
import { isDistributed, runningUrl } from './host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the product that the specs share answers. */
    portalUrl: string;
  }
}

/** One embedded product for all specs that need no restart: a start costs more than most specs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (runningUrl) {
    project.provide('portalUrl', runningUrl);
    return async () => undefined;
  }
  if (!existsSync(join(import.meta.dirname, '../../web/dist/index.html'))) {
    throw new Error('The web client is not built: run `npm test`, or `vite build` in web');
  }
  if (isDistributed) return async () => undefined;
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  project.provide('portalUrl', product.url);
  return () => product.remove();
}
