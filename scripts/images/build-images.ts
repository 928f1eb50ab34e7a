import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '../../packages/contracts/src/index.ts';

const root = join(import.meta.dirname, '..', '..');

export interface ImageOptions {
  /** What images are named after: `<repository>/<service>:<tag>`. */
  readonly repository: string;
  readonly tag: string;
  /** Lines of the builder go here; nothing is shown of a build that works otherwise. */
  readonly step?: (text: string) => void;
  /** Sends them to their registry as well. */
  readonly push?: boolean;
}

/**
 * Builds the image of each service from `dist/images` with Docker or, where that is not installed, buildah. The same
 * sources give the same images: every file has the time of the last commit.
 * @returns the name of each service's image
 */
export async function buildImages(options: ImageOptions): Promise<ReadonlyMap<ServiceName, string>> {
  const { push = false, repository, step, tag } = options;
  const builder = [docker, buildah].find(({ works }) => spawnSync(works[0], works.slice(1)).status === 0);
  if (!builder) throw new Error('Images are built by docker or buildah, and neither works here');
  const time = timeOfSources();
  const base = process.env['NODE_IMAGE'];
  const images = new Map<ServiceName, string>();
  for (const service of serviceNames) {
    const image = `${repository}/${service}:${tag}`;
    const begun = performance.now();
    await run(builder.program, [
      ...builder.args(time),
      ...['--build-arg', 'FILES=given', '--build-arg', `SERVICE=${service}`],
      ...(base ? ['--build-arg', `NODE_IMAGE=${base}`] : []),
      ...['--label', `org.opencontainers.image.version=${tag}`, '--tag', image, '.'],
    ]);
    if (push) await run(builder.program, ['push', image]);
    step?.(`${image} (${((performance.now() - begun) / 1_000).toFixed(1)} s)`);
    images.set(service, image);
  }
  return images;
}

const docker = {
  program: 'docker',
  // There may be a client without a server.
  works: ['docker', 'info'] as const,
  args: (time: string) => ['build', '--quiet', '--build-arg', `SOURCE_DATE_EPOCH=${time}`],
};
const buildah = {
  program: 'buildah',
  works: ['buildah', '--version'] as const,
  args: (time: string) => ['bud', '--quiet', '--layers', '--timestamp', time],
};

/** Seconds since 1970 of the last commit; outside a repository the beginning of time, which stays the same as well. */
function timeOfSources(): string {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '0';
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      // Of buildah, which needs neither a daemon nor a namespace with these.
      env: { STORAGE_DRIVER: 'overlay', BUILDAH_ISOLATION: 'chroot', ...process.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code}:\n${Buffer.concat(output).toString()}`));
    });
  });
}
