import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, serviceNames } from '../../packages/contracts/src/index.ts';
import { type Cluster, isReady, until } from './cluster.ts';
import type { Witness } from './events.ts';
import { makeSecret, release, untilPods, upgrade } from './install.ts';
import { type Failure, type LoadResult, startLoad, startRush, toldOf } from './load.ts';
import type { Report } from './report.ts';

/** What a cluster does to an installation day by day, and what people do wrong, each under a steady load. */

export interface Scene {
  readonly cluster: Cluster;
  readonly report: Report;
  readonly url: string;
  /** The values file. */
  readonly values: string;
  readonly witness: Witness;
}

type Say = (line: string) => void;

/** Before and after what is done, so that there is something to compare with. */
const calmMs = 3_000;

export async function testFaults(scene: Scene): Promise<void> {
  const { report } = scene;
  await report.test('every service upgraded at once under load', (say) => upgradeAll(scene, say));
  for (const service of serviceNames)
    await report.test(`a pod of ${service} deleted under load`, (say) => deletePod(scene, service, say));
  for (const service of ['file', 'gateway'] as const)
    await report.test(`${service} scaled 1 → 3 → 1 under load`, (say) => scale(scene, service, say));
  await report.test('an image that is not there', (say) => badImage(scene, say));
  await report.test('a wrong secret', (say) => wrongSecret(scene, say));
  await report.test('the autoscaler raises the gateway and lowers it', (say) => autoscale(scene, say));
}

async function upgradeAll(scene: Scene, say: Say): Promise<void> {
  const { cluster, values } = scene;
  const result = await underLoad(scene, say, async () => {
    const begun = performance.now();
    await upgrade(cluster, values, { 'global.image.tag': '2' });
    say(`upgraded in ${seconds(begun)}`);
  });
  for (const service of serviceNames) {
    await untilPods(cluster, service, 2);
    for (const { spec } of await cluster.podsOf(service))
      assert.match(spec.containers[0]?.image ?? '', /:2$/);
  }
  assertNoFailure(result);
}

async function deletePod(scene: Scene, service: ServiceName, say: Say): Promise<void> {
  const { cluster } = scene;
  const result = await underLoad(scene, say, async () => {
    const [pod] = await cluster.podsOf(service);
    assert(pod);
    const begun = performance.now();
    await cluster.kubectl('delete', 'pod', pod.metadata.name, '--wait=false');
    await untilPods(cluster, service, 2);
    say(`two pods again after ${seconds(begun)}`);
  });
  assertNoFailure(result);
}

async function scale(scene: Scene, service: ServiceName, say: Say): Promise<void> {
  const { cluster } = scene;
  const to = async (count: number) => {
    const begun = performance.now();
    await cluster.kubectl('scale', 'deployment', `${release}-${service}`, `--replicas=${count}`);
    await untilPods(cluster, service, count);
    say(`${count} after ${seconds(begun)}`);
  };
  await to(1);
  const result = await underLoad(scene, say, async () => {
    await to(3);
    await sleep(calmMs);
    await to(1);
  });
  await to(2);
  assertNoFailure(result);
}

async function badImage(scene: Scene, say: Say): Promise<void> {
  const { cluster, values } = scene;
  const upgraded = { 'global.image.tag': '2' };
  const result = await underLoad(scene, say, async () => {
    // The gateway has no migrations, so that it is the rollout that meets the image.
    await assert.rejects(upgrade(cluster, values, { ...upgraded, 'gateway.image.tag': 'missing' }, '15s'));
    const pods = await cluster.podsOf('gateway');
    assert.equal(pods.filter(isReady).length, 2, 'the old version serves on');
    say(`the rollout stops: ${pods.filter(isReady).length} of ${pods.length} pods ready`);
    const begun = performance.now();
    await cluster.helm('rollback', release, '--wait', '--timeout', '120s');
    await untilPods(cluster, 'gateway', 2);
    say(`rolled back in ${seconds(begun)}`);
    // Elsewhere the migration meets it, before anything else is touched.
    await assert.rejects(upgrade(cluster, values, { ...upgraded, 'file.image.tag': 'missing' }, '15s'));
    for (const { spec } of await cluster.podsOf('file')) assert.match(spec.containers[0]?.image ?? '', /:2$/);
    await cluster.helm('rollback', release, '--wait', '--timeout', '120s');
    say('where there is a migration, the upgrade ends before it, with nothing changed');
  });
  assertNoFailure(result);
}

async function wrongSecret(scene: Scene, say: Say): Promise<void> {
  const { cluster } = scene;
  const password = 'not-the-password';
  await makeSecret(cluster, 'wrong', { DATABASE_PASSWORD: password });
  const result = await underLoad(scene, say, async () => {
    // With Helm its job would give the role that password as well.
    await cluster.kubectl(
      ...['set', 'env', 'deployment/portal-tenant', '--from=secret/wrong', '--keys=DATABASE_PASSWORD'],
    );
    await until(
      'a pod that waits for its database',
      async () => {
        const pod = (await cluster.podsOf('tenant')).find((candidate) => !isReady(candidate));
        return pod !== undefined && (await cluster.kubectl('logs', pod.metadata.name)).includes('Waiting');
      },
      { withinMs: 60_000 },
    );
    const pods = await cluster.podsOf('tenant');
    const pod = pods.find((candidate) => !isReady(candidate));
    assert(pod, 'a pod that is not ready');
    const log = await cluster.kubectl('logs', pod.metadata.name);
    const lines = log.trim().split('\n');
    say(`not ready, and says: ${lines.join('\n')}`);
    assert.match(log, /Waiting for the database portal_tenant .*password authentication failed/);
    assert(!log.includes(password), 'without the secret');
    await cluster.kubectl('rollout', 'undo', 'deployment/portal-tenant');
    await untilPods(cluster, 'tenant', 2);
  });
  assertNoFailure(result);
}

async function autoscale(scene: Scene, say: Say): Promise<void> {
  const { cluster, url, values } = scene;
  await upgrade(cluster, values, {
    'global.image.tag': '2',
    'gateway.autoscaling': {
      enabled: true,
      minReplicas: 1,
      maxReplicas: 3,
      cpuPercent: 70,
      scaleDownSeconds: 15,
    },
  });
  await untilPods(cluster, 'gateway', 1, 180_000);
  const rush = await startRush(url, 'update check', 40);
  const begun = performance.now();
  try {
    await until('more than one gateway', async () => (await cluster.replicasOf('gateway')) > 1, {
      withinMs: 180_000,
    });
    say(`${await cluster.replicasOf('gateway')} gateways after ${seconds(begun)}`);
  } finally {
    const { failed, perSecond } = await rush.stop();
    say(`under ${Math.round(perSecond)} update checks/s, ${failed} failed`);
  }
  const over = performance.now();
  await untilPods(cluster, 'gateway', 1, 240_000);
  say(`one again ${seconds(over)} after the load`);
}

/** Runs `work` in the middle of a steady load, and makes sure that no event of it is lost. */
async function underLoad(scene: Scene, say: Say, work: () => Promise<void>): Promise<LoadResult> {
  const load = await startLoad(scene.url);
  let result: LoadResult;
  try {
    await sleep(calmMs);
    await work();
    await sleep(calmMs);
  } finally {
    result = await load.stop();
    say(toldOf(result));
    for (const failure of result.failures.slice(0, 10)) say(told(failure));
  }
  say(`${await scene.witness.seenAll(result)} events, 0 lost`);
  return result;
}

function assertNoFailure({ failures }: LoadResult): void {
  assert.equal(failures.length, 0, `${failures.length} requests failed`);
}

const told = ({ at, kind, reason }: Failure) => `${at.toISOString()} ${kind}: ${reason}`;
const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
