import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@portal/contracts';
import { dataFolder } from '@portal/testing/data-folder';
import {
  type Engines,
  freePorts,
  type ServiceSet,
  startEngines,
  startServices,
} from '@portal/testing/distributed';
import { type Engine, engineIsInDocker } from '@portal/testing/engines';
import { buildImageFiles } from '@portal/testing/images';
import { canCopy, copyInto, madeOnce, runFolderSetting } from '@portal/testing/made-once';
import pg from 'pg';

/** The product as a process per service, from the files of the images, on real engines that a test may stop and kill. */
export interface DistributedHost {
  /** Where the gateway of the first set answers. */
  readonly url: string;
  readonly dataDir: string;
  /** One or more processes of each service, all on the same engines. */
  readonly sets: readonly ServiceSet[];
  /** `postgres`, `kafka` or `s3`. */
  engine(name: string): Engine;
  /** A process of the first set. */
  service(name: ServiceName): Engine;
  /** A connection to a service's database that its rules do not bind; whoever gets it ends it. */
  connect(service: ServiceName): Promise<pg.Client>;
  /** Reads a service's database past its rules. */
  query<T extends pg.QueryResultRow>(service: ServiceName, sql: string, ...params: unknown[]): Promise<T[]>;
  /** Kafka's addresses. */
  readonly brokers: readonly string[];
  /** Starts every process again, with other settings, where it was. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Begins with a copy of the data of the first one of the test run, where engines keep it in folders and `env` does not choose
 * between a demo and none: most of a first start is the making of databases.
 */
export async function startDistributedHost(
  options: { sets?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<DistributedHost> {
  const runFolder = process.env[runFolderSetting];
  if (runFolder === undefined) throw new Error(`${runFolderSetting} names no folder`);
  const images = await madeOnce(runFolder, 'images', buildImageFiles);
  const dataDir = await dataFolder('portal-distributed-');
  const choosesDemo = 'DEMO' in (options.env ?? {});
  if (!choosesDemo && canCopy && !(await engineIsInDocker()))
    await copyInto(dataDir, await madeOnce(runFolder, 'distributed', (folder) => fill(folder, images)));
  const engines: Engines = await startEngines({ dataDir, given: {}, step: () => undefined });
  const sets: ServiceSet[] = [];
  const ports = new Map<number, (service: ServiceName) => number>();
  const stopAll = async () => void (await Promise.all(sets.splice(0).map((set) => set.stop())));
  const remove = async () => {
    await stopAll();
    await engines.remove();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await startAll({});
  } catch (error) {
    await remove();
    throw error;
  }

  async function startAll(env: Readonly<Record<string, string>>): Promise<void> {
    for (let number = 1; number <= (options.sets ?? 1); number += 1) sets.push(await startSet(number, env));
  }

  async function startSet(number: number, env: Readonly<Record<string, string>>): Promise<ServiceSet> {
    const portOf = ports.get(number) ?? (await freePorts());
    ports.set(number, portOf);
    return startServices({
      dataDir,
      images,
      env: { ...engines.settings, LOG_LEVEL: 'info', RATE_LIMIT: 'off', ...options.env, ...env },
      portOf,
      suffix: number === 1 ? '' : `-${number}`,
    });
  }

  async function connect(service: ServiceName): Promise<pg.Client> {
    const url = new URL(engines.settings['DATABASE_URL'] ?? '');
    url.pathname = `/portal_${service}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return client;
  }

  return {
    url: sets[0]?.url ?? '',
    dataDir,
    sets,
    async restart(env) {
      await stopAll();
      await startAll(env);
    },
    engine: (name) => present(engines.started.get(name), name),
    service: (name) => present(sets[0]?.services.get(name), name),
    connect,
    async query(service, sql, ...params) {
      const client = await connect(service);
      try {
        return (await client.query(sql, params)).rows;
      } finally {
        await client.end();
      }
    },
    brokers: (engines.settings['KAFKA_BROKERS'] ?? '').split(','),
    remove,
  };
}

/** Leaves the data of a product that has started and stopped once in `dataDir`. */
async function fill(dataDir: string, images: string): Promise<void> {
  await mkdir(dataDir);
  const engines = await startEngines({ dataDir, given: {}, step: () => undefined });
  try {
    const set = await startServices({
      dataDir,
      images,
      env: { ...engines.settings, LOG_LEVEL: 'info', RATE_LIMIT: 'off' },
      portOf: await freePorts(),
    });
    await set.stop();
  } finally {
    await engines.stop();
  }
  // What was printed is nobody else's.
  for (const folder of ['logs', 'pids']) await rm(join(dataDir, folder), { recursive: true });
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`There is no ${name}`);
  return value;
}
