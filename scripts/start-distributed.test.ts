import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test.each([
  [
    { PORT: 'abc', DRAIN_SECONDS: 'x' },
    ['PORT must be a whole number', 'DRAIN_SECONDS must be a whole number'],
  ],
  [{ DEMO: '0', PORT: '65535' }, ['API_KEY is required when DEMO=0']],
])('The distributed host with %o says what is wrong, and starts nothing', (env, problems) => {
  const dataDir = join(tmpdir(), `portal-never-${process.pid}`);
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'start-distributed.ts')],
    {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  expect([status, stdout, stderr.trim().split('\n')]).toEqual([1, '', problems]);
  expect(existsSync(dataDir)).toBe(false);
});
