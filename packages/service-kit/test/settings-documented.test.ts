import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicSettings } from '../src/host/settings.ts';
import { databaseSettings, processSettings, storageSettings } from '../src/process/settings.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const settings = { ...processSettings('file'), ...databaseSettings, ...storageSettings, ...publicSettings };

test.each(Object.keys(settings))('docs/operations.md tells of %s', (name) => {
  expect(page).toContain(`\`${name}\``);
});
