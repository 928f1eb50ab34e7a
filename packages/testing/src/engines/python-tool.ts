import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { preparedEngine, runTool } from './cache.ts';

/** A program of PyPI with all that it needs, for the Python that is there. */
export interface PythonTool {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Installs a program from PyPI, once on a machine: `<name>.txt` beside this file names it and all that it needs, of which versions.
 * @throws Error that says why it could not be had: no Python with pip, or no PyPI
 */
export async function preparePythonTool(name: string): Promise<PythonTool> {
  const requirements = join(import.meta.dirname, `${name}.txt`);
  const line = (await readFile(requirements, 'utf8')).split('\n').find((one) => one.startsWith(`${name}==`));
  if (line === undefined) throw new Error(`${requirements} does not name ${name}`);
  const version = line.slice(name.length + 2).trim();
  const python = (await runTool('python3', ['--version'], { cwd: import.meta.dirname }))
    .trim()
    .replace(' ', '-');
  const directory = await preparedEngine(name, `${version}-${python}`, async (own) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    await runTool('python3', [...pip, '--target', own, '--requirement', requirements], { cwd: own });
  });
  return { program: 'python3', env: { PYTHONPATH: directory } };
}
