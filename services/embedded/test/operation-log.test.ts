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

test('When people work, then the screen tells who did what to which record', async () => {
  const call = async (method: 'DELETE' | 'POST' | 'PUT', path: string, body?: object) =>
    (await send(product, method, `${own}${path}`, { token, ...(body && { body }) })).body;
  const { id: group } = await call('POST', '/groups', { name: 'History' });
  await call('PUT', `/groups/${group}`, { name: 'Past', note: '' });
  const { id: user } = await call('POST', '/users', {
    name: 'Historian',
    login_user_id: 'historian',
    password: demoPassword,
  });
  await call('POST', `/groups/${group}/users`, { ids: [user] });
  await call('DELETE', `/groups/${group}`);
  await call('DELETE', `/groups/${group}/users`, { ids: [user] });
  await call('DELETE', `/groups/${group}`);
  const opened = await call('POST', '/files', { name: 'Told', file_name: 'told.uap', file_size: 9 });
  const file = { kind: 'file', id: opened['id'], name: 'Told' };
  const upload = opened['uploadId'];
  await send(product, 'POST', `/v1/uploads/${upload}/complete`, { token, body: { parts: [] } });
  await send(product, 'DELETE', `/v1/uploads/${upload}`, { token });
  const login = { partner_code: '1000', login_user_id: 'nobody-of-this-name', password: demoPassword };
  await send(product, 'POST', '/v2/partner/login', { body: login });

  const listed = async (query: string) => {
    const { body } = await send(product, 'GET', `${own}/operation_logs?${query}`, {
      token,
      headers: { 'accept-language': 'en' },
    });
    return (body['operationLogs'] as Record<string, unknown>[]).map(({ code, target, text, who }) => ({
      text,
      code,
      target,
      who: (who as { login: string }).login,
    }));
  };
  const target = { kind: 'group', id: group, name: 'Past' };
  const who = 'partner@example.com';
  await vi.waitFor(
    async () => {
      expect(await listed(`target_kind=group&target_id=${group}`)).toEqual([
        { text: 'Deletion of a group', code: null, target, who },
        { text: 'Users removed from a group', code: null, target, who },
        { text: 'Deletion of a group refused: The group has users.', code: 'E40027', target, who },
        { text: 'Users added to a group', code: null, target, who },
        { text: 'Change of a group', code: null, target, who },
        { text: 'Creation of a group', code: null, target: { ...target, name: 'History' }, who },
      ]);
      expect(await listed(`target_kind=user&target_id=${user}`)).toEqual([
        {
          text: 'Creation of a user',
          code: null,
          target: { kind: 'user', id: user, name: 'Historian' },
          who,
        },
      ]);
      expect(await listed(`target_kind=file&target_id=${opened['id']}`)).toMatchObject([
        { text: 'Cancellation of an upload', code: null, target: file },
        { text: expect.stringMatching(/^Completion of an upload refused: ./), code: 'E40002', target: file },
        { text: 'Creation of a file', code: null, target: file },
      ]);
      expect(await listed('q=nobody-of-THIS')).toMatchObject([
        { text: 'Sign-in refused: Invalid authentication.', code: 'E40101', who: 'nobody-of-this-name' },
      ]);
    },
    { timeout: 20_000, interval: 500 },
  );
});
