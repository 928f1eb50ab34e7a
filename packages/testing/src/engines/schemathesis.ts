import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { preparedEngine, runTool } from './cache.ts';

/** Schemathesis with all that it needs, of these versions. */
const requirements = join(import.meta.dirname, 'schemathesis.txt');

/** A program that tests an HTTP API by its OpenAPI document. */
export interface Schemathesis {
  readonly program: string;
  /** What comes before its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Installs schemathesis from PyPI, once on a machine, for the Python that is there.
 * @throws Error that says why it could not be had: no Python with pip, or no PyPI
 */
export async function prepareSchemathesis(): Promise<Schemathesis> {
  const version = /^schemathesis==(\S+)$/m.exec(await readFile(requirements, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${requirements} does not name schemathesis`);
  const python = (await runTool('python3', ['--version'], { cwd: import.meta.dirname }))
    .trim()
    .replace(' ', '-');
  const directory = await preparedEngine('schemathesis', `${version}-${python}`, async (own) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    await runTool('python3', [...pip, '--target', own, '--requirement', requirements], { cwd: own });
  });
  return { program: 'python3', args: ['-m', 'schemathesis.cli'], env: { PYTHONPATH: directory } };
}
