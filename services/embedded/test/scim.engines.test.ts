import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PythonTool, preparePythonTool } from '@portal/testing/engines';
import { send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The public tester of SCIM servers, scim2-tester, which knows nothing but the RFCs and what the server says of itself. */

const withinMs = 300_000;
/** Far more would be missing if it had given up early. */
const leastChecks = 50;

let tester: PythonTool | undefined;
let missing = '';
let product: Product;

beforeAll(async () => {
  tester = await preparePythonTool('scim2-tester').catch((error: unknown) => {
    missing = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return undefined;
  });
  if (tester) product = await startProduct({ LOG_LEVEL: 'error' });
}, withinMs);
afterAll(() => product?.remove());

test('scim2-tester finds no failure', { timeout: withinMs }, async (context) => {
  if (!tester) return context.skip(`scim2-tester is not there: ${missing}`);
  const portal = await signIn(product, '1000', 'partner@example.com');
  const { body } = await send(product, 'POST', '/v1/partner/partners/1/sso/tokens', {
    token: portal,
    body: { name: 'scim2-tester' },
  });
  const script = join(import.meta.dirname, 'scim', 'check.py');
  const { stdout } = await promisify(execFile)(tester.program, [script, `${product.url}/scim/v2/1`], {
    env: { ...process.env, ...tester.env, SCIM_TOKEN: String(body.token) },
  });
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: string; title: string; reason: string | null });
  expect(results.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
  expect(results.length).toBeGreaterThan(leastChecks);
});
