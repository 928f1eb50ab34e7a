import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '../../packages/contracts/src/index.ts';
import { type Cluster, isReady, until } from './cluster.ts';

/** The installation that is tested: the chart, its Secret, and the values that differ for a small cluster. */

export const release = 'portal';
const chart = join(import.meta.dirname, '..', '..', 'helm', 'portal');

export interface Engines {
  readonly [setting: string]: string;
}

/** The Secret that an operator makes before the first install. */
export async function makeSecret(cluster: Cluster, name: string, values: Readonly<Record<string, string>>) {
  await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: values });
}

export function secretValues(engines: Engines): Record<string, string> {
  const made = execFileSync(process.execPath, [join(import.meta.dirname, '..', 'secrets.ts')]).toString();
  const lines = made.trim().split('\n');
  return {
    ...Object.fromEntries(
      lines.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
    ),
    DATABASE_ADMIN_URL: engines['DATABASE_URL'] ?? '',
    MONGODB_URL: engines['MONGODB_URL'] ?? '',
    S3_ACCESS_KEY_ID: engines['S3_ACCESS_KEY_ID'] ?? '',
    S3_SECRET_ACCESS_KEY: engines['S3_SECRET_ACCESS_KEY'] ?? '',
  };
}

/** The one small values file. */
export function valuesOf(options: {
  engines: Engines;
  repository: string;
  publicUrl: string;
  pullPolicy: string;
}): object {
  const { engines, publicUrl, pullPolicy, repository } = options;
  const database = new URL(engines['DATABASE_URL'] ?? '');
  const storage = new URL(engines['S3_ENDPOINT'] ?? '');
  const documents = URL.parse(engines['MONGODB_URL'] ?? '');
  const brokers = (engines['KAFKA_BROKERS'] ?? '').split(',');
  const pods = {
    replicas: 2,
    autoscaling: { enabled: false },
    // So that all of them, and those that take their places, find room on a node of two cores.
    resources: { requests: { cpu: '50m' } },
  };
  return {
    global: {
      image: { repository, tag: '1', pullPolicy },
      publicUrl,
      demo: true,
      engines: {
        database: { url: `postgresql://${database.host}`, port: Number(database.port) },
        kafka: {
          brokers,
          port: Number(brokers[0]?.split(':')[1]),
          replicationFactor: 1,
          minInsyncReplicas: 1,
        },
        storage: {
          endpoint: storage.origin,
          region: engines['S3_REGION'],
          bucket: engines['S3_BUCKET'],
          port: Number(storage.port),
        },
        ...(documents && { documents: { port: Number(documents.port) } }),
      },
    },
    ...Object.fromEntries(serviceNames.map((service) => [service, pods])),
    gateway: { ...pods, settings: { RATE_LIMIT: 'off' } },
    identity: { ...pods, settings: { RATE_LIMIT: 'off' } },
    user: { ...pods, settings: { RATE_LIMIT: 'off' } },
  };
}

/** Installs or upgrades and waits until the new pods are ready, with `more` as in `--set`. */
export async function upgrade(
  cluster: Cluster,
  values: string,
  more: Readonly<Record<string, unknown>> = {},
  within = '240s',
): Promise<void> {
  const set = Object.entries(more).flatMap(([name, value]) => [
    '--set-json',
    `${name}=${JSON.stringify(value)}`,
  ]);
  await cluster.helm(
    'upgrade',
    '--install',
    release,
    chart,
    '-f',
    values,
    '--wait',
    '--timeout',
    within,
    ...set,
  );
}

/** Waits until as many pods of the service as asked for are ready, and no other is left. */
export async function untilPods(
  cluster: Cluster,
  service: ServiceName,
  count: number,
  withinMs = 120_000,
): Promise<number> {
  return until(
    `${count} pods of ${service}`,
    async () => {
      const pods = await cluster.podsOf(service);
      return pods.length === count && pods.every(isReady);
    },
    { withinMs },
  );
}
