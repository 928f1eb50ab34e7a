import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, serviceNames } from '../../packages/contracts/src/index.ts';
import { withClient } from '../../packages/database/src/index.ts';
import type { Cluster } from './cluster.ts';
import { type Kind, kinds, startRush } from './load.ts';

/** What docs/scaling.md reckons with: what a pod holds at rest, and what each kind of call costs in each service. */

const rushMs = 20_000;
const restMs = 40_000;
/** Kubelets count every 10 to 15 seconds. */
const countedAfterMs = 20_000;
const atOnce: Readonly<Record<Kind, number>> = {
  login: 8,
  list: 16,
  'update check': 16,
  upload: 8,
  group: 8,
};

interface Stats {
  readonly pods: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string };
    readonly containers?: readonly {
      readonly name: string;
      readonly cpu?: { readonly usageCoreNanoSeconds?: number };
      readonly memory?: { readonly workingSetBytes?: number };
    }[];
  }[];
}

export async function tellFigures(
  scene: { cluster: Cluster; url: string; adminUrl: string },
  say: (line: string) => void,
): Promise<void> {
  const { adminUrl, cluster, url } = scene;
  const first = await usage(cluster);
  await sleep(restMs);
  const rest = await usage(cluster);
  /** What a service uses with nothing to do, in cores. */
  const atRest = (service: ServiceName) =>
    (rest[service].cpuMs - first[service].cpuMs) / (rest.at - first.at);
  for (const service of serviceNames) {
    const { memory, pods } = rest[service];
    const cores = (atRest(service) / pods) * 1_000;
    say(
      `${service}: ${Math.round(memory / pods / 2 ** 20)} MiB and ${cores.toFixed(0)} m of a core a pod at rest`,
    );
  }
  const connections = await withClient(adminUrl, async (client) => {
    const sql = `SELECT usename, count(*) FROM pg_stat_activity WHERE usename LIKE 'portal_%' GROUP BY 1 ORDER BY 1`;
    return (await client.query<{ usename: string; count: string }>(sql)).rows;
  });
  say(
    `connections to PostgreSQL: ${connections.map(({ count, usename }) => `${usename} ${count}`).join(', ')}`,
  );
  for (const kind of kinds) {
    await sleep(countedAfterMs);
    const before = await usage(cluster);
    const rush = await startRush(url, kind, atOnce[kind]);
    await sleep(rushMs);
    const { done, failed, perSecond } = await rush.stop();
    await sleep(countedAfterMs);
    const after = await usage(cluster);
    const costs = serviceNames.map((service) => {
      const used = after[service].cpuMs - before[service].cpuMs;
      const ms = (used - atRest(service) * (after.at - before.at)) / done;
      return `${service} ${ms.toFixed(2)}`;
    });
    say(
      `${kind}: ${Math.round(perSecond)}/s with ${atOnce[kind]} at once, ${failed} failed; CPU ms each: ${costs.join(', ')}`,
    );
  }
}

type Usage = Record<ServiceName, { cpuMs: number; memory: number; pods: number }> & { at: number };

/** What the pods of each service have used since they started. */
async function usage({ kubectl, namespace }: Cluster): Promise<Usage> {
  const nodes: { items: { metadata: { name: string } }[] } = JSON.parse(
    await kubectl('get', 'nodes', '-o', 'json'),
  );
  const used = {
    ...Object.fromEntries(serviceNames.map((service) => [service, { cpuMs: 0, memory: 0, pods: 0 }])),
    at: performance.now(),
  } as Usage;
  for (const { metadata } of nodes.items) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary`;
    const { pods }: Stats = JSON.parse(await kubectl('get', '--raw', path));
    for (const { containers = [], podRef } of pods) {
      const service = serviceNames.find((name) => podRef.name.startsWith(`portal-${name}-`));
      if (podRef.namespace !== namespace || !service) continue;
      for (const { cpu, memory } of containers) {
        used[service].cpuMs += (cpu?.usageCoreNanoSeconds ?? 0) / 1e6;
        used[service].memory += memory?.workingSetBytes ?? 0;
        used[service].pods += 1;
      }
    }
  }
  return used;
}
