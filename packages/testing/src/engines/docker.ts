import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { StoredEngine } from './engine-process.ts';

const run = promisify(execFile);
const composeFile = join(import.meta.dirname, '..', '..', '..', '..', 'docker-compose.dev.yml');
const answersWithinMs = 15_000;

export interface ComposedEngine extends StoredEngine {
  /** As in `127.0.0.1:5432`. */
  readonly address: string;
  /** What the engine was configured with, its password among it. */
  readonly environment: Readonly<Record<string, string>>;
}

const composed = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.union([z.string(), z.number()]).nullable()).default({}),
      ports: z.array(z.object({ host_ip: z.string(), published: z.coerce.string() })),
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
 * Starts an engine of docker-compose.dev.yml. Each `dataDir` has volumes of its own, so that what one portal keeps is
 * never another's; the addresses are those of the file, so only one can run at a time.
 */
export async function startInDocker(engine: string, dataDir: string): Promise<ComposedEngine> {
  const project = await projectOf(dataDir);
  const compose = async (...args: readonly string[]) => {
    const { stdout } = await run('docker', [
      ...['compose', '--file', composeFile, '--project-name', project],
      ...args,
    ]).catch((error: unknown) => {
      throw failure(`The engine ${engine} could not be started in Docker`, error);
    });
    return stdout;
  };
  const { services } = composed.parse(JSON.parse(await compose('config', '--format', 'json')));
  const service = services[engine];
  const port = service?.ports[0];
  if (!service || !port) throw new Error(`docker-compose.dev.yml opens no ${engine}`);

  const up = async () => void (await compose('up', '--wait', engine));
  await up();
  return {
    // Docker's own: on some machines its containers are in a machine of their own.
    pid: undefined,
    address: `${port.host_ip}:${port.published}`,
    environment: Object.fromEntries(
      Object.entries(service.environment).map(([name, value]) => [name, String(value ?? '')]),
    ),
    start: up,
    stop: async () => void (await compose('down')),
    kill: async () => void (await compose('kill', engine)),
    async remove() {
      await compose('down', '--volumes');
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
