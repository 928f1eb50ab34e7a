import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StartedTestContainer } from 'testcontainers';
import { parse } from 'yaml';
import { z } from 'zod';
import type { StoredEngine } from './engine-process.ts';

const run = promisify(execFile);
const composeFile = join(import.meta.dirname, '..', '..', '..', '..', 'docker-compose.dev.yml');
const answersWithinMs = 15_000;
const stopsWithinMs = 30_000;
/** Names a container by its data folder and engine. */
const label = 'portal.engine';

export interface ComposedEngine extends StoredEngine {
  /** As in `127.0.0.1:5432`. */
  readonly address: string;
  /** What the engine was configured with, its password among it. */
  readonly environment: Readonly<Record<string, string>>;
}

const duration = z
  .string()
  .regex(/^\d+s$/)
  .transform((text) => Number(text.slice(0, -1)) * 1000);
/** What the file says of an engine; a key that is not here would be ignored, so it is refused. */
const composed = z.object({
  services: z.record(
    z.string(),
    z.strictObject({
      image: z.string(),
      entrypoint: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.coerce.string()).default({}),
      /** As in `127.0.0.1:5432:5432`. */
      ports: z.array(z.string().transform((text) => text.split(':'))),
      /** As in `postgres:/var/lib/postgresql`. */
      volumes: z.array(z.string().transform((text) => text.split(':'))),
      healthcheck: z.strictObject({
        test: z.tuple([z.literal('CMD')], z.string()),
        interval: duration,
        timeout: duration,
        retries: z.number(),
      }),
    }),
  ),
});

/**
 * Whether engines run in Docker: where it answers, and `PORTAL_ENGINES` is not `native`.
 * @throws Error when it is `docker` and Docker does not answer
 */
export async function engineIsInDocker(): Promise<boolean> {
  const wish = process.env['PORTAL_ENGINES'];
  if (wish === 'native') return false;
  try {
    await run('docker', ['info'], { timeout: answersWithinMs });
    return true;
  } catch (error) {
    if (wish === 'docker') throw failure('Docker does not answer, and PORTAL_ENGINES=docker', error);
    return false;
  }
}

/**
 * Starts an engine of docker-compose.dev.yml as a container of `testcontainers`, which removes it when this process is gone.
 * Each `dataDir` has volumes of its own, so that what one portal keeps is never another's; the addresses are those of the
 * file, so only one can run at a time.
 */
export async function startInDocker(engine: string, dataDir: string): Promise<ComposedEngine> {
  // Loaded where Docker answers only: it takes a second.
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const { services } = composed.parse(parse(await readFile(composeFile, 'utf8')));
  const service = services[engine];
  const [hostIp, published, target] = service?.ports[0] ?? [];
  if (!service || !hostIp || !published || !target) {
    throw new Error(`docker-compose.dev.yml opens no ${engine}`);
  }
  const project = await projectOf(dataDir);
  const volumes = service.volumes.map(([name = '', path = '']) => ({
    source: `${project}_${name}`,
    target: path,
  }));

  class Container extends GenericContainer {
    /** Of all addresses of the machine, only that of the file. */
    protected override async beforeContainerCreated(): Promise<void> {
      this.hostConfig.PortBindings = { [`${target}/tcp`]: [{ HostIp: hostIp, HostPort: published }] };
    }
  }
  let running: StartedTestContainer | undefined;
  const name = `${project}_${engine}`;

  /** The container of a process that was killed a moment ago still has the port. */
  async function removeLeftOver(): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const left = await container.fetchByLabel(label, name);
    await left?.remove({ force: true });
  }

  async function start(): Promise<void> {
    if (running || !service) return;
    const container = new Container(service.image)
      .withEnvironment(service.environment)
      .withExposedPorts({ container: Number(target), host: Number(published) })
      .withBindMounts(volumes)
      .withLabels({ [label]: name })
      .withHealthCheck(service.healthcheck)
      .withWaitStrategy(Wait.forHealthCheck());
    if (service.entrypoint) container.withEntrypoint(service.entrypoint);
    running = await removeLeftOver()
      .then(() => container.start())
      .catch((error: unknown) => {
        throw failure(`The engine ${engine} could not be started in Docker`, error);
      });
  }

  async function stop(): Promise<void> {
    const stopping = running;
    running = undefined;
    // The volumes with a name stay.
    await stopping?.stop({ timeout: stopsWithinMs });
  }

  await start();
  return {
    // Docker's own: on some machines its containers are in a machine of their own.
    pid: undefined,
    address: `${hostIp}:${published}`,
    environment: service.environment,
    start,
    stop,
    async kill() {
      if (!running) return;
      const { container } = await getContainerRuntimeClient();
      await container.getById(running.getId()).kill();
      await stop();
    },
    async remove() {
      await stop();
      const { container } = await getContainerRuntimeClient();
      for (const { source } of volumes) await container.dockerode.getVolume(source).remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The same for all starts on the folder. A folder that is deleted and made again is another. */
async function projectOf(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'docker-project');
  await writeFile(file, `portal-${randomBytes(4).toString('hex')}`, { flag: 'wx' }).catch(() => undefined);
  return readFile(file, 'utf8');
}

function failure(what: string, cause: unknown): Error {
  const told = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
  return new Error(`${what}:\n${told.slice(-2_000)}`, { cause });
}
