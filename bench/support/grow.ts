import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@portal/testing/project';
import type { Growth } from './figure.ts';
import { readFigures, runPortal } from './run-portal.ts';
import { withTempFolder } from './temp-folder.ts';

/** Below, filters find nothing; above, a run takes an hour. */
const limits = { least: 1_000, most: 10_000_000 };

/** Runs benchmarks with each size of data and prints a picture of each figure that grows with it, in Mermaid. */
export async function grow(names: readonly string[], sizes: readonly number[]): Promise<void> {
  const { least, most } = limits;
  if (!sizes.every((size) => Number.isInteger(size) && size >= least && size <= most))
    throw new Error(`--grow takes sizes from ${least} to ${most}, with commas between them`);
  const ending = new AbortController();
  const end = () => ending.abort(new Error('Ended by a signal'));
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await withTempFolder(async (folder) => {
      for (const name of names) {
        const points: Growth[] = [];
        for (const size of sizes) {
          console.log(`• ${name} with ${size.toLocaleString('en')}`);
          const file = join(folder, 'figures');
          await rm(file, { force: true });
          const env = { BENCH_SIZE: String(size), BENCH_FIGURES: file };
          await runPortal(root, ['bench', name], ending.signal, env);
          points.push(...((await readFigures(file)) ?? []).flatMap(({ growth }) => growth ?? []));
        }
        if (points.length === 0) throw new Error(`No figure of ${name} grows`);
        for (const [title, ofTitle] of Map.groupBy(points, (point) => point.title))
          console.log(picture(title, sizes, ofTitle));
      }
    });
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

function picture(title: string, sizes: readonly number[], points: readonly Growth[]): string {
  const digits = points.some(({ value }) => value < 10) ? 2 : 0;
  const values = points.map(({ value }) => Number(value.toFixed(digits)));
  return [
    '```mermaid',
    'xychart-beta',
    `  title "${title}"`,
    `  x-axis [${sizes.map((size) => `"${size.toLocaleString('en')}"`).join(', ')}]`,
    `  y-axis "${points[0]?.unit}" 0 --> ${Math.ceil(Math.max(...values) * 1.1)}`,
    `  bar [${values.join(', ')}]`,
    '```',
  ].join('\n');
}
