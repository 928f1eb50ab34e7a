import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startProduct } from '@portal/testing/product';
import { root } from '@portal/testing/project';
import { type Change, changeOf, roundLimits } from './change.ts';
import type { Figure } from './figure.ts';
import { printedFigures } from './printed.ts';
import type { Probe } from './probe.ts';
import { readFigures, runPortal } from './run-portal.ts';
import { withTempFolder } from './temp-folder.ts';

const run = promisify(execFile);

/** The figures of one turn, by what they measure. */
interface Turn {
  /** Undefined where the version tells its figures in words alone. */
  readonly exact: ReadonlyMap<string, number> | undefined;
  readonly printed: ReadonlyMap<string, number | undefined>;
}

/**
 * Measures a commit and this work tree in alternating turns, and prints what has changed beyond the noise: by its probe, where a
 * benchmark has one, else whole.
 * @returns whether something is slower by more than the tolerance
 */
export async function compare(
  commit: string,
  names: readonly string[],
  { rounds, tolerancePercent }: { rounds: number; tolerancePercent: number },
): Promise<boolean> {
  const { least, most } = roundLimits;
  if (!Number.isInteger(rounds) || rounds < least || rounds > most)
    throw new Error(`--rounds is a whole number from ${least} to ${most}`);
  if (!(tolerancePercent >= 0)) throw new Error('--tolerance is a number of percent');
  const { stdout: hash } = await run('git', ['rev-parse', '--verify', `${commit}^{commit}`], { cwd: root });

  return withTempFolder(async (folder) => {
    const other = join(folder, 'other');
    console.log(`• Checking out ${commit}`);
    await run('git', ['worktree', 'add', '--quiet', '--detach', other, hash.trim()], { cwd: root });
    const ending = new AbortController();
    const end = () => ending.abort(new Error('Ended by a signal'));
    process.once('SIGINT', end).once('SIGTERM', end);
    try {
      await runPortal(other, ['setup'], ending.signal);
      let slower = false;
      for (const name of names) {
        const probe = await probeOf(name);
        const measured = probe
          ? await probeInTurns(name, probe, other, { rounds, ending: ending.signal })
          : await runInTurns(name, other, { rounds, folder, ending: ending.signal });
        for (const { after, before, better, what } of measured) {
          if (![...before, ...after].every((value) => value > 0)) {
            console.log(`\n${what}\n  not measured by both, or rounded too much to compare`);
            continue;
          }
          const change = changeOf(before, after, better);
          const fails = change.verdict === 'slower' && change.loss * 100 > tolerancePercent;
          console.log(`\n${what}\n  ${told(change)}${fails ? `, by more than ${tolerancePercent} %` : ''}`);
          slower ||= fails;
        }
      }
      return slower;
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end);
      await run('git', ['worktree', 'remove', '--force', other], { cwd: root });
    }
  });
}

function told({ after, before, interval, ratio, verdict }: Change): string {
  const short = (value: number) => value.toPrecision(4);
  const [low, high] = interval.map((bound) => bound.toFixed(3));
  return `${short(before)} → ${short(after)}, ratio ${ratio.toFixed(3)} (${low} to ${high}): ${verdict}`;
}

/** One figure of both versions, turn by turn. */
interface Measured extends Pick<Figure, 'better' | 'what'> {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

async function probeOf(name: string): Promise<Probe | undefined> {
  const file = fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
  const module: { probe?: Probe } = await import(file);
  return module.probe;
}

/** So many turns are one figure: a second of either version, and what the machine does meanwhile meets both. */
const turnsOfRound = 4;

/** Runs a product of each version beside the other and asks both in turns. */
async function probeInTurns(
  name: string,
  { better, prepare, what }: Probe,
  other: string,
  { ending, rounds }: { readonly rounds: number; readonly ending: AbortSignal },
): Promise<Measured[]> {
  const env = { LOG_LEVEL: 'warn' };
  console.log(`• ${name}: starting both versions`);
  const products = [await startProduct(env, { checkout: other })];
  try {
    products.push(await startProduct(env));
    const [old, own] = await Promise.all(products.map(async (product) => prepare(product)));
    if (!old || !own) throw new Error('Both versions are started');
    const sides = { before: [] as number[], after: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const turns = { before: [] as number[], after: [] as number[] };
      for (let turn = 0; turn < turnsOfRound; turn += 1) {
        ending.throwIfAborted();
        // Each finds the machine as often in the state in which the other has left it.
        if (turn % 2 === 0) turns.before.push(await old());
        turns.after.push(await own());
        if (turn % 2 === 1) turns.before.push(await old());
      }
      sides.before.push(mean(turns.before));
      sides.after.push(mean(turns.after));
    }
    return [{ what, better, ...sides }];
  } finally {
    await Promise.all(products.map(async (product) => product.remove()));
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs the whole benchmark of one version after that of the other. */
async function runInTurns(
  name: string,
  other: string,
  {
    ending,
    folder,
    rounds,
  }: { readonly rounds: number; readonly folder: string; readonly ending: AbortSignal },
): Promise<Measured[]> {
  const turns = { before: [] as Turn[], after: [] as Turn[] };
  const better = new Map<string, Figure['better']>();
  const turnOf = async (checkout: string) => turnIn(checkout, name, { folder, better, ending });
  for (let round = 0; round < rounds; round += 1) {
    console.log(`• ${name}, turn ${round + 1} of ${rounds}`);
    // The second run finds the machine in the state in which the first has left it.
    if (round % 2 === 0) turns.before.push(await turnOf(other));
    turns.after.push(await turnOf(root));
    if (round % 2 === 1) turns.before.push(await turnOf(other));
  }
  const form = [...turns.before, ...turns.after].every(({ exact }) => exact) ? 'exact' : 'printed';
  const valuesOf = (side: readonly Turn[], what: string) =>
    side.map((turn) => turn[form]?.get(what) ?? Number.NaN);
  return [...better].map(([what, direction]) => ({
    what,
    better: direction,
    before: valuesOf(turns.before, what),
    after: valuesOf(turns.after, what),
  }));
}

/** Runs a benchmark in a checkout. A figure that misses its target is a figure. */
async function turnIn(
  checkout: string,
  name: string,
  { better, ending, folder }: { better: Map<string, Figure['better']>; ending: AbortSignal; folder: string },
): Promise<Turn> {
  const file = join(folder, 'figures');
  await rm(file, { force: true });
  const output = await runPortal(checkout, ['bench', name], ending, { BENCH_FIGURES: file });
  const printed = new Map(printedFigures(output).map(({ value, what }) => [what, value]));
  const figures = await readFigures(file);
  if (!figures) return { exact: undefined, printed };
  for (const figure of figures) better.set(figure.what, figure.better);
  return { exact: new Map(figures.map(({ value, what }) => [what, value])), printed };
}
