import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Engines,
  freePorts,
  type ServiceSet,
  startEngines,
  startServices,
} from '@portal/testing/distributed';
import { buildImageFiles } from '@portal/testing/images';

/**
 * Runs `work` on the product as a process per service, from the files of the images, on engines and data of its own, of which
 * `prepare` may change the settings before.
 */
export async function withDistributed<T>(
  work: (set: ServiceSet, engines: Engines) => Promise<T>,
  prepare?: (engines: Engines) => Promise<void>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  const images = join(dataDir, 'images');
  const engines = await startEngines({ dataDir, given: {}, step: () => undefined });
  try {
    await buildImageFiles(images);
    await prepare?.(engines);
    const set = await startServices({
      dataDir,
      images,
      env: { ...engines.settings, LOG_LEVEL: 'warn', RATE_LIMIT: 'off' },
      portOf: await freePorts(),
    });
    try {
      return await work(set, engines);
    } finally {
      await set.stop();
    }
  } finally {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
