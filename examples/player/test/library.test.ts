import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadFile } from '../download.ts';
import { openLibrary } from '../library.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'player-'));
});
afterEach(async () => rm(folder, { recursive: true }));

async function download(id: number, fileName: string, text: string): Promise<string> {
  const { path } = await downloadFile(
    {
      id,
      version: 1,
      fileName,
      fileSize: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      signedUrl: `data:,${text}`,
    },
    folder,
  );
  return path;
}

test('Whatever version differs is taken, a lower one too, also by the next run', async () => {
  const first = await openLibrary(folder);
  expect(first.has({ id: 5, version: 3 })).toBe(false);
  await download(5, 'tour.uap', 'bytes');
  await first.keep({ id: 5, version: 3, fileName: 'tour.uap' });
  const next = await openLibrary(folder);
  expect([2, 3, 4].map((version) => next.has({ id: 5, version }))).toEqual([false, true, false]);
  await rm(join(folder, '5', 'tour.uap'));
  expect(next.has({ id: 5, version: 3 })).toBe(false);
});

test('What is not delivered any more is removed', async () => {
  const library = await openLibrary(folder);
  for (const [id, fileName] of [
    [5, 'tour.uap'],
    [6, 'map.uap'],
  ] as const) {
    await download(id, fileName, 'bytes');
    await library.keep({ id, fileName, version: 1 });
  }
  expect(await library.removeOthers([{ id: 6 }])).toEqual([{ id: 5, fileName: 'tour.uap', version: 1 }]);
  expect(['5', '6'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
  expect(await library.removeOthers([{ id: 6 }])).toEqual([]);
});

test('Files of one name are apart: one stays when the other is not delivered any more', async () => {
  const library = await openLibrary(folder);
  const file = { fileName: 'tour.uap', version: 1 };
  const former = await download(5, 'tour.uap', 'former');
  await library.keep({ id: 5, ...file });
  const next = await download(6, 'tour.uap', 'next');
  await library.keep({ id: 6, ...file });
  expect(await Promise.all([former, next].map((path) => readFile(path, 'utf8')))).toEqual(['former', 'next']);
  await library.removeOthers([{ id: 6 }]);
  expect([library.has({ id: 5, version: 1 }), library.has({ id: 6, version: 1 })]).toEqual([false, true]);
  expect(await readFile(next, 'utf8')).toBe('next');
});

test('What a player of before had in the folder itself is downloaded again', async () => {
  await writeFile(join(folder, '.library.json'), JSON.stringify([[5, { version: 1, fileName: 'tour.uap' }]]));
  await writeFile(join(folder, 'tour.uap'), 'bytes');
  const library = await openLibrary(folder);
  expect(library.has({ id: 5, version: 1 })).toBe(false);
  await download(5, 'tour.uap', 'bytes');
  expect(library.has({ id: 5, version: 1 })).toBe(true);
  await library.removeOthers([]);
  expect(existsSync(join(folder, '5'))).toBe(false);
});
