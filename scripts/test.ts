import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startEngines } from '../packages/testing/src/distributed.ts';
import type { SkippedTest } from './skipped-tests.ts';

/**
 * Every test of the product, from the quickest to the slowest; all run even when one fails. The last lines name what
 * failed and what was skipped, and why, so that the end of a long log is enough, and count them.
 * `--only` runs parts, with commas between them: checks, services, web, browser, and those that run only so: engines and
 * distributed, on real servers, and fuzz, with generated requests. With `TRY_FAILED_AGAIN=1`, as in CI, a file that failed
 * is tried once more: a test that passed once of twice is named as flaky, one that failed twice has failed.
 */

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const total: Count = { passed: 0, failed: 0, skipped: 0 };
const notes: string[] = [];

/** The slowest first: the others run beside it. */
const checks: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  [
    'types, promises and regular expressions',
    bin('node'),
    ...['scripts/check-types.ts', 'tsconfig.json', '.', '--except', 'web', 'e2e', 'bench/in-browser'],
  ],
  ['the same of the web client', bin('node'), 'scripts/check-types.ts', 'web/tsconfig.json', 'web'],
  [
    'the same of the browser tests',
    bin('node'),
    ...['scripts/check-types.ts', 'e2e/tsconfig.json', 'e2e', 'bench/in-browser'],
  ],
  ['format and lint', bin('biome'), 'ci', '--error-on-warnings', '--colors=off', '.'],
  [
    'layers',
    bin('depcruise'),
    '--config',
    '.dependency-cruiser.cjs',
    'packages',
    'services',
    'examples',
    'web/src',
  ],
  ['dead code', bin('knip')],
  ['first load of the web client', bin('node'), 'web/build/check-first-load.ts'],
  ['generated documents are current', bin('node'), 'scripts/documents.ts', '--check'],
];

interface Suite {
  readonly part: string;
  readonly name: string;
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const suites: readonly Suite[] = [
  { part: 'services', name: 'packages and services', cwd: root },
  { part: 'web', name: 'web client', cwd: join(root, 'web') },
  { part: 'browser', name: 'the whole product in a browser', cwd: join(root, 'e2e') },
  { part: 'engines', name: 'real engines', cwd: root, args: ['--config', 'vitest.engines.config.ts'] },
  { part: 'fuzz', name: 'generated requests', cwd: root, args: ['--config', 'vitest.fuzz.config.ts'] },
  {
    part: 'distributed',
    name: 'a process per service in a browser',
    cwd: join(root, 'e2e'),
    env: { PORTAL_HOST: 'distributed' },
  },
];

const triesAgain = process.env['TRY_FAILED_AGAIN'] === '1';
/** More than these are no chance. */
const mostTriedAgain = 5;

const onEngines = ['engines', 'distributed'];
const place = process.argv.indexOf('--only');
const parts =
  place < 0 ? ['checks', 'services', 'web', 'browser'] : (process.argv[place + 1] ?? '').split(',');

if (parts.includes('checks')) await runChecks();
// Without them every test on them would fail, each after its own wait.
if (!parts.some((part) => onEngines.includes(part)) || (await startsEngines())) {
  for (const suite of suites) if (parts.includes(suite.part)) await runSuite(suite);
}

console.log();
for (const note of notes) console.log(note);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

/** Side by side: most of them use one core. */
async function runChecks(): Promise<void> {
  const waiting = [...checks];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, program, ...args] = next;
      await check(name, program, args);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), checks.length) }, worker));
}

async function check(name: string, program: string, args: readonly string[]): Promise<void> {
  const begun = performance.now();
  const { code, output } = await run(program, args, root, 'quiet');
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code === 0) total.passed += 1;
  else {
    total.failed += 1;
    notes.push(`Failed: ${name}`, output);
  }
}

/** Whether every engine can be had; getting them takes minutes the first time on a machine. */
async function startsEngines(): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-engines-'));
  const step = (text: string) => console.log(`• ${text}`);
  try {
    const engines = await startEngines({ dataDir, given: {}, step });
    await engines.remove();
    return true;
  } catch (error) {
    total.failed += 1;
    notes.push(`Failed: ${error instanceof Error ? error.message : error}`);
    return false;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runSuite({ args = [], cwd, env, name }: Suite): Promise<void> {
  console.log(`\n— ${name}`);
  const first = await runVitest(cwd, args, env);
  const { count, failures } = first;
  if (triesAgain && first.failedFiles.length > 0 && first.failedFiles.length <= mostTriedAgain) {
    console.log(`\n— ${name}: what failed, once more`);
    const again = await runVitest(cwd, [...args, ...first.failedFiles], env);
    const failedTwice = [...failures.keys()].filter((one) =>
      // A file that could not begin stands for all of its tests.
      [...again.failures.keys()].some(
        (other) => other === one || other.startsWith(`${one} > `) || one.startsWith(`${other} > `),
      ),
    );
    if (failedTwice.length === 0 && again.count.passed > 0 && again.count.failed === again.failures.size) {
      notes.push(`Flaky, passed once of twice: ${name}`, ...failures.values(), ...again.failures.values());
      count.passed += count.failed;
      count.failed = 0;
    } else notes.push(`Failed when tried again: ${name}`, ...again.failures.values());
  }
  if (count.failed > 0) notes.push(`Failed: ${name}`, ...failures.values());
  notes.push(...first.skipped);
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}

interface Outcome {
  readonly count: Count;
  /** By test, or by file where that failed outside of tests. */
  readonly failures: ReadonlyMap<string, string>;
  readonly failedFiles: readonly string[];
  readonly skipped: readonly string[];
}

async function runVitest(cwd: string, args: readonly string[], env: Suite['env']): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-results-'));
  const report = join(directory, 'report.json');
  const skipped = join(directory, 'skipped.json');
  const reporters = [
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    `--reporter=${join(root, 'scripts', 'skipped-tests.ts')}`,
  ];
  const environment = { ...env, SKIPPED_TESTS: skipped };
  const { code } = await run(bin('vitest'), ['run', ...args, ...reporters], cwd, 'shown', environment);
  const outcome = existsSync(report)
    ? { ...readReport(report), skipped: existsSync(skipped) ? readSkipped(skipped) : [] }
    : { count: { passed: 0, failed: 0, skipped: 0 }, failures: new Map(), failedFiles: [], skipped: [] };
  await rm(directory, { recursive: true, force: true });
  // A suite that broke before or after its tests has failed, whatever it counted.
  if (code !== 0 && outcome.count.failed === 0) outcome.count.failed = 1;
  return outcome;
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** Vitest's JSON report: its counts, and a text for each failed test and for each file that failed outside of tests. */
function readReport(path: string): Omit<Outcome, 'skipped'> {
  const report: Report = JSON.parse(readFileSync(path, 'utf8'));
  const failures = new Map<string, string>();
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const { failureMessages, fullName } of failed) {
      const test = `  ${file} > ${fullName}`;
      failures.set(test, `${test}\n${ownLines(failureMessages.join('\n'))}`);
    }
    if (status === 'failed' && failed.length === 0) failures.set(`  ${file}`, `  ${file}\n${message}`);
  }
  const { numPassedTests, numFailedTests, numPendingTests } = report;
  const failedFiles = report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const count = { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  return { count, failures, failedFiles };
}

/** A line for each file and reason. */
function readSkipped(path: string): string[] {
  const tests: readonly SkippedTest[] = JSON.parse(readFileSync(path, 'utf8'));
  const lines = Map.groupBy(
    tests,
    ({ file, note }) => `${relative(root, file)}: ${note ?? 'its test does not say why'}`,
  );
  return [...lines].map(([line, { length }]) => `Skipped: ${length} in ${line}`);
}

/** Without the frames of packages. */
function ownLines(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules|^\s+at new Promise/.test(line))
    .join('\n');
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  output: 'shown' | 'quiet',
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const stdio = output === 'shown' ? 'inherit' : 'pipe';
    const child = spawn(program, args, { cwd, stdio, env: { ...process.env, ...env } });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
