import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { deflateRawSync } from 'node:zlib';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceNames } from '../../packages/contracts/src/index.ts';
import { billName, bundleService } from './bundle.ts';

const root = join(import.meta.dirname, '..', '..');
const service = 'mail';

interface Component {
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
}

let layer: string;
let text: string;
let components: readonly Component[];

beforeAll(async () => {
  layer = await mkdtemp(join(tmpdir(), 'portal-layer-'));
  await bundleService(service, layer);
  text = await readFile(join(layer, billName), 'utf8');
  components = JSON.parse(text).components;
});
afterAll(() => rm(layer, { recursive: true, force: true }));

const packages = () =>
  new Map(
    components
      .filter(({ type }) => type === 'library')
      .map(({ group, name, version }) => [group ? `${group}/${name}` : name, version]),
  );

/** The npm packages that the product's own sources import, each with a file that does. */
async function importedPackages(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await build({
    absWorkingDir: root,
    entryPoints: [join('services', service, 'src', 'main.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [
      {
        name: 'imports',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ importer, path }) => {
            if (path.startsWith('@portal/') || importer === '') return undefined;
            const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
            if (!path.startsWith('node:')) found.set(name, importer);
            return { path, external: true };
          });
        },
      },
    ],
  });
  return found;
}

async function installedVersion(name: string, importer: string): Promise<string> {
  for (const folder of createRequire(importer).resolve.paths(name) ?? []) {
    const manifest = await readFile(join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (manifest) return JSON.parse(manifest).version;
  }
  throw new Error(`${name} is not installed for ${dirname(importer)}`);
}

describe('When a service is bundled', () => {
  test('then its bill of materials is CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
  });

  test('then every package that its sources import is in the bill, in the version that is installed', async () => {
    const imported = await importedPackages();
    expect(imported.size).toBeGreaterThan(5);
    for (const [name, importer] of imported)
      expect([name, packages().get(name)]).toEqual([name, await installedVersion(name, importer)]);
  });

  test('then what is copied as it is and what those import in turn are in it as well', () => {
    const names = [...packages().keys()];
    expect(names).toContain('@node-rs/argon2');
    expect(names).toContain(`@node-rs/argon2-linux-${process.arch}-gnu`);
    expect(names).toContain('@prisma/schema-engine-wasm');
    // Of Fastify, and of pg.
    expect(names).toContain('find-my-way');
    expect(names).toContain('pg-protocol');
  });

  test('then what the service does not have is not in it', () => {
    const names = [...packages().keys()];
    for (const name of ['react', '@scalar/api-reference', 'vitest', 'esbuild', 'typescript'])
      expect(names).not.toContain(name);
  });

  test('then the base of the image and its Node are named', async () => {
    const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(await readFile(join(root, 'Dockerfile'), 'utf8')) ?? [];
    const [container] = components.filter(({ type }) => type === 'container');
    expect(`${container?.name}:${container?.version}`).toBe(base);
    expect(components).toContainEqual(expect.objectContaining({ name: 'node', version: '24' }));
  });

  test('then the bill is the same when it is bundled again', async () => {
    await bundleService(service, layer);
    expect(await readFile(join(layer, billName), 'utf8')).toBe(text);
  });
});

test('When the files of all images are built by the command, then each has its service and what they share', async () => {
  await promisify(execFile)(process.execPath, ['scripts/images/bundle.ts'], { cwd: root });
  const built = join(root, 'dist', 'images');
  for (const name of serviceNames) await access(join(built, name, 'services', name, 'main.js'));
  await access(join(built, 'shared', 'node_modules', '@node-rs', 'argon2'));
}, 120_000);

test('When a thread reads files, then they lie where its bundle looks for them', async () => {
  const ssoLayer = await mkdtemp(join(tmpdir(), 'portal-layer-'));
  try {
    await bundleService('sso', ssoLayer);
    const thread = join(ssoLayer, 'services', 'sso', 'src', 'saml', 'read-message.worker.js');
    const worker = new Worker(thread, { env: {} });
    try {
      const query = new URLSearchParams({ SAMLRequest: deflateRawSync('<a/>').toString('base64') });
      worker.postMessage({ kind: 'outline', message: { kind: 'redirect', query: query.toString() } });
      // It has the schemas, which know no such element.
      expect(await once(worker, 'message')).toEqual([
        { kind: 'refused', reason: 'malformed', detail: expect.stringContaining("Element 'a'") },
      ]);
    } finally {
      await worker.terminate();
    }
  } finally {
    await rm(ssoLayer, { recursive: true });
  }
}, 60_000);

test('When a service has threads, then they are bundled too, where its bundle looks for them', async () => {
  const pushLayer = await mkdtemp(join(tmpdir(), 'portal-layer-'));
  try {
    await bundleService('push', pushLayer);
    const bytes = await readFile(join(root, 'services', 'push', 'test', 'p12', 'legacy.p12'));
    const place = join(pushLayer, 'services', 'push');
    const thread = join('src', 'certifications', 'p12', 'read-p12.worker.js');
    expect(await readFile(join(place, 'main.js'), 'utf8')).toContain('./read-p12.worker.js');
    const worker = new Worker(join(place, thread), { workerData: { bytes, password: 'secret' }, env: {} });
    const [opened] = await once(worker, 'message');
    expect(Object.keys(opened).sort()).toEqual(['certificate', 'privateKey']);
  } finally {
    await rm(pushLayer, { recursive: true });
  }
}, 60_000);
