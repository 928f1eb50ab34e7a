import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@portal/testing/project';
import type { Benchmark } from './support/figure.ts';

const dist = join(root, 'web', 'dist');
const limitBytes = 250_000;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** What a browser fetches to show the company portal's sign-in: the page's scripts, then the chunk of that route. */
export const benchmark: Benchmark = async () => {
  const page = await readFile(join(dist, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/<(?:script|link rel="modulepreload")[^>]*?(?:src|href)="([^"]+\.js)"/g)];
  const first = scripts.flatMap(([, path]) => (path === undefined ? [] : [path]));
  const wanted = await withImports(first, isOfSignIn);
  const paths = [...wanted].sort();
  const [plain, zipped, brotli] = await Promise.all(
    ['', '.gz', '.br'].map((ending) => sizeOf(paths, ending)),
  );
  return [
    {
      what: 'Compressed script that the first page of the web client needs',
      target: '250 kB',
      measured: kilobytes(brotli ?? 0),
      value: brotli ?? Number.NaN,
      better: 'lower',
      detail:
        `${paths.length} files for the sign-in of the company portal in English, brotli; ` +
        `gzip ${kilobytes(zipped ?? 0)}, uncompressed ${kilobytes(plain ?? 0)}`,
      met: (brotli ?? Number.POSITIVE_INFINITY) <= limitBytes,
    },
  ];
};

/** Whether a chunk is loaded for the sign-in although nothing imports it at once: its page, and the English texts. */
async function isOfSignIn(path: string): Promise<boolean> {
  if (/\/en-[^/]+\.js$/.test(path)) return true;
  return (
    path.includes('/login-page-') && (await readFile(join(dist, path), 'utf8')).includes('PartnerLoginPage')
  );
}

/** All that `paths` import, at once or later where `isWanted` says so. */
async function withImports(
  paths: readonly string[],
  isWanted: (path: string) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const found = new Set(paths);
  // A set that grows is walked to its end.
  for (const path of found) {
    const code = await readFile(join(dist, path), 'utf8');
    for (const [, later, name] of code.matchAll(
      /\b(?:from|import)\s*(?:(\()\s*)?["'`]\.\/([^"'`]+\.js)["'`]/g,
    )) {
      const imported = `/assets/${name}`;
      if (later === undefined || (await isWanted(imported))) found.add(imported);
    }
  }
  return found;
}

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
