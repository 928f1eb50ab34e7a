import { setTimeout as sleep } from 'node:timers/promises';
import { serviceNames } from '@portal/contracts';
import { send, signIn, signInAdmin } from '@portal/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DistributedHost, startDistributedHost } from './host.ts';
import { expectWhole, p95, startLoad } from './load.ts';

/** What goes wrong in the life of an installation, on real engines. After each: nothing lost, nothing twice. */

let host: DistributedHost;
beforeAll(async () => {
  host = await startDistributedHost();
});
afterAll(() => host?.remove());

const listFiles = '/v2/partner/partners/1/files';
const groupsPath = '/v1/partner/partners/1/groups';

describe.each(serviceNames)('When %s is killed under writes and started again', (name) => {
  test('then nothing acknowledged is lost, and calls succeed again', async () => {
    const load = await startLoad(host);
    await sleep(1_500);
    await host.service(name).kill();
    await sleep(1_500);
    await host.service(name).start();
    const before = load.groups.length;
    await expect.poll(() => load.groups.length, { timeout: 20_000 }).toBeGreaterThan(before + 10);
    await load.stop();

    expect(load.files.length).toBeGreaterThan(0);
    expect(load.tokens.length).toBeGreaterThan(0);
    await expectWhole(host, load);
  });
});

test('When a service is away, then its calls are refused at once with a code, and the others work', async () => {
  const token = await signIn(host, '1000', 'partner@example.com');
  await host.service('file').kill();
  try {
    await expect
      .poll(async () => (await send(host, 'GET', '/readyz')).body, { timeout: 5_000 })
      .toMatchObject({ status: 'down', checks: { file: 'down', user: 'ok', tenant: 'ok', identity: 'ok' } });
    const begun = performance.now();
    const refused = await send(host, 'GET', listFiles, { token });
    expect([refused.status, refused.body['code']]).toEqual([503, 'E50301']);
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect((await send(host, 'GET', groupsPath, { token })).status).toBe(200);
  } finally {
    await host.service('file').start();
  }
  await expect.poll(async () => (await send(host, 'GET', listFiles, { token })).status).toBe(200);
});

describe('When the broker is away for 20 seconds', () => {
  test('then writes go on as quickly, and the events arrive after', async () => {
    const load = await startLoad(host);
    await sleep(5_000);
    const stopped = performance.now();
    await host.engine('kafka').stop();
    await sleep(20_000 - (performance.now() - stopped));
    const starting = performance.now();
    const made = load.groups.length;
    await host.engine('kafka').start();
    await load.stop();

    const [usual, meanwhile] = [p95(load, 0, stopped), p95(load, stopped, starting)];
    expect(made).toBeGreaterThan(200);
    expect(meanwhile).toBeLessThan(usual * 3 + 50);
    expect([...load.refusals]).toEqual([]);
    await expectWhole(host, load);
  });

  test('then a logout takes effect in every service within seconds', async () => {
    const token = await signInAdmin(host);
    const units = async () => (await send(host, 'GET', '/v1/admin/outsourcing/units', { token })).status;
    expect(await units()).toBe(200);
    await host.engine('kafka').stop();
    try {
      expect((await send(host, 'POST', '/v1/admin/logout', { token })).status).toBeLessThan(300);
      await expect.poll(units, { timeout: 10_000 }).toBe(401);
    } finally {
      await host.engine('kafka').start();
    }
  });
});

test('When the broker is killed under writes and started again, then nothing is lost', async () => {
  const load = await startLoad(host);
  await sleep(2_000);
  await host.engine('kafka').kill();
  await sleep(3_000);
  await host.engine('kafka').start();
  await sleep(2_000);
  await load.stop();
  expect([...load.refusals]).toEqual([]);
  await expectWhole(host, load);
});

test('When PostgreSQL is restarted under writes, then calls fail with 503 and recover by themselves', async () => {
  const load = await startLoad(host);
  await sleep(2_000);
  await host.engine('postgres').stop();
  await sleep(3_000);
  await host.engine('postgres').start();
  const before = load.groups.length;
  await expect.poll(() => load.groups.length, { timeout: 20_000 }).toBeGreaterThan(before + 10);
  await load.stop();
  expect([...load.refusals.keys()]).toEqual([503]);
  await expectWhole(host, load);
});

test('When PostgreSQL is killed under writes, then nothing acknowledged is lost', async () => {
  const load = await startLoad(host);
  await sleep(2_000);
  await host.engine('postgres').kill();
  await sleep(1_000);
  await host.engine('postgres').start();
  const before = load.groups.length;
  await expect.poll(() => load.groups.length, { timeout: 30_000 }).toBeGreaterThan(before + 10);
  await load.stop();
  await expectWhole(host, load);
});

test('When the S3 server is down, then metadata works, an upload says what is wrong, and goes on after', async () => {
  const token = await signIn(host, '1000', 'partner@example.com');
  const content = Buffer.from('bytes that wait for their store');
  const created = await send(host, 'POST', listFiles, {
    token,
    body: { name: 'Waits', file_name: 'waits.uap', file_size: content.length },
  });
  const put = () =>
    fetch(String(created.body['signedUrl']), { method: 'PUT', body: new Uint8Array(content) });
  const complete = () =>
    send(host, 'POST', `/v1/uploads/${String(created.body['uploadId'])}/complete`, { token, body: {} });

  await host.engine('s3').stop();
  try {
    expect((await send(host, 'GET', listFiles, { token })).status).toBe(200);
    expect((await send(host, 'GET', groupsPath, { token })).status).toBe(200);
    const refused = await put();
    expect([refused.status, (await refused.json()).code]).toEqual([503, 'E50301']);
    const incomplete = await complete();
    expect([incomplete.status, incomplete.body['code']]).toEqual([503, 'E50301']);
  } finally {
    await host.engine('s3').start();
  }

  expect((await put()).status).toBe(200);
  expect((await complete()).status).toBe(200);
  const file = `${listFiles}/${String(created.body['id'])}`;
  await expect
    .poll(async () => (await send(host, 'GET', file, { token })).body['fileSize'], { timeout: 10_000 })
    .toBe(content.length);
});
