import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Names the folder of a test run, with what one of its processes has made and the others use as well. */
export const runFolderSetting = 'PORTAL_TEST_RUN';

const madeWithinMs = 120_000;

/**
 * A folder of the test run that is made once, by whoever comes first, while the others wait for it.
 * @param make makes the folder that it is given, which does not exist yet
 */
export async function madeOnce(
  runFolder: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const made = join(runFolder, name);
  const isFirst = await mkdir(`${made}.claim`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await make(`${made}.new`);
    await rename(`${made}.new`, made);
  }
  for (let waited = 0; !existsSync(made); waited += 100) {
    if (waited > madeWithinMs) throw new Error(`Nobody has made ${made}`);
    await sleep(100);
  }
  return made;
}

/** Whether `copyInto` works here: Windows has no cp. */
export const canCopy = process.platform !== 'win32';

/** Copies what is in a folder, with its owners, which Node does not copy: PostgreSQL wants its folder to be its own. */
export async function copyInto(directory: string, folder: string): Promise<void> {
  await execute('cp', ['-a', `${folder}/.`, directory]);
}
