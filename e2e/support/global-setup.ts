import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseDataPlace } from '@portal/testing/data-folder';
import { runFolderSetting } from '@portal/testing/made-once';
import { startProduct } from '@portal/testing/product';
import type { TestProject } from 'vitest/node';
import { startDistributedHost } from '../distributed/host.ts';
import { hasRoomForMore, isDistributed, runningUrl, workers } from './host.ts';
import type { Portal } from './portal.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the products that the specs share answer, one for each worker of the run. */
    portalUrls: readonly string[];
  }
}

/**
 * A product for all specs of one worker that need no restart: a start costs more than most specs. Specs that run at the same
 * time never share one: they sign in as the same people.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (runningUrl) {
    project.provide('portalUrls', [runningUrl]);
    return async () => undefined;
  }
  if (!existsSync(join(import.meta.dirname, '../../web/dist/index.html'))) {
    throw new Error('The web client is not built: run `npm test`, or `vite build` in web');
  }
  await chooseDataPlace();
  const runFolder = await mkdtemp(join(tmpdir(), 'portal-test-run-'));
  // The workers inherit it, for the specs that start a product of their own.
  process.env[runFolderSetting] = runFolder;
  // What Node has compiled for one process, it need not compile for the next.
  process.env['NODE_COMPILE_CACHE'] = join(runFolder, 'compiled');
  const products = await Promise.all(Array.from({ length: await productsToShare() }, startShared));
  project.provide(
    'portalUrls',
    products.map(({ url }) => url),
  );
  return async () => {
    await Promise.all(products.map((product) => product.remove()));
    await rm(runFolder, { recursive: true, force: true });
  };
}

/** None where only one can run at a time: some specs start a product of their own. */
async function productsToShare(): Promise<number> {
  return (await hasRoomForMore()) ? workers() : 0;
}

function startShared(): Promise<Pick<Portal, 'url' | 'remove'>> {
  const settings = { LOG_LEVEL: 'warn' };
  return isDistributed ? startDistributedHost({ env: settings }) : startProduct(settings);
}
