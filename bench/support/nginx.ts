import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@portal/testing/product';
import { endProgram } from './processes.ts';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

const startsWithinMs = 5_000;

/** nginx in the foreground, serving `folder` with sendfile. Undefined where it is not installed. */
export async function startNginx(folder: string): Promise<Nginx | undefined> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, `${name}-temp`)};`,
  );
  await writeFile(
    config,
    `daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    error_log stderr crit;
    pid ${join(folder, 'nginx.pid')};
    events {}
    http {
      access_log off;
      sendfile on;
      ${temporary.join('\n')}
      server { listen 127.0.0.1:${port}; root ${folder}; }
    }`,
  );
  const child = spawn('nginx', ['-c', config, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  // `once` rejects on the error of a program that is not there.
  const isThere = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const deadline = performance.now() + startsWithinMs;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('nginx did not start');
    await sleep(50);
  }
  return { url, stop: () => endProgram(child) };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
}
