import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '../../packages/contracts/src/index.ts';
import { prepareEngines } from '../../packages/testing/src/distributed.ts';
import { buildImages } from '../images/build-images.ts';
import { run } from './cluster.ts';
import { claimCluster, clusterFolder, stateOfCluster } from './leftover.ts';
import { createReport } from './report.ts';

/**
 * `npm run test:kubernetes`: the product on a real cluster. With `KUBECONFIG` that one, which pulls the images from
 * IMAGE_REPOSITORY and lets the gateway be reached at PORTAL_URL; the engines' settings are given as for the distributed
 * host, but without `MONGODB_URL` the documents are in PostgreSQL. Otherwise one is brought up here, with the engines beside it. `--main`
 * leaves out the faults, `--figures` measures what docs/scaling.md reckons with.
 */

const root = join(import.meta.dirname, '..', '..');
/** A cluster without Docker, where the machine has it beside the checkout. */
const local = join(root, '..', 'shared', 'kubernetes');
const localRepository = 'localhost/portal';
/** The address of the node, which pods reach. */
const localHost = '10.99.0.1';
const tags = ['1', '2'];
/** What an image may add to its base. */
const mostBytes = 120e6;

const step = (text: string) => console.log(`• ${text}`);
const node = join(root, 'node_modules', 'node', 'bin', 'node');
const inside = [join(import.meta.dirname, 'inside.ts')];
const folder = await mkdtemp(join(tmpdir(), 'portal-kubernetes-'));
const reportFile = join(folder, 'report.json');
const args = [...inside, reportFile, ...process.argv.slice(2)];

const report = createReport();
try {
  if (process.env['KUBECONFIG']) await testGiven();
  else if (existsSync(join(local, 'up'))) await testLocal();
  else
    report.skip('everything', 'KUBECONFIG names no cluster, and there is nothing here to bring one up with');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  report.add({ passed: 0, failed: 1, skipped: 0 });
}
await rm(folder, { recursive: true, force: true });
const { failed, passed, skipped } = report.count;
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);

async function testGiven(): Promise<void> {
  const needed = ['IMAGE_REPOSITORY', 'PORTAL_URL', 'DATABASE_URL', 'KAFKA_BROKERS', 'S3_ENDPOINT'];
  const missing = needed.filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`With KUBECONFIG these are required: ${missing.join(', ')}`);
  const repository = process.env['IMAGE_REPOSITORY'] ?? '';
  await testImages();
  for (const tag of tags) await buildImages({ repository, tag, step, push: true });
  // What would be started here is out of reach of the cluster.
  await testInside(node, args, { MONGODB_URL: process.env['MONGODB_URL'] ?? '' });
}

async function testLocal(): Promise<void> {
  const state = await stateOfCluster();
  if (state === 'used') {
    report.skip('everything', `the cluster of this machine (${clusterFolder}) is in use`);
    return;
  }
  if (state === 'leftover') {
    step('Taking down the cluster of a run that was killed');
    await run(join(local, 'down'), []);
  }
  step('Preparing the cluster and the engines');
  await run(join(local, 'build'), []);
  await prepareEngines();
  await run(join(local, 'base-image'), [node]);
  await testImages();
  const images: string[] = [];
  for (const tag of tags) {
    const built = await buildImages({ repository: localRepository, tag, step });
    images.push(...built.values());
  }
  step('Bringing the cluster up');
  // From here on an interruption ends what runs, and takes the cluster down as well.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  try {
    await claimCluster();
    await run(join(local, 'up'), []);
    for (const image of images) await run(join(local, 'load'), [image]);
    await testInside(join(local, 'enter'), [node, ...args], {
      ENGINES_HOST: localHost,
      IMAGE_REPOSITORY: localRepository,
      IMAGE_PULL_POLICY: 'Never',
    });
  } finally {
    step('Taking the cluster down');
    await run(join(local, 'down'), []);
  }
}

/** What the images hold, before any is built. */
async function testImages(): Promise<void> {
  await report.test('images are small, and the same sources give the same files', async (say) => {
    const shared = await contentOf('shared');
    for (const service of serviceNames) {
      const own = await contentOf(service);
      say(`${service}: ${megabytes(own.bytes)} on top of the ${megabytes(shared.bytes)} that all share`);
      assert(own.bytes + shared.bytes <= mostBytes, `${service} adds more than ${megabytes(mostBytes)}`);
    }
    const first = await contentOf('.');
    await run(node, [join(root, 'scripts', 'images', 'bundle.ts')]);
    assert.equal((await contentOf('.')).hash, first.hash, 'bundled again, they differ');
  });
}

async function contentOf(layer: string): Promise<{ bytes: number; hash: string }> {
  const folder = join(root, 'dist', 'images', layer);
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!(await stat(join(folder, name))).isFile()) continue;
    const content = await readFile(join(folder, name));
    hash.update(`${name}\n`).update(content);
    bytes += content.length;
  }
  return { bytes, hash: hash.digest('hex') };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function testInside(
  program: string,
  programArgs: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  await run(program, programArgs, { env, shown: true });
  report.add(JSON.parse(await readFile(reportFile, 'utf8')));
}
