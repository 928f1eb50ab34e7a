import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FirstLoad, totalOf } from './first-load.ts';

/**
 * Fails when the first load is over its limit, and names what has grown since `first-load.json` was written. Run it with
 * `--write` once the load is as it should be.
 */

const limit = 250_000;
const record = join(import.meta.dirname, '..', 'first-load.json');
const measured: FirstLoad = JSON.parse(
  await readFile(join(import.meta.dirname, '..', 'dist', '.first-load.json'), 'utf8'),
);
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

if (process.argv.includes('--write')) {
  await writeFile(record, `${JSON.stringify(measured.parts, null, 2)}\n`);
} else if (totalOf(measured) > limit) {
  const before: FirstLoad['parts'] = JSON.parse(await readFile(record, 'utf8'));
  const grown = Object.entries(measured.parts)
    .map(([part, bytes]) => ({ part, bytes, by: bytes - (before[part] ?? 0) }))
    // A few bytes come and go with the code around them.
    .filter(({ by }) => by > 50)
    .sort((a, b) => b.by - a.by);
  console.error(
    [
      `The first load is ${kilobytes(totalOf(measured))}, ${kilobytes(totalOf(measured) - limit)} over its limit. It was ${kilobytes(totalOf({ parts: before }))}. What has grown:`,
      ...grown.map(({ part, bytes, by }) => `  ${part}: ${kilobytes(bytes)}, ${kilobytes(by)} more`),
    ].join('\n'),
  );
  process.exit(1);
}
