import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from '@portal/contracts';
import { projectNode, root } from './project.ts';

const execute = promisify(execFile);

/** Builds what the images have in them, and puts that of each service into a folder of its name in `directory`. */
export async function buildImageFiles(directory: string): Promise<void> {
  await execute(projectNode, ['scripts/images/bundle.ts'], { cwd: root });
  const built = join(root, 'dist', 'images');
  for (const service of serviceNames)
    for (const layer of ['shared', service])
      await cp(join(built, layer), join(directory, service), { recursive: true });
}
