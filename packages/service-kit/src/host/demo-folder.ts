import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoMixedUp } from '../demo.ts';

const markIn = (dataDir: string) => join(dataDir, 'demo');

/** Notes that what is in the folder, secrets and objects, is of a demo. Its databases are marked by the services. */
export async function markDemoFolder(dataDir: string): Promise<void> {
  await writeFile(markIn(dataDir), '');
}

/** @throws DemoMixedUp for a folder that was marked */
export async function refuseDemoFolder(dataDir: string): Promise<void> {
  const isMarked = await stat(markIn(dataDir)).then(
    () => true,
    () => false,
  );
  if (!isMarked) return;
  throw new DemoMixedUp(
    `The data folder ${dataDir} was filled with the demo, whose passwords everybody knows: with DEMO=0 name another DATA_DIR`,
  );
}
