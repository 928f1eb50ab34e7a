import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, provisionDatabase } from '@portal/database';
import { type PostgresEngine, startPostgres } from '@portal/testing/engines';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushIdOf } from '../src/delivery/domain/push-id.ts';
import { pushService } from '../src/service.ts';
import { type Providers, startProviders } from './delivery-harness.ts';
import { createPushInstallation, type PushInstallation } from './push-installation.ts';

let dataDir: string;
let postgres: PostgresEngine;
let providers: Providers;
let installation: PushInstallation;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-push-postgres-'));
  postgres = await startPostgres({ dataDir });
  providers = await startProviders();
  const password = 'test';
  const { ownerUrl, url } = await provisionDatabase({
    adminUrl: postgres.adminUrl,
    service: 'push',
    password,
    ownerPassword: password,
  });
  await migrate({ url: ownerUrl, directories: pushService.migrations });
  installation = await createPushInstallation({
    ownerUrl,
    url,
    env: providers.env,
    account: await providers.fcm.addAccount('demo'),
    app: await providers.authority.forApp('com.example.app'),
  });
});
afterAll(async () => {
  await installation?.close();
  await postgres?.remove();
  await providers?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

test('When PostgreSQL is killed during a fan-out, then the service goes on by itself, none is left out, and none has two ids', async () => {
  const { partner, start } = installation;
  const count = 10_000;
  const devices = await partner.people(count);
  providers.conduct = async () => {
    await sleep(200);
    return undefined;
  };
  const services = [await start(), await start()];
  const id = await partner.notify();
  for (const part of [0.1, 0.4]) {
    await expect
      .poll(() => providers.taken.length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(part * count);
    expect(providers.taken.length).toBeLessThan(count);
    await postgres.kill();
    await sleep(3_000);
    await postgres.start();
  }
  await expect
    .poll(async () => partner.state(id), { timeout: 90_000, interval: 200 })
    .toMatchObject({ status: 'success', target: count, success: count, failure: 0 });
  expect(services.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual(
    services.map(() => [null, null]),
  );

  const ids = new Map<string, Set<string>>();
  for (const { id: pushId, token } of providers.taken)
    ids.set(token, (ids.get(token) ?? new Set()).add(pushId));
  expect(ids.size).toBe(count);
  const wrong = devices.filter(({ service, token, uuid }) => {
    const known = ids.get(token);
    return known?.size !== 1 || !known.has(service === 'apns' ? pushIdOf(id, uuid) : String(id));
  });
  expect(wrong).toEqual([]);
}, 240_000);
