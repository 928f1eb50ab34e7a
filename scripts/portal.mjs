#!/usr/bin/env node
// Every command of the project starts here, on any installed Node: it installs missing packages, builds what is
// stale, and goes on with the project's own Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** A program of the packages that `folder` of the workspace depends on. */
const bin = (name, folder = '.') =>
  join(root, folder, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
/** The binary itself: the script in `.bin` would not pass signals on. */
const projectNode = join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
/**
 * What Node is started with where it serves (decision 0088). As in packages/testing/src/project.ts, which is not there before the
 * packages are.
 */
const serverOptions = ['--max-semi-space-size=4'];
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [command = 'start', ...args] = process.argv.slice(2);

const commands = {
  async setup() {
    await install();
    await generate();
  },
  async start() {
    await commands.setup();
    await buildWeb();
    await node(...serverOptions, 'services/embedded/src/main.ts');
  },
  async 'start:distributed'() {
    await commands.setup();
    await buildWeb();
    await node('scripts/start-distributed.ts');
  },
  async 'start:service'() {
    await commands.setup();
    await node('scripts/start-service.ts', ...args);
  },
  async provision() {
    await commands.setup();
    await node('scripts/provision.ts');
  },
  async secrets() {
    await install();
    await node('scripts/secrets.ts', ...args);
  },
  async events() {
    await commands.setup();
    await node('scripts/events.ts', ...args);
  },
  async 'two-factor:reset'() {
    await commands.setup();
    await node('scripts/two-factor-reset.ts', ...args);
  },
  async dev() {
    await commands.setup();
    const web = run(bin('vite', 'web'), ['--clearScreen', 'false'], { cwd: join(root, 'web') });
    const host = run(projectNode, [
      ...serverOptions,
      ...['--watch', '--watch-preserve-output', 'services/embedded/src/main.ts'],
    ]);
    await Promise.race([web, host]);
  },
  async test() {
    await commands.setup();
    // The browser tests look at what people would get.
    await buildWeb();
    await node('scripts/test.ts', ...args);
  },
  async check() {
    await commands.setup();
    // Its size is one of the checks.
    await buildWeb();
    await node('scripts/test.ts', '--only', 'checks');
  },
  async format() {
    await commands.setup();
    await run(bin('biome'), ['check', '--write', '.']);
  },
  async bench() {
    await commands.setup();
    await buildWeb();
    await node('bench/main.ts', ...args);
  },
  async player() {
    await commands.setup();
    await node('examples/player/main.ts', ...args);
  },
  async fleet() {
    await commands.setup();
    await node('examples/player/fleet/main.ts', ...args);
  },
  async consumer() {
    await commands.setup();
    await node('examples/consumer/main.ts', ...args);
  },
  async bundle() {
    await commands.setup();
    await buildWeb();
    await node('scripts/images/bundle.ts');
  },
  async images() {
    await commands.bundle();
    await node('scripts/images/main.ts', ...args);
  },
  async 'test:kubernetes'() {
    await commands.bundle();
    await node('scripts/kubernetes/main.ts', ...args);
  },
  async audit() {
    await install();
    await node('scripts/audit/main.ts');
  },
  async openapi() {
    await commands.setup();
    await node('scripts/documents.ts', 'openapi');
  },
  async asyncapi() {
    await commands.setup();
    await node('scripts/documents.ts', 'asyncapi');
  },
};

if (!Object.hasOwn(commands, command)) {
  console.error(`Unknown command: ${command}. One of ${Object.keys(commands).join(', ')}.`);
  process.exit(1);
}
await commands[command]();

/** Installs the locked dependencies, when the lock file has changed since the last time. */
async function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const wanted = hashOf(
    ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((file) => join(root, file)),
  );
  if (isStamped(stamp, wanted)) return;
  step('Installing dependencies');
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  await run(npx, ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    quiet: true,
  });
  writeFileSync(stamp, wanted);
}

/** Makes the database clients; each is made anew only when its schema has changed. */
async function generate() {
  await node('packages/database/src/cli.ts', 'generate');
}

async function buildWeb() {
  const stamp = join(root, 'web', 'dist', '.built');
  const sources = [
    'web/src',
    'web/public',
    'web/build',
    'packages/contracts/src',
    'packages/api-client/src',
  ].flatMap((folder) => filesIn(join(root, folder)));
  const wanted = hashOf([
    ...sources,
    ...['web/index.html', 'web/vite.config.ts', 'pnpm-lock.yaml'].map((file) => join(root, file)),
  ]);
  if (isStamped(stamp, wanted)) return;
  step('Building the web client');
  await run(bin('vite', 'web'), ['build', '--logLevel', 'warn'], { cwd: join(root, 'web') });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash.update(path.slice(root.length)).update(existsSync(path) ? readFileSync(path) : '');
  return hash.digest('hex');
}

function isStamped(path, wanted) {
  return existsSync(path) && readFileSync(path, 'utf8') === wanted;
}

/** Beside what a command prints, which may go into a file. */
function step(text) {
  console.error(`• ${text}`);
}

function node(...rest) {
  return run(projectNode, rest);
}

/** Runs a program to its end, passing signals on, and ends with its exit code when it fails. */
function run(program, programArgs, { cwd = root, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, programArgs, {
      cwd,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: {
        // Compiled sources are kept: a start is quicker, and no process carries the compiler in its memory.
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
      },
    });
    const output = [];
    child.stdout?.on('data', (data) => output.push(data));
    child.stderr?.on('data', (data) => output.push(data));
    // A terminal sends Ctrl-C to the whole group; the others reach this process alone.
    const forward = (signal) => child.kill(signal);
    const ignore = () => {};
    process.on('SIGTERM', forward);
    process.on('SIGINT', process.stdin.isTTY ? ignore : forward);
    child.on('error', (error) => {
      console.error(error.message);
      process.exit(1);
    });
    child.on('close', (code, signal) => {
      process.off('SIGTERM', forward);
      process.off('SIGINT', forward);
      process.off('SIGINT', ignore);
      if (code === 0) return resolve();
      if (quiet) process.stderr.write(Buffer.concat(output));
      process.exit(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
