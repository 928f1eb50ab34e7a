import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Figure } from './support/figure.ts';

/**
 * Runs the benchmarks, all or those named: `npm run bench -- download upload`. Each is measured against the raw engine in
 * the same run, because machines differ and ratios travel. It fails when a figure falls short of its target.
 */

const names = [
  'update-check',
  'update-check-processes',
  'download',
  'upload',
  'file-list',
  'user-list',
  'export-users',
  'operation-log',
  'import-users',
  'sign-in',
  'events',
  'events-kafka',
  'idle',
  'start',
  'first-load',
] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. One of ${names.join(', ')}.`);
  process.exit(2);
}

const figures: Figure[] = [];
for (const name of names.filter((known) => wanted.length === 0 || wanted.includes(known))) {
  console.log(`\n— ${name}`);
  const module: { benchmark: Benchmark } = await import(
    fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  );
  for (const figure of await module.benchmark()) {
    figures.push(figure);
    console.log(`  ${figure.what}: ${figure.measured} (${figure.detail})`);
  }
}

console.log(
  `\n${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}\n`,
);
console.log('| what | target | measured | how |');
console.log('| --- | --- | --- | --- |');
for (const { what, target, measured, detail, met } of figures) {
  console.log(`| ${what} | ${target} | ${measured}${met ? '' : ' **short**'} | ${detail} |`);
}
process.exit(figures.every(({ met }) => met) ? 0 : 1);
