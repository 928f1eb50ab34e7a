import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '../../bench/support/session.ts';
import { fileRoutes, serviceNames } from '../../packages/contracts/src/index.ts';
import { startEngines } from '../../packages/testing/src/distributed.ts';
import { freePort } from '../../packages/testing/src/product.ts';
import { type Cluster, clusterIn, run, until } from './cluster.ts';
import { startWitness } from './events.ts';
import { testFaults } from './faults.ts';
import { tellFigures } from './figures.ts';
import { forward } from './forward.ts';
import { makeSecret, release, secretValues, upgrade, valuesOf } from './install.ts';
import { createReport } from './report.ts';

/**
 * The tests themselves, where the cluster and the engines are reached: `inside.ts REPORT`. What it needs to know comes by
 * the environment from main.ts.
 */

const root = join(import.meta.dirname, '..', '..');
const [reportFile = ''] = process.argv.slice(2);
const {
  ENGINES_HOST: enginesHost,
  IMAGE_REPOSITORY: repository = '',
  IMAGE_PULL_POLICY: pullPolicy = 'IfNotPresent',
  PORTAL_URL: givenUrl,
} = process.env;

const report = createReport();
const folder = await mkdtemp(join(tmpdir(), 'portal-kubernetes-'));
const cluster = clusterIn('portal-test');
const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
try {
  await Promise.race([test(), new Promise((_, reject) => stopping.signal.addEventListener('abort', reject))]);
} catch (error) {
  console.error(error);
  report.add({ passed: 0, failed: 1, skipped: 0 });
}
for (const stop of stops.reverse()) await Promise.resolve(stop()).catch(console.error);
await writeFile(reportFile, JSON.stringify(report.count));
process.exit();

async function test(): Promise<void> {
  // Helm and kubectl are here for certain; elsewhere what the chart renders may have been skipped.
  await runSpecs(root, ['packages/testing/test/helm.test.ts']);
  const engines = await startEngines({
    dataDir: folder,
    given: process.env,
    step: (text) => console.log(`• ${text}`),
    ...(enginesHost && { host: enginesHost }),
  });
  stops.push(() => engines.stop());
  const settings = { ...definedOf(process.env), ...engines.settings };
  const port = await freePort();
  const url = givenUrl ?? `http://127.0.0.1:${port}`;
  const values = join(folder, 'values.json');
  await writeFile(
    values,
    JSON.stringify(valuesOf({ engines: settings, repository, publicUrl: url, pullPolicy })),
  );

  await run('kubectl', ['create', 'namespace', cluster.namespace]);
  stops.push(() => run('kubectl', ['delete', 'namespace', cluster.namespace, '--timeout=120s']));
  await makeSecret(cluster, 'portal', secretValues(settings));

  const installed = await report.test('helm install, until every pod is ready', async (say) => {
    await upgrade(cluster, values);
    for (const service of serviceNames) {
      const pods = await cluster.podsOf(service);
      say(`${service}: ${pods.map((pod) => pod.metadata.name).join(', ')}`);
    }
  });
  if (!installed) {
    console.log(await toldOfPods(cluster));
    return report.skip('everything else', 'there is nothing to test');
  }
  stops.push(() => cluster.helm('uninstall', release, '--wait'));
  if (!givenUrl) {
    const service = ['get', 'service', 'portal-gateway', '-o', 'jsonpath={.spec.clusterIP}'];
    const address = await cluster.kubectl(...service);
    stops.push(await forward(port, { host: address, port: 80 }));
  }

  await report.test('somebody signs in and finds the demo data', async (say) => {
    const ms = await until('the demo data', () => hasDemoData(url), { withinMs: 60_000 });
    say(`after ${Math.round(ms)} ms`);
  });
  // The main job, of people with a browser and of players.
  await runSpecs(join(root, 'e2e'), ['sign-in', 'groups', 'delivery'], { PORTAL_URL: url });
  const adminUrl = settings['DATABASE_URL'] ?? '';
  if (process.argv.includes('--figures')) {
    await report.test('what it takes', (say) => tellFigures({ cluster, url, adminUrl }, say));
  }
  if (process.argv.includes('--main')) return;
  const witness = await startWitness({
    brokers: (settings['KAFKA_BROKERS'] ?? '').split(','),
    adminUrl,
  });
  stops.push(() => witness.close());
  await testFaults({ cluster, report, url, values, witness });
}

async function hasDemoData(url: string): Promise<boolean> {
  const { api } = await signIn(url, { partnerCode: '1000', user: 'partner@example.com' });
  const { files } = await api.call(fileRoutes.listFiles, { params: { pid: 1 }, query: {} });
  return files.length >= 3;
}

/** Tests of the repository, by the beginning of their names, with the tools and the product that are here. */
async function runSpecs(
  cwd: string,
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const results = join(folder, 'specs.json');
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  const args = ['run', ...names, '--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const failure = await run(vitest, args, { cwd, env, shown: true }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { numFailedTests, numPassedTests, numPendingTests } = JSON.parse(
    await readFile(results, 'utf8').catch(
      () => '{"numFailedTests":1,"numPassedTests":0,"numPendingTests":0}',
    ),
  );
  await rm(results, { force: true });
  const failed = failure && numFailedTests === 0 ? 1 : numFailedTests;
  report.add({ passed: numPassedTests, failed, skipped: numPendingTests });
}

async function toldOfPods({ kubectl }: Cluster): Promise<string> {
  const told = await Promise.all(
    [
      kubectl('get', 'pods', '-o', 'wide'),
      kubectl('get', 'events', '--sort-by=.lastTimestamp'),
      kubectl('logs', '-l', 'app.kubernetes.io/part-of=portal', '--all-containers', '--prefix', '--tail=20'),
    ].map((text) => text.catch(String)),
  );
  return told.join('\n');
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
