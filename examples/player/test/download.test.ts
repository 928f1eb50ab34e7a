import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { downloadFile } from '../download.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('A download that is asked to wait is asked for again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'player-'));
  const answers = [
    new Response('too many', { status: 429, headers: { 'Retry-After': '0' } }),
    new Response('away', { status: 503, headers: { 'Retry-After': '0' } }),
    new Response('content'),
  ];
  vi.stubGlobal('fetch', async () => Promise.resolve(answers.shift()));
  const file = {
    id: 1,
    version: 1,
    fileName: 'a.uap',
    fileSize: 7,
    sha256: createHash('sha256').update('content').digest('hex'),
    signedUrl: 'http://portal.example/storage/a',
  };
  const { path } = await downloadFile(file, folder);
  expect(await readFile(path, 'utf8')).toBe('content');
  expect(answers).toEqual([]);
  await rm(folder, { recursive: true });
});
