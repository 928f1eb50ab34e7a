import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each([
  [
    { PORT: 'abc', DRAIN_SECONDS: 'x' },
    ['PORT must be a whole number', 'DRAIN_SECONDS must be a whole number'],
  ],
  [{ DEMO: '0', PORT: '65535' }, ['API_KEY is required when DEMO=0']],
  [
    { S3_ENDPOINT: 'http://127.0.0.1:9000' },
    [
      'S3_BUCKET is required: the name of the bucket',
      'S3_ACCESS_KEY_ID is required: the access key',
      'S3_SECRET_ACCESS_KEY is required: its secret',
    ],
  ],
  [
    { KAFKA_BROKERS: '127.0.0.1:9092', KAFKA_SASL_USERNAME: 'portal' },
    ['KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are given together'],
  ],
])('The distributed host with %o says what is wrong, and starts nothing', (env, problems) => {
  const dataDir = join(tmpdir(), `portal-never-${process.pid}`);
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'start-distributed.ts')],
    {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
  expect([status, stdout, stderr.trim().split('\n')]).toEqual([1, '', problems]);
  expect(existsSync(dataDir)).toBe(false);
});

test('The distributed host whose ports belong to another portal says so, and starts nothing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-taken-'));
  const other = createServer((_, response) => response.end('{}'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const started = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'start-distributed.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port) },
    timeout: 120_000,
  });
  try {
    await expect(started).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^PORT ${port} is in use$`, 'm')),
    });
    expect(await readdir(dataDir)).not.toContain('engines');
  } finally {
    other.close();
    await rm(dataDir, { recursive: true });
  }
});
