import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Engines, startEngines } from '../src/distributed.ts';
import { engineIsInDocker } from '../src/engines/docker.ts';

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
  await writeFile(
    join(directory, 'docker'),
    `#!/bin/sh\necho "$@" >> '${directory}/calls'\n${script.replaceAll('$HERE', directory)}\n`,
  );
  await chmod(join(directory, 'docker'), 0o755);
}

const working = 'true';

/** What the API of Docker was asked to do, and what it answers: containers are healthy as soon as they are started. */
const api = {
  asked: [] as string[],
  created: [] as {
    Image: string;
    Env: string[];
    Entrypoint?: string[];
    HostConfig: Record<string, unknown>;
  }[],
  startFails: undefined as string | undefined,
};

const daemon = createServer((request, response) => {
  void answer(request).then(({ status = 200, body }) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
});

async function answer(request: IncomingMessage): Promise<{ status?: number; body?: unknown }> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://docker');
  const path = pathname.replace(/^\/v[\d.]+/, '');
  const sent = await text(request);
  if (request.method === 'GET') {
    if (path === '/info') return { body: { OperatingSystem: 'Debian', ServerVersion: '28.0.0' } };
    if (path === '/containers/json') return { body: [] };
    if (path.startsWith('/images/')) return { body: { Id: 'sha256:1' } };
    return { body: inspected() };
  }
  api.asked.push([request.method, path, searchParams.get('t')].filter((part) => part !== null).join(' '));
  if (path === '/containers/create') {
    api.created.push(JSON.parse(sent));
    return { status: 201, body: { Id: `c${api.created.length}` } };
  }
  if (path.endsWith('/start') && api.startFails) return { status: 500, body: { message: api.startFails } };
  return { status: 204 };
}

/** The latest container. */
function inspected(): unknown {
  const HostConfig: Record<string, unknown> = api.created.at(-1)?.HostConfig ?? {};
  return {
    Id: `c${api.created.length}`,
    Name: '/engine',
    Config: { Hostname: 'engine', Labels: {} },
    HostConfig,
    State: { Status: 'running', Running: true, StartedAt: '', FinishedAt: '', Health: { Status: 'healthy' } },
    NetworkSettings: { Networks: {}, Ports: HostConfig['PortBindings'] },
  };
}

beforeAll(async () => {
  daemon.listen(0, '127.0.0.1');
  await once(daemon, 'listening');
  const { port } = daemon.address() as AddressInfo;
  process.env['DOCKER_HOST'] = `tcp://127.0.0.1:${port}`;
  // It would be a container of its own that looks after the others.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
});
afterAll(() => {
  daemon.close();
  delete process.env['DOCKER_HOST'];
  delete process.env['TESTCONTAINERS_RYUK_DISABLED'];
});
beforeEach(() => {
  api.asked.length = 0;
  api.created.length = 0;
  api.startFails = undefined;
});

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
      MONGODB_URL: 'mongodb://127.0.0.1:27017/?directConnection=true',
    });
  });

  test('then only what is missing is started, stopped, killed, forgotten, each data folder with its own volumes', async () => {
    await installDocker(working);
    const given = {
      DATABASE_URL: 'postgresql://elsewhere',
      S3_ENDPOINT: 'http://elsewhere',
      MONGODB_URL: 'mongodb://elsewhere',
    };
    const engines = await start(given);
    expect([...engines.started.keys()]).toEqual(['kafka']);
    const folder = join(dataDir, 'engines', 'kafka');
    const project = await readFile(join(folder, 'docker-project'), 'utf8');
    expect(project).toMatch(/^portal-[\da-f]{8}$/);

    const kafka = engines.started.get('kafka');
    await kafka?.kill();
    await kafka?.start();
    await engines.stop();
    await start(given);
    await engines.remove();

    expect(api.asked).toEqual([
      'POST /containers/create',
      'POST /containers/c1/start',
      'POST /containers/c1/kill',
      'POST /containers/c1/stop 30',
      'DELETE /containers/c1',
      'POST /containers/create',
      'POST /containers/c2/start',
      'POST /containers/c2/stop 30',
      'DELETE /containers/c2',
      'POST /containers/create',
      'POST /containers/c3/start',
      `DELETE /volumes/${project}_kafka`,
    ]);
    expect(api.created.map(({ HostConfig }) => HostConfig['Binds'])).toEqual(
      Array(3).fill([`${project}_kafka:/var/lib/kafka/data:rw`]),
    );
    expect(existsSync(folder)).toBe(false);
  });

  test('then a container is what the file says, and listens on this machine only', async () => {
    await installDocker(working);
    await start();
    expect(api.created).toMatchObject([
      {
        Image: 'postgres:18.4',
        Env: ['POSTGRES_PASSWORD=portal-development'],
        HostConfig: { PortBindings: { '5432/tcp': [{ HostIp: '127.0.0.1', HostPort: '5432' }] } },
      },
      { Image: 'apache/kafka:4.1.1', Env: expect.arrayContaining(['KAFKA_NODE_ID=1']) },
      { Image: 'versity/versitygw:v1.8.0', Entrypoint: ['sh', '-c', expect.stringMatching(/^mkdir -p/)] },
      { Image: 'mongo:8.0.21' },
    ]);
  });

  test('then what it cannot start is said in its own words', async () => {
    await installDocker(working);
    api.startFails = 'Bind for 127.0.0.1:5432 failed: port is already allocated';
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
