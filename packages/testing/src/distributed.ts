import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceName, serviceNames } from '@portal/contracts';
import { notedSettings, notesOf, originSetting, withoutRole } from '@portal/service-kit/host';
import { messageOf } from './engines/cache.ts';
import { type Engine, type StoredEngine, startEngine } from './engines/engine-process.ts';
import { prepareKafka, startKafka } from './engines/kafka.ts';
import { prepareMongo, startMongo } from './engines/mongodb.ts';
import { startPostgres } from './engines/postgres.ts';
import { prepareS3, startS3 } from './engines/s3.ts';
import { freePort, isFree } from './product.ts';
import { projectNode, root, serverOptions, serviceEnvironment } from './project.ts';

/** Every service as a process of its own, on this machine: for development and for tests of the real thing. */

const run = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;

/** The engines that the services stand on, and the settings that lead to them. */
export interface Engines {
  readonly settings: Readonly<Record<string, string>>;
  /** Those that were started here: `postgres`, `kafka`, `s3`, `mongodb`. */
  readonly started: ReadonlyMap<string, StoredEngine>;
  stop(): Promise<void>;
  /** Stops them and forgets their data. */
  remove(): Promise<void>;
}

/** Gets what `startEngines` runs natively into the cache, where it is to start without a way to the registries. */
export async function prepareEngines(): Promise<void> {
  await prepareKafka();
  await prepareMongo();
  await prepareS3();
}

/**
 * Starts the engines that `given` names no address of, in Docker where that runs. Their data is in `dataDir`, or in volumes
 * that belong to it.
 */
export async function startEngines(options: {
  dataDir: string;
  /** The address of this machine that others are to reach them at; then none is in Docker. */
  host?: string;
  given: Environment;
  step: (text: string) => void;
}): Promise<Engines> {
  const { dataDir, given, host, step } = options;
  const started = new Map<string, StoredEngine>();
  const settings: Record<string, string> = {};

  async function begin<E extends StoredEngine>(
    name: string,
    start: (options: { dataDir: string; host?: string }) => Promise<E>,
    settingsOf: (engine: E) => Record<string, string>,
  ): Promise<void> {
    step(`Starting ${name}`);
    // Not where the embedded host has its own: the two keep objects in different stores.
    const folder = join(dataDir, 'engines', name);
    await mkdir(folder, { recursive: true });
    const engine = await start({ dataDir: folder, ...(host && { host }) });
    started.set(name, engine);
    Object.assign(settings, settingsOf(engine));
    if (engine.pid !== undefined) await writePid(dataDir, name, engine.pid);
  }

  const stop = async () => {
    for (const engine of [...started.values()].reverse()) await engine.stop();
  };
  try {
    if (!given['DATABASE_URL']) {
      await begin('postgres', startPostgres, ({ adminUrl }) => ({ DATABASE_URL: adminUrl }));
    }
    if (!given['KAFKA_BROKERS']) {
      await begin('kafka', startKafka, ({ brokers }) => ({ KAFKA_BROKERS: brokers.join(',') }));
    }
    if (!given['S3_ENDPOINT']) {
      await begin('s3', startS3, (s3) => ({
        S3_ENDPOINT: s3.endpoint,
        S3_REGION: s3.region,
        S3_BUCKET: s3.bucket,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      }));
    }
    if (given['MONGODB_URL'] === undefined) {
      await begin('mongodb', startMongo, ({ url }) => ({ MONGODB_URL: url }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    settings,
    started,
    stop,
    async remove() {
      for (const engine of [...started.values()].reverse()) await engine.remove();
    },
  };
}

/** A free port of this machine for each service. */
export async function freePorts(): Promise<(service: ServiceName) => number> {
  const ports = new Map<ServiceName, number>();
  for (const service of serviceNames) ports.set(service, await freePort());
  return (service) => ports.get(service) ?? 0;
}

/** @throws Error with the ports that are in use: whoever listens there would be taken for a service that has started */
export async function requireFreePorts(
  portOf: (service: ServiceName) => number,
  gatewayHost: string,
): Promise<void> {
  const taken: string[] = [];
  for (const service of serviceNames) {
    const host = service === 'gateway' ? gatewayHost : loopback;
    if (!(await isFree(portOf(service), host))) taken.push(`PORT ${portOf(service)} is in use`);
  }
  if (taken.length > 0) throw new Error(taken.join('\n'));
}

/** One process of each service. */
export interface ServiceSet {
  /** Where its gateway answers. */
  readonly url: string;
  readonly services: ReadonlyMap<ServiceName, Engine>;
  /** The gateway first, so that nothing is asked of services that are gone. */
  stop(): Promise<void>;
}

/**
 * Makes the databases, starts one process of each service and waits until all serve and, with DEMO=1, the demo data is there. `env` holds the
 * settings of the engines; the secrets are those of `dataDir`, where the logs and the process ids go as well.
 */
export async function startServices(options: {
  dataDir: string;
  env: Environment;
  portOf(service: ServiceName): number;
  /** Where the gateway listens, unless on this machine alone, as the others do. */
  host?: string;
  /** Tells sets of services on one data folder apart. */
  suffix?: string;
  /** Where the files of each image lie, in a folder of its name: the services are started from these, not from their sources. */
  images?: string;
  onExit?: (service: ServiceName, how: string) => void;
}): Promise<ServiceSet> {
  const { dataDir, env, host = loopback, images, onExit, suffix = '' } = options;
  const hostOf = (service: ServiceName) => (service === 'gateway' ? host : loopback);
  const origins = new Map(
    serviceNames.map((service) => [
      service,
      `http://${reachedAt(hostOf(service))}:${options.portOf(service)}`,
    ]),
  );
  await writeProcessSettings(dataDir, suffix, {
    PUBLIC_URL: origins.get('gateway'),
    ...Object.fromEntries([...origins].map(([service, origin]) => [originSetting(service), origin])),
    ...env,
  });
  await provision(dataDir, suffix);
  const started = await Promise.allSettled(
    [...origins].map(async ([service, origin]) => {
      const engine = await startEngine({
        name: `${service}${suffix}`,
        program: projectNode,
        args: images
          ? [...serverOptions, join(images, service, 'services', service, 'main.js')]
          : [...serverOptions, join(root, 'scripts', 'start-service.ts'), service],
        env: {
          ...serviceEnvironment,
          DATA_DIR: dataDir,
          SERVICE_SET: suffix,
          HOST: hostOf(service),
          PORT: String(options.portOf(service)),
          ...(images && (await settingsOfImage(service, dataDir, suffix))),
        },
        logDir: join(dataDir, 'logs'),
        isServing: () => isReady(origin),
        ...(onExit && { onExit: (how: string) => onExit(service, how) }),
      });
      return [service, engine] as const;
    }),
  );
  const services = new Map(
    started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
  );
  const stop = async () => {
    await services.get('gateway')?.stop();
    await Promise.all([...services.values()].map((service) => service.stop()));
  };
  const failures = started.flatMap((result) =>
    result.status === 'rejected' ? [messageOf(result.reason)] : [],
  );
  if (failures.length > 0) {
    await stop();
    throw new Error(failures.join('\n'));
  }
  return { url: origins.get('gateway') ?? '', services, stop };
}

const loopback = '127.0.0.1';

/** How this machine reaches what listens at a host. */
function reachedAt(host: string): string {
  if (host === '0.0.0.0' || host === '::') return loopback;
  return host.includes(':') ? `[${host}]` : host;
}

/** What the container of a service is given. */
async function settingsOfImage(service: ServiceName, dataDir: string, set: string): Promise<Environment> {
  const settings = await notedSettings(service, { dataDir, set });
  const { DATABASE_URL: database } = settings;
  return { ...settings, NODE_ENV: 'production', ...(database && { DATABASE_URL: withoutRole(database) }) };
}

/** The databases, before the services, which may not make them. @throws Error with what it says */
async function provision(dataDir: string, suffix: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, SERVICE_SET: suffix };
  await run(projectNode, [join(root, 'scripts', 'provision.ts')], { env }).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(said || messageOf(error), { cause: error });
  });
}

/** A service answers, and has filled in the demo data if it has any. */
async function isReady(origin: string): Promise<boolean> {
  const reply = await fetch(`${origin}/readyz`);
  return reply.ok && !(await reply.text()).includes('"demo":"down"');
}

/** Keeps the settings for whoever starts a service of the set again. They hold the secrets of engines. */
async function writeProcessSettings(dataDir: string, suffix: string, env: Environment): Promise<void> {
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  await writeFile(notesOf(dataDir, suffix), JSON.stringify(env, null, 2), { mode: 0o600 });
}

async function writePid(dataDir: string, name: string, pid: number): Promise<void> {
  await mkdir(join(dataDir, 'pids'), { recursive: true });
  await writeFile(join(dataDir, 'pids', `${name}.pid`), `${pid}\n`);
}
