import { type ChildProcess, spawn } from 'node:child_process';
import { send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { projectNode, root } from '@portal/testing/project';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** The back end as a company would run it, beside a portal of its own. */

let product: Product;
let backend: ChildProcess;
let url: string;
let database: { db: string; apiKey: string };

beforeAll(async () => {
  product = await startProduct();
  const made = await send(product, 'POST', '/api/v2/admin/databases/1', {
    token: await signInAdmin(product),
    body: { contract_status: 1, expire_date: '2036-01-01T00:00:00Z' },
  });
  expect(made.status).toBe(201);
  database = { db: String(made.body.db), apiKey: String(made.body.apiKey) };
  backend = spawn(projectNode, ['examples/backend/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORTAL_URL: product.url,
      PARTNER_CODE: '1000',
      DOCUMENT_DATABASE: database.db,
      DOCUMENT_API_KEY: database.apiKey,
      BACKEND_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  backend.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const port = await vi.waitFor(
    () => {
      const [, found] = /port (\d+)/.exec(printed) ?? [];
      if (found === undefined) throw new Error(`Not yet: ${printed}`);
      return found;
    },
    { timeout: 30_000 },
  );
  url = `http://127.0.0.1:${port}`;
}, 240_000);
afterAll(async () => {
  backend?.kill();
  await product?.remove();
});

async function statementOf(code: string, user: string): Promise<string> {
  const token = await signIn(product, code, user, `device-of-${user}`);
  return String((await send(product, 'GET', '/v1/user/token', { token })).body.token);
}
const put = async (token: string, body: string) =>
  (
    await fetch(`${url}/scores/mine`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
  ).status;

test('A user of the company has a score, which is a document of its database', async () => {
  const statement = await statementOf('1000', 'taro');
  expect(await put(statement, '{"score":12}')).toBe(200);
  expect(await put(statement, '{"score":15}')).toBe(200);
  const shown = await (await fetch(`${url}/scores`)).json();
  expect(shown).toMatchObject([{ score: 15, _version: 2 }]);
  const portal = await signIn(product, '1000', 'partner@example.com');
  const path = `/api/v2/${database.db}/collection/scores/documents`;
  expect((await send(product, 'GET', path, { token: portal })).body.totalCount).toBe(1);
}, 60_000);

test('Nobody else has: no token, one of another use, one that was changed, a user of another company', async () => {
  const statement = await statementOf('1000', 'taro');
  const [head, claims = '', signature] = statement.split('.');
  const told: object = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...told, sub: '1' })).toString('base64url');
  // The contract of the other company has the API for it, too.
  const contract = { token: await signInAdmin(product), body: { contract_rank: 'enterprise' } };
  await send(product, 'PUT', '/v1/admin/partners/2', contract);
  const other = await vi.waitFor(async () => {
    const token = await statementOf('2000', 'crew1');
    expect(token.split('.')).toHaveLength(3);
    return token;
  }, 20_000);
  const ofPlayer = await signIn(product, '1000', 'taro', 'device-of-taro');
  for (const token of ['', 'x', ofPlayer, `${head}.${forged}.${signature}`, other]) {
    expect(await put(token, '{"score":1}'), token.slice(0, 20)).toBe(401);
  }
  for (const body of ['', '{', '{"score":"1"}', '{"score":-1}', `{"score":1,"x":"${'x'.repeat(2_000)}"}`]) {
    expect(await put(statement, body), body.slice(0, 20)).toBe(400);
  }
}, 90_000);
