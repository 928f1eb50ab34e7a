import { demoPassword, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/** What the log says of calls that make something, read where it is kept. */

const own = '/v1/partner/partners/1';
let product: Product;
let token: string;
beforeAll(async () => {
  product = await startProduct();
  token = await signIn(product, '1000', 'partner@example.com');
});
afterAll(() => product?.remove());

async function targetsOf(operations: readonly string[]): Promise<[string, string][]> {
  const client = await connectAsService(product, 'batch');
  try {
    const { rows } = await client.query<{ operation: string; target: string }>(
      'SELECT operation, target FROM logs.operation_logs WHERE operation = ANY($1) ORDER BY at, event_id',
      [operations],
    );
    return rows.map(({ operation, target }) => [operation, target]);
  } finally {
    await client.end();
  }
}

test('When something is made, then the log names what', async () => {
  const admin = await signInAdmin(product);
  const made: [string, string][] = [];
  const make = async (operation: string, path: string, more: Partial<Parameters<typeof send>[3]> = {}) => {
    const method = operation.endsWith('ByGet') ? 'GET' : 'POST';
    const { body, status } = await send(product, method, path, { token, ...more });
    expect([operation, status]).toEqual([operation, method === 'GET' ? 200 : 201]);
    expect(body['id']).toEqual(expect.any(Number));
    made.push([operation, `${path.split('?')[0]}?id=${body['id']}`]);
    return body;
  };

  const headers = { 'idempotency-key': 'once' };
  const group = { headers, body: { name: 'Logged' } };
  await make('createGroup', `${own}/groups`, group);
  await make('createGroup', `${own}/groups`, group);
  await make('createUser', `${own}/users`, {
    body: { name: 'Logged', login_user_id: 'logged', password: demoPassword },
  });
  await make('createCompanyAdmin', `${own}/admins`, { body: { name: 'Logged', email: 'a@example.com' } });
  await make('createPartnerAdmin', '/v1/admin/partners/1/admins', {
    token: admin,
    body: { name: 'Logged', email: 'b@example.com' },
  });
  await make('createFile', `${own}/files`, { body: { name: 'Logged', file_name: 'a.uap', file_size: 9 } });
  await make('createSingleFile', `${own}/files/single`, { body: { name: 'b.uap' } });
  const opened = await make('createUserImport', `${own}/users/csv`, { body: { file_name: 'a.csv' } });
  expect(opened['id']).toBe(opened['batchProcessId']);
  await make('createUsersCsv', `${own}/users/csv/batches?tz=UTC`);
  await make('createFilesCsvByGet', `${own}/files/csv/batches`);
  await make('createOperationLogsCsv', `${own}/operation_logs/csv/batches`);
  await make('createPartnersCsv', '/v1/admin/partners/csv/batches', { token: admin });

  const operations = made.map(([operation]) => operation);
  await vi.waitFor(async () => expect(await targetsOf(operations)).toEqual(made), { timeout: 10_000 });
});
