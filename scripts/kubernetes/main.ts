import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareEngines } from '../../packages/testing/src/distributed.ts';
import { buildImages } from '../images/build-images.ts';
import { run } from './cluster.ts';
import type { Count } from './report.ts';

/**
 * `npm run test:kubernetes`: the product on a real cluster. With `KUBECONFIG` that one, which pulls the images from
 * IMAGE_REPOSITORY and lets the gateway be reached at PORTAL_URL; the engines' settings are given as for the distributed
 * host. Otherwise one is brought up here, with the engines beside it. `--main` leaves out the faults.
 */

const root = join(import.meta.dirname, '..', '..');
/** A cluster without Docker, where the machine has it beside the checkout. */
const local = join(root, '..', 'shared', 'kubernetes');
const localRepository = 'localhost/portal';
/** The address of the node, which pods reach. */
const localHost = '10.99.0.1';
const tags = ['1', '2'];

const step = (text: string) => console.log(`• ${text}`);
const node = join(root, 'node_modules', 'node', 'bin', 'node');
const inside = [join(import.meta.dirname, 'inside.ts')];
const folder = await mkdtemp(join(tmpdir(), 'portal-kubernetes-'));
const reportFile = join(folder, 'report.json');
const args = [...inside, reportFile, ...process.argv.slice(2)];

let count: Count = { passed: 0, failed: 1, skipped: 0 };
try {
  if (process.env['KUBECONFIG']) count = await testGiven();
  else if (existsSync(join(local, 'up'))) count = await testLocal();
  else {
    step('Skipped: KUBECONFIG names no cluster, and there is nothing here to bring one up with');
    count = { passed: 0, failed: 0, skipped: 1 };
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
await rm(folder, { recursive: true, force: true });
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 ? 0 : 1);

async function testGiven(): Promise<Count> {
  const needed = ['IMAGE_REPOSITORY', 'PORTAL_URL', 'DATABASE_URL', 'KAFKA_BROKERS', 'S3_ENDPOINT'];
  const missing = needed.filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`With KUBECONFIG these are required: ${missing.join(', ')}`);
  const repository = process.env['IMAGE_REPOSITORY'] ?? '';
  for (const tag of tags) await buildImages({ repository, tag, step, push: true });
  return testInside(node, args, {});
}

async function testLocal(): Promise<Count> {
  step('Preparing the cluster and the engines');
  await run(join(local, 'build'), []);
  await prepareEngines();
  await run(join(local, 'base-image'), [node]);
  const images: string[] = [];
  for (const tag of tags)
    images.push(...(await buildImages({ repository: localRepository, tag, step })).values());
  step('Bringing the cluster up');
  await run(join(local, 'up'), []);
  try {
    for (const image of images) await run(join(local, 'load'), [image]);
    return await testInside(join(local, 'enter'), [node, ...args], {
      ENGINES_HOST: localHost,
      IMAGE_REPOSITORY: localRepository,
      IMAGE_PULL_POLICY: 'Never',
    });
  } finally {
    step('Taking the cluster down');
    await run(join(local, 'down'), []);
  }
}

async function testInside(
  program: string,
  programArgs: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Count> {
  await run(program, programArgs, { env, shown: true });
  return JSON.parse(await readFile(reportFile, 'utf8'));
}
