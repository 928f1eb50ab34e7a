import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLibrary } from '../library.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'player-'));
});
afterEach(async () => rm(folder, { recursive: true }));

test('Whatever version differs is taken, a lower one too, also by the next run', async () => {
  const first = await openLibrary(folder);
  expect(first.has({ id: 5, version: 3 })).toBe(false);
  await writeFile(join(folder, 'tour.uap'), 'bytes');
  await first.keep({ id: 5, version: 3, fileName: 'tour.uap' });
  const next = await openLibrary(folder);
  expect([2, 3, 4].map((version) => next.has({ id: 5, version }))).toEqual([false, true, false]);
  await rm(join(folder, 'tour.uap'));
  expect(next.has({ id: 5, version: 3 })).toBe(false);
});

test('What is not delivered any more is removed', async () => {
  const library = await openLibrary(folder);
  for (const [id, fileName] of [
    [5, 'tour.uap'],
    [6, 'map.uap'],
  ] as const) {
    await writeFile(join(folder, fileName), 'bytes');
    await library.keep({ id, fileName, version: 1 });
  }
  expect(await library.removeOthers([{ id: 6 }])).toEqual([{ id: 5, fileName: 'tour.uap', version: 1 }]);
  expect(['tour.uap', 'map.uap'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
  expect(await library.removeOthers([{ id: 6 }])).toEqual([]);
});
