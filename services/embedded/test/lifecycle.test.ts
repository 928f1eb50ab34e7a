import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { servicesWithDatabase } from '@portal/contracts';
import { startEmbeddedPostgres, withClient } from '@portal/database';
import { demoPassword, send, signIn, signInAdmin, uploadFile } from '@portal/testing/http-client';
import { freePort, type Product, startProduct } from '@portal/testing/product';
import { projectNode, root } from '@portal/testing/project';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Starting and stopping as people and their tools do it. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({}, { fresh: true });
});
afterAll(() => product?.remove());

const startAgain = (env: Record<string, string>) =>
  spawnSync(projectNode, ['services/embedded/src/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  });

test('When it is started on an empty folder, then it is ready no sooner than everybody of the demo can sign in', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const signInNow = async () =>
    fetch(`${origin}/v2/partner/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ partner_code: '1000', email: 'partner@example.com', password: demoPassword }),
    });
  const starting = startProduct({ PORT: String(port), PUBLIC_URL: origin });
  const refused = new Set<number>();
  try {
    for (;;) {
      const ready = await fetch(`${origin}/readyz`).catch(() => undefined);
      if (ready?.status === 200) break;
      if (ready) refused.add((await signInNow()).status);
      await sleep(20);
    }
    expect((await signInNow()).status).toBe(200);
    // Either answer of a moment in which it became ready.
    expect([...refused].filter((status) => status !== 200)).toEqual([503]);
  } finally {
    await (await starting).remove();
  }
});

test('When a setting is wrong, then it is named and no data is changed', () => {
  const { status, stderr } = startAgain({ PORT: 'eighty', DATA_DIR: '/nowhere' });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('PORT')]);
});

test('When it is no demo and a secret is missing, then it does not start', () => {
  const { status, stderr } = startAgain({ DEMO: '0', DATA_DIR: '/nowhere' });
  expect(status).toBe(1);
  expect(stderr).toContain('API_KEY');
});

test('When the data folder is in use, then a second start is refused and the first goes on', async () => {
  const { status, stderr } = startAgain({ DATA_DIR: product.dataDir, PORT: '1' });
  expect(status).toBe(1);
  expect(stderr).toContain(`in use by process ${product.pid}`);
  expect((await send(product, 'GET', '/readyz')).status).toBe(200);
});

test('When the data is written, then the secrets are for their owner alone', async () => {
  const modes = await Promise.all(
    (await readdir(product.dataDir)).map(async (name) => [
      name,
      (await stat(join(product.dataDir, name))).mode & 0o777,
    ]),
  );
  expect(Object.fromEntries(modes)).toMatchObject({ 'secrets.json': 0o600 });
});

test('When the demo has been used, then its log holds no secret', async () => {
  const admin = await signInAdmin(product);
  const portal = await signIn(product, '1000', 'partner@example.com');
  const player = await signIn(product, '1000', 'taro', 'log-device');
  await send(product, 'POST', '/v2/partner/login', {
    body: { partner_code: '1000', login_user_id: 'taro', password: 'Wrong-passw0rd' },
  });
  await send(product, 'POST', '/v1/admin/login', {
    raw: '{"email":"admin@example.com","password":"Br0ken-json',
  });
  await uploadFile(product, portal, {
    partnerId: 1,
    name: 'Logged',
    fileName: 'logged.uap',
    content: Buffer.from('logged'),
  });
  await send(product, 'GET', '/v1/user/files?since=nonsense', { token: player });
  await send(product, 'GET', '/v1/user/files', { token: `${player}x` });
  await send(product, 'PUT', '/v1/partner/password', {
    token: portal,
    body: { current_password: demoPassword, password: demoPassword },
  });
  const output = product.output().split('The portal is ready')[1]?.split('\n').slice(6).join('\n') ?? '';
  expect(output).toContain('"path":"/v2/partner/login"');
  expect(output).toMatch(/"trace_id":"[0-9a-f]{32}","requestId":"[0-9a-f-]{36}"/);
  for (const secret of [admin, portal, player, demoPassword, 'Wrong-passw0rd', 'Br0ken-json', 'signature=']) {
    expect(output.includes(secret), secret.slice(0, 20)).toBe(false);
  }
});

/**
 * Sends a call without its body, and resolves when the server has taken it up: one that it has not read yet is none that is
 * under way. @returns what sends the body and tells the status of the answer
 */
function beginCall({ url }: Product, path: string, body: object): Promise<() => Promise<number | undefined>> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': text.length,
      expect: '100-continue',
    };
    const call = request(new URL(path, url), { method: 'POST', headers }).on('error', reject);
    const status = new Promise<number | undefined>((answer) => {
      call.on('response', (response) => answer(response.resume().statusCode));
    });
    call.on('continue', () =>
      resolve(() => {
        call.end(text);
        return status;
      }),
    );
    call.flushHeaders();
  });
}

test('When it is stopped while a call is under way, then the call succeeds and no process is left', async () => {
  const token = await signIn(product, '1000', 'partner@example.com');
  const underWay = await Promise.all(
    Array.from({ length: 10 }, () =>
      beginCall(product, '/v2/partner/login', {
        partner_code: '1000',
        email: 'partner@example.com',
        password: demoPassword,
      }),
    ),
  );
  const exit = product.stop();
  expect(await Promise.all(underWay.map(async (finish) => finish()))).toEqual(
    Array.from({ length: 10 }, () => 200),
  );
  expect(await exit).toBe(0);
  expect(await readdir(product.dataDir)).not.toContain('portal.pid');
  expect(await readdir(join(product.dataDir, 'postgres', 'cluster'))).not.toContain('postmaster.pid');

  await product.start();
  // The demo is filled in once: what was there is there, and only once.
  const again = await signIn(product, '1000', 'partner@example.com');
  const { body } = await send(product, 'GET', '/v1/partner/partners/1/groups?all=true', { token: again });
  expect((body.groups as { name: string }[]).map(({ name }) => name).sort()).toEqual(['Field', 'Sales']);
  expect((await send(product, 'GET', '/v1/token/validate', { token })).status).toBe(200);
});

describe('When the demo has been filled in, and it is to be none any more', () => {
  const real = { DEMO: '0', API_KEY: 'a-key-of-ones-own' };
  beforeAll(() => product.stop());

  function refusal(env: Record<string, string>): string[] {
    const { status, stderr, stdout } = startAgain({ ...real, PORT: String(product.port), ...env });
    expect(status).toBe(1);
    expect(stdout).not.toMatch(/The portal is ready|"level":"fatal"/);
    return stderr.trim().split('\n');
  }

  test('then the data folder is refused by name', () => {
    expect(refusal({ DATA_DIR: product.dataDir })).toEqual([
      expect.stringMatching(`^The data folder ${product.dataDir} was filled with the demo`),
    ]);
  });

  test('then its databases are refused by name, also where the folder is another', async () => {
    await rm(join(product.dataDir, 'demo'));
    expect(refusal({ DATA_DIR: product.dataDir })).toEqual([
      expect.stringMatching(/^The database portal_\w+ at 127\.0\.0\.1:\d+ was filled with the demo/),
    ]);
    const server = await startEmbeddedPostgres({ dataDir: join(product.dataDir, 'postgres') });
    const elsewhere = await mkdtemp(join(tmpdir(), 'portal-elsewhere-'));
    try {
      const env = { DATA_DIR: elsewhere, DATABASE_URL: server.adminUrl };
      expect(refusal(env)).toEqual([expect.stringContaining('was filled with the demo')]);
      // As a version before left them, which made no mark.
      for (const service of servicesWithDatabase) {
        const url = new URL(server.adminUrl);
        url.pathname = `/portal_${service}`;
        await withClient(url.href, (client) => client.query('DELETE FROM messaging.installation'));
      }
      expect(refusal(env)).toEqual([expect.stringContaining('was filled with the demo')]);
    } finally {
      await server.stop();
      await rm(elsewhere, { recursive: true });
    }
  });
});

test('When the data is real, then the demo is not filled into it', async () => {
  const real = await startProduct({ DEMO: '0', API_KEY: 'a-key-of-ones-own', RATE_LIMIT: 'on' });
  try {
    await real.stop();
    const { status, stderr } = startAgain({ DATA_DIR: real.dataDir, PORT: String(real.port) });
    expect(status).toBe(1);
    expect(stderr).toContain('holds real data');
  } finally {
    await real.remove();
  }
});
