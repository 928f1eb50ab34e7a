import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runTool } from './cache.ts';

/**
 * The first of these programs that is there. On a Debian where this process may, their packages are installed first.
 * @throws Error that names the packages where none is there
 */
export async function installedProgram(
  programs: readonly string[],
  packages: readonly string[],
): Promise<string> {
  const look = () => programs.find((program) => existsSync(program));
  if (look() === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { cwd: tmpdir(), env: { DEBIAN_FRONTEND: 'noninteractive' } };
    await runTool('apt-get', ['update'], options);
    await runTool('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options);
  }
  const found = look();
  if (found === undefined)
    throw new Error(`Install ${packages.join(', ')} (Debian): none of ${programs.join(', ')} is there`);
  return found;
}
