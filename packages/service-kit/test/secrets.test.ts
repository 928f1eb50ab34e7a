import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecrets } from '../src/host/secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('When several processes start on a new data folder at once, then all have the same secrets', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dataDir)));
  for (const other of others) expect(other).toEqual(first);
  expect(await loadSecrets(dataDir)).toEqual(first);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
});
