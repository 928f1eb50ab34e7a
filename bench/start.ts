import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '@portal/testing/product';
import { root } from '@portal/testing/project';
import type { Benchmark, Figure } from './support/figure.ts';
import { withTempFolder } from './support/temp-folder.ts';

const run = promisify(execFile);

const limits = { first: 40, again: 2.5 };

/** `npm start` in a fresh clone until the portal is ready, and once more. The caches of npm and pnpm are as they are. */
export const benchmark: Benchmark = () =>
  withTempFolder(async (folder) => {
    const clone = join(folder, 'portal');
    await run('git', ['clone', '--quiet', root, clone]);
    const first = await secondsToStart(clone);
    const again = await secondsToStart(clone);
    const figure = (what: string, seconds: number, limit: number, detail: string): Figure => ({
      what,
      target: `${limit} s`,
      measured: `${seconds.toFixed(1)} s`,
      value: seconds,
      better: 'lower',
      detail,
      met: seconds <= limit,
    });
    const caches = 'installs, builds and seeds, with the package caches of this machine';
    return [
      figure('`npm start` from a clean clone', first, limits.first, caches),
      figure('`npm start` again', again, limits.again, 'after SIGTERM, on the same data'),
    ];
  });

/** Starts the portal, waits until it is ready and stops it. @returns the seconds until it was ready */
async function secondsToStart(clone: string): Promise<number> {
  const begun = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...plainEnvironment(), PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that one signal reaches npm and what it runs, as Ctrl-C would.
    detached: true,
  });
  const ended = once(child, 'exit');
  try {
    await untilReady(child);
    return (performance.now() - begun) / 1000;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        if (line.startsWith('The portal is ready')) resolve();
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${lines.join('\n')}`)));
  });
}

/** The environment as it was before npm and the project's own commands added to it. */
function plainEnvironment(): Record<string, string | undefined> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const path = process.env.PATH?.split(':').filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(entries), PATH: path?.join(':') };
}
