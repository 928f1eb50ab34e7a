import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@portal/testing/project';
import type { Benchmark } from './support/figure.ts';

const dist = join(root, 'web', 'dist');
const limitBytes = 250_000;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** What a browser fetches until somebody has signed in and sees the first screen, as the build has measured it. */
export const benchmark: Benchmark = async () => {
  const { files }: { files: readonly string[] } = JSON.parse(
    await readFile(join(dist, '.first-load.json'), 'utf8'),
  );
  const [plain, zipped, brotli] = await Promise.all(
    ['', '.gz', '.br'].map((ending) => sizeOf(files, ending)),
  );
  return [
    {
      what: 'Compressed script until the first screen of the web client',
      target: '250 kB',
      measured: kilobytes(zipped ?? 0),
      value: zipped ?? Number.NaN,
      better: 'lower',
      detail:
        `${files.length} files for the sign-in and the home page, gzip; ` +
        `brotli ${kilobytes(brotli ?? 0)}, uncompressed ${kilobytes(plain ?? 0)}`,
      met: (zipped ?? Number.POSITIVE_INFINITY) <= limitBytes,
    },
  ];
};

/** Bytes over the wire; a file that is too small for a compressed copy goes as it is. */
async function sizeOf(paths: readonly string[], ending: string): Promise<number> {
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const { size } = await stat(join(dist, path + ending)).catch(() => stat(join(dist, path)));
      return size;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
