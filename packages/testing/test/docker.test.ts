import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Engines, startEngines } from '../src/distributed.ts';
import { engineIsInDocker } from '../src/engines/docker.ts';

const composeFile = resolve(import.meta.dirname, '../../../docker-compose.dev.yml');

let directory: string;
let dataDir: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-fake-docker-'));
  dataDir = join(directory, 'data');
  vi.stubEnv('PORTAL_ENGINES', '');
  vi.stubEnv('PATH', [directory, process.env['PATH']].join(delimiter));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

/** A program named `docker` that notes how it was called and answers as Docker does. */
async function installDocker(script: string): Promise<void> {
  await writeFile(join(directory, 'config.json'), JSON.stringify(resolvedConfig()));
  await writeFile(
    join(directory, 'docker'),
    `#!/bin/sh\necho "$@" >> '${directory}/calls'\n${script.replaceAll('$HERE', directory)}\n`,
  );
  await chmod(join(directory, 'docker'), 0o755);
}

const working = `case "$*" in *' config '*) cat '$HERE/config.json';; esac`;

/** What `docker compose config --format json` makes of the file: every port in its long form. */
function resolvedConfig(): unknown {
  const compose: { services: Record<string, { ports: string[] }> } = parse(readFileSync(composeFile, 'utf8'));
  const services = Object.entries(compose.services).map(([name, service]) => [
    name,
    {
      ...service,
      ports: service.ports.map((port) => {
        const [host_ip, published, target] = port.split(':');
        return { mode: 'ingress', host_ip, target: Number(target), published, protocol: 'tcp' };
      }),
    },
  ]);
  return { name: 'portal-dev', services: Object.fromEntries(services) };
}

async function calls(): Promise<string[]> {
  return (await readFile(join(directory, 'calls'), 'utf8')).trim().split('\n');
}

const start = (given: Record<string, string> = {}): Promise<Engines> =>
  startEngines({ dataDir, given, step: () => undefined });

describe('When Docker answers', () => {
  test('then engines run there, unless they are wished natively', async () => {
    await installDocker(working);
    expect(await engineIsInDocker()).toBe(true);
    expect(await calls()).toEqual(['info']);
    vi.stubEnv('PORTAL_ENGINES', 'native');
    expect(await engineIsInDocker()).toBe(false);
    expect(await calls()).toEqual(['info']);
  });

  test('then the settings are the addresses and passwords of docker-compose.dev.yml', async () => {
    await installDocker(working);
    const { settings } = await start();
    expect(settings).toEqual({
      DATABASE_URL: 'postgresql://postgres:portal-development@127.0.0.1:5432/postgres',
      KAFKA_BROKERS: '127.0.0.1:9092',
      S3_ENDPOINT: 'http://127.0.0.1:7070',
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'portal',
      S3_ACCESS_KEY_ID: 'portal',
      S3_SECRET_ACCESS_KEY: 'portal-development',
    });
  });

  test('then only what is missing is started, stopped, killed, forgotten, each data folder with its own volumes', async () => {
    await installDocker(working);
    const engines = await start({ DATABASE_URL: 'postgresql://elsewhere', S3_ENDPOINT: 'http://elsewhere' });
    expect([...engines.started.keys()]).toEqual(['kafka']);
    const folder = join(dataDir, 'engines', 'kafka');
    const project = await readFile(join(folder, 'docker-project'), 'utf8');
    expect(project).toMatch(/^portal-[\da-f]{8}$/);

    const kafka = engines.started.get('kafka');
    await kafka?.kill();
    await kafka?.start();
    await engines.stop();
    await start({ DATABASE_URL: 'postgresql://elsewhere', S3_ENDPOINT: 'http://elsewhere' });
    await engines.remove();

    const prefix = `compose --file ${composeFile} --project-name ${project}`;
    const ofCompose = (await calls()).filter((call) => call !== 'info');
    expect(ofCompose.map((call) => call.replace(prefix, '').trim())).toEqual([
      'config --format json',
      'up --wait kafka',
      'kill kafka',
      'up --wait kafka',
      'down',
      'config --format json',
      'up --wait kafka',
      'down --volumes',
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  test('then what it cannot start is said in its own words', async () => {
    await installDocker(`${working}
      case "$*" in *' up '*) echo 'Bind for 127.0.0.1:5432 failed: port is already allocated' >&2; exit 1;; esac`);
    await expect(start()).rejects.toThrow(
      /The engine postgres could not be started in Docker:\n.*already allocated/,
    );
  });
});

describe('When Docker does not answer', () => {
  test('then engines run natively, unless they are wished in Docker', async () => {
    await installDocker(`echo 'Cannot connect to the Docker daemon' >&2; exit 1`);
    expect(await engineIsInDocker()).toBe(false);
    vi.stubEnv('PORTAL_ENGINES', 'docker');
    await expect(engineIsInDocker()).rejects.toThrow(/Docker does not answer.*\n.*Cannot connect/);
  });

  test('then nothing is different from a machine without it', async () => {
    vi.stubEnv('PATH', directory);
    expect(await engineIsInDocker()).toBe(false);
  });
});
