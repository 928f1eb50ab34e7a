import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets, publicKeysIn, type Secrets } from '@portal/service-kit/host';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Engines, startEngines } from '../src/distributed.ts';
import { freePort } from '../src/product.ts';
import { projectNode, root } from '../src/project.ts';

/** A service as a process of its own, with what it is given and nothing else, as in a pod. */

const patience = { timeout: 60_000, interval: 100 };
let dataDir: string;
let engines: Engines;
let secrets: Secrets;
let settings: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-test-credentials-'));
  // The mail service keeps no objects.
  engines = await startEngines({ dataDir, given: { S3_ENDPOINT: 'none' }, step: () => undefined });
  secrets = await loadSecrets(dataDir);
  settings = {
    KAFKA_BROKERS: engines.settings['KAFKA_BROKERS'] ?? '',
    DATABASE_URL: `postgresql://${new URL(adminUrl()).host}`,
    DATABASE_PASSWORD: secrets.databaseOf('mail').role,
    INTERNAL_KEYS: secrets.internalKeysOf('mail').join(','),
    INTERNAL_PUBLIC_KEYS: publicKeysIn(secrets),
    DEMO: '1',
    LOG_LEVEL: 'info',
  };
});
afterAll(async () => {
  await engines?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const adminUrl = () => engines.settings['DATABASE_URL'] ?? '';

/** Runs the mail service, or does something else with its program, until `stop`. */
async function runMail(env: Readonly<Record<string, string>>, ...args: string[]) {
  const port = await freePort();
  const child = spawn(projectNode, [join(root, 'services', 'mail', 'src', 'main.ts'), ...args], {
    env: { PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  return {
    output: () => output,
    exited: exited.then(([code]) => code as number | null),
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

describe('When a service has what is its own alone', () => {
  test('then it waits for the step that makes its database, and starts after it without any right to it', async () => {
    const service = await runMail(settings);
    try {
      await vi.waitFor(
        () => expect(service.output()).toContain('Waiting for the database portal_mail'),
        patience,
      );
      expect(await service.isReady()).toBe(false);
      const owner = secrets.databaseOf('mail').owner;
      const step = await runMail(
        {
          DATABASE_ADMIN_URL: adminUrl(),
          DATABASE_PASSWORD: settings['DATABASE_PASSWORD'] ?? '',
          DATABASE_OWNER_PASSWORD: owner,
        },
        'provision',
      );
      expect(await step.exited, step.output()).toBe(0);
      await vi.waitFor(async () => expect(await service.isReady()).toBe(true), patience);
      for (const secret of [adminUrl(), owner])
        expect(step.output() + service.output()).not.toContain(secret);
    } finally {
      await service.stop();
    }
  });

  test('then the password of another service does not let it in', async () => {
    const service = await runMail({ ...settings, DATABASE_PASSWORD: secrets.databaseOf('user').role });
    try {
      await vi.waitFor(() => expect(service.output()).toContain('password authentication failed'), patience);
      expect(await service.isReady()).toBe(false);
    } finally {
      await service.stop();
    }
  });
});

describe('When a service is given what it may not have', () => {
  test('the address of an administrator, then it names it and ends', async () => {
    const service = await runMail({ ...settings, DATABASE_URL: adminUrl() });
    expect(await service.exited).toBe(1);
    expect(service.output().trim().split('\n')).toEqual([
      'DATABASE_URL must name no role and no password, since each service has its own',
    ]);
  });

  test('the database of a demo for real data, then it names it and ends, as does the step before it', async () => {
    const service = await runMail({ ...settings, DEMO: '0' });
    expect(await service.exited).toBe(1);
    const refusal = [expect.stringMatching(/^The database portal_mail at .* was filled with the demo/)];
    expect(service.output().trim().split('\n')).toEqual(refusal);
    const step = await runMail(
      {
        DATABASE_ADMIN_URL: adminUrl(),
        DATABASE_PASSWORD: settings['DATABASE_PASSWORD'] ?? '',
        DATABASE_OWNER_PASSWORD: secrets.databaseOf('mail').owner,
        DEMO: '0',
      },
      'provision',
    );
    expect(await step.exited).toBe(1);
    expect(step.output().trim().split('\n')).toEqual(refusal);
  });
});
