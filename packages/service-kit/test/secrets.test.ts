import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@portal/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecrets, type Secrets } from '../src/host/secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const allOf = (secrets: Secrets | undefined) =>
  secrets && {
    storageSecret: secrets.storageSecret,
    shared: serviceNames.map((service) => secrets.sharedWith(service)),
    databases: serviceNames.map((service) => secrets.databaseOf(service)),
    keys: serviceNames.map((service) => secrets.internalKeysOf(service)),
  };

test('When several processes start on a new data folder at once, then all have the same secrets', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dataDir)));
  for (const other of others) expect(allOf(other)).toEqual(allOf(first));
  expect(allOf(await loadSecrets(dataDir))).toEqual(allOf(first));
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
});

test('When several processes start on a data folder of before, then all make the same secrets of services, and keep the others', async () => {
  const former = {
    databasePassword: 'shared',
    storageSecret: 'storage',
    keyEncryptionKey: 'key',
    internalKey: 'one',
  };
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(former), { mode: 0o600 });
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dataDir)));
  for (const other of others) expect(allOf(other)).toEqual(allOf(first));
  expect(first?.storageSecret).toBe('storage');
  expect(first?.sharedWith('identity')).toEqual({ KEY_ENCRYPTION_KEY: 'key' });
  expect(first?.sharedWith('file')).toEqual({ STORAGE_SECRET: 'storage' });
  const passwords = serviceNames.flatMap((service) => Object.values(first?.databaseOf(service) ?? {}));
  expect(new Set(passwords).size).toBe(2 * serviceNames.length);
  for (const service of serviceNames)
    expect(first?.internalKeysOf(service)).toEqual([expect.any(String), 'one']);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain('shared');
});
