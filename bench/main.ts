import { appendFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compare } from './support/compare.ts';
import type { Benchmark, Figure } from './support/figure.ts';
import { grow } from './support/grow.ts';

/**
 * Runs the benchmarks, all or those named: `npm run bench -- download upload`. Each is measured against the raw engine in
 * the same run, because machines differ and ratios travel. It fails when a figure falls short of its target. With `--runs 3` each runs
 * so often, and the table has the figures of all runs.
 *
 * `npm run bench -- --compare <commit> [name…]` measures those of a commit and of this work tree in alternating turns, and
 * fails with 1 when this one is slower beyond the noise, and with 2 when they could not be compared.
 *
 * `npm run bench -- --grow 1000,10000,100000,1000000 user-list` measures with each size of data and prints pictures of how it grows.
 */

const names = [
  'update-check',
  'update-check-processes',
  'publication',
  'delivery-wave',
  'million-players',
  'many-tenants',
  'download',
  'upload',
  'restore',
  'file-list',
  'lists-at-once',
  'delivery-list',
  'preview',
  'receipts',
  'user-list',
  'scim',
  'scim-list',
  'documents',
  'partner-list',
  'operator-overview',
  'push-audience',
  'push-fan-out',
  'push-memory',
  'push-schedule',
  'export-users',
  'operation-log',
  'import-users',
  'sign-in',
  'sso-sign-in',
  'events',
  'events-kafka',
  'rank-change',
  'idle',
  'start',
  'first-load',
  'in-browser/web-list',
  'in-browser/user-search',
  'in-browser/lighthouse',
] as const;

/** What `--compare` runs when no name is given: quick, and without other programs than the product's own. */
const quick = ['update-check', 'file-list', 'receipts'];

/** What `--grow` draws when no name is given: all that has a size. */
const growing = [
  'million-players',
  'file-list',
  'delivery-list',
  'preview',
  'user-list',
  'scim-list',
  'documents',
  'partner-list',
  'push-audience',
  'push-memory',
  'export-users',
];

const { positionals: wanted, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'string' },
    grow: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '1' },
    tolerance: { type: 'string', default: '3' },
  },
});
const unknown = wanted.filter((name) => !names.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. One of ${names.join(', ')}.`);
  process.exit(2);
}

const runs = Number(given.runs);
if (!Number.isInteger(runs) || runs < 1 || runs > 10) {
  console.error('--runs is a whole number from 1 to 10');
  process.exit(2);
}

if (given.compare !== undefined) {
  const names = wanted.length > 0 ? wanted : quick;
  const options = { rounds: Number(given.rounds), tolerancePercent: Number(given.tolerance) };
  const slower = await compare(given.compare, names, options).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  });
  process.exit(slower ? 1 : 0);
}

if (given.grow !== undefined) {
  await grow(wanted.length > 0 ? wanted : growing, given.grow.split(',').map(Number)).catch(
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(2);
    },
  );
  process.exit();
}

/** Where a comparison or a picture reads the figures. */
const file = process.env.BENCH_FIGURES;
const figures: Figure[] = [];
for (const name of names.filter((known) => wanted.length === 0 || wanted.includes(known))) {
  console.log(`\n— ${name}`);
  const module: { benchmark: Benchmark } = await import(
    fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  );
  for (let run = 1; run <= runs; run += 1) {
    for (const figure of await module.benchmark()) {
      figures.push(figure);
      if (file) await appendFile(file, `${JSON.stringify(figure)}\n`);
      console.log(`  ${figure.what}: ${figure.measured} (${figure.detail})`);
    }
  }
}

console.log(
  `\n${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}\n`,
);
console.log('| what | target | measured | how |');
console.log('| --- | --- | --- | --- |');
for (const [what, ofAll] of Map.groupBy(figures, (figure) => figure.what)) {
  const measured = ofAll.map((figure) => `${figure.measured}${figure.met ? '' : ' **short**'}`);
  const details = ofAll.map(({ detail }) => detail);
  console.log(`| ${what} | ${ofAll[0]?.target} | ${measured.join(', ')} | ${details.join('; ')} |`);
}
process.exit(figures.every(({ met }) => met) ? 0 : 1);
