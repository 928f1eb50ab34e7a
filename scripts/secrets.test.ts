import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('On a checkout without packages, the secrets are printed alone once these are installed', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'portal-checkout-'));
  onTestFinished(() => rm(checkout, { recursive: true }));
  await mkdir(join(checkout, 'scripts'));
  for (const file of ['package.json', 'scripts/portal.mjs', 'scripts/secrets.ts'])
    await copyFile(join(root, file), join(checkout, file));
  await symlink(join(root, 'packages'), join(checkout, 'packages'));
  // In place of the one that asks the registry.
  const npx = `#!/bin/sh\nmkdir -p node_modules\nln -s '${join(root, 'node_modules/node')}' node_modules/node\necho installed\n`;
  await writeFile(join(checkout, 'npx'), npx, { mode: 0o755 });
  const PATH = `${checkout}${delimiter}${process.env.PATH}`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/portal.mjs', 'secrets'], {
    cwd: checkout,
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  expect([status, stderr.trim()]).toEqual([0, '• Installing dependencies']);
  expect(
    stdout
      .trim()
      .split('\n')
      .filter((line) => !/^[A-Z_]+=./.test(line)),
  ).toEqual([]);
  expect(stdout).toContain('KEY_ENCRYPTION_KEY=');
});
