import { type ErrorCode, errorCatalogue, languages } from '@portal/contracts';
import { demoPassword, type Reply, send, signIn, signInAdmin, uploadFile } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What a contract allows and what not, on the whole product: each refusal with its code, its field and both messages. */

const entry = 3;
const byDevice = 2;
let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.remove());

type Call = (headers: Record<string, string>) => Promise<Reply>;

async function expectRefusal(call: Call, code: ErrorCode, fields: readonly string[] = []): Promise<void> {
  for (const language of languages) {
    const { body, status } = await call({ 'accept-language': language });
    expect([status, body.code, body.message]).toEqual([
      Number(code.slice(1, 4)),
      code,
      errorCatalogue[code][language],
    ]);
    expect((body.errors as { field: string }[]).map(({ field }) => field)).toEqual(fields);
  }
}

const login =
  (partnerCode: string, account: object, device?: string): Call =>
  (headers) =>
    send(product, 'POST', '/v2/partner/login', {
      headers,
      body: {
        partner_code: partnerCode,
        password: demoPassword,
        ...account,
        ...(device === undefined ? {} : { platform: { uuid: device } }),
      },
    });
const enter = async (call: Call): Promise<number> => (await call({})).status;

const newUser = (partnerId: number, token: string, loginUserId: string, more: object = {}): Call => {
  const body = { name: 'A user', login_user_id: loginUserId, password: demoPassword, ...more };
  return (headers) =>
    send(product, 'POST', `/v1/partner/partners/${partnerId}/users`, { token, headers, body });
};

describe('When the plan does not have it', () => {
  test('then the token API is refused to the players of an entry contract', async () => {
    const admin = await signIn(product, '3000', 'entry@example.com');
    expect((await newUser(entry, admin, 'stated')({})).status).toBe(201);
    const token = await signIn(product, '3000', 'stated', 'a-device');
    await expectRefusal((headers) => send(product, 'GET', '/v1/user/token', { token, headers }), 'E40304');
    const player = await signIn(product, '1000', 'taro', 'another-device');
    expect((await send(product, 'GET', '/v1/user/token', { token: player })).status).toBe(200);
  });

  test('then groups are in every plan', async () => {
    const token = await signIn(product, '3000', 'entry@example.com');
    const { status } = await send(product, 'GET', `/v1/partner/partners/${entry}/groups`, { token });
    expect(status).toBe(200);
  });
});

describe('When a limit of the contract is reached', () => {
  test('then a second .uap file is refused where the plan has one, and other files are not', async () => {
    const token = await signIn(product, '3000', 'entry@example.com');
    const file = (fileName: string) => ({
      partnerId: entry,
      name: fileName,
      fileName,
      content: Buffer.from('package'),
    });
    const first = await uploadFile(product, token, file('one.uap'));
    await uploadFile(product, token, file('free.ufpz'));
    const body = { name: 'Two', file_name: 'two.uap', file_size: 7 };
    const path = `/v1/partner/partners/${entry}/files`;
    await expectRefusal((headers) => send(product, 'POST', path, { token, headers, body }), 'E40018');
    await send(product, 'DELETE', `${path}/${first}`, { token });
    expect((await send(product, 'POST', path, { token, body })).status).toBe(201);
  });

  test('then no user beyond the licences, and one for each that is deleted', async () => {
    const token = await signIn(product, '3000', 'entry@example.com');
    const path = `/v1/partner/partners/${entry}`;
    const { body } = await send(product, 'GET', `${path}/summary`, { token });
    const left = body.licenseCount as number;
    const made: number[] = [];
    for (let n = 0; n < left; n++) {
      const reply = await newUser(entry, token, `filler-${n}`)({});
      if (reply.status !== 201) break;
      made.push(Number(reply.body.id));
    }
    await expectRefusal(newUser(entry, token, 'too-many'), 'E40008');
    const remaining = async () =>
      (await send(product, 'GET', `${path}/summary`, { token })).body.licenseRemaining;
    await expect.poll(remaining).toBe(0);
    await send(product, 'DELETE', `${path}/users`, { token, body: { ids: made.slice(0, 1) } });
    expect((await newUser(entry, token, 'in-place')({})).status).toBe(201);
    await send(product, 'DELETE', `${path}/users`, { token, body: { ids: made.slice(1) } });
    await expect.poll(remaining).toBe(made.length - 1);
  });

  test('then no device beyond the licences, nor beyond what its user may have', async () => {
    const token = await signIn(product, '2000', 'second@example.com');
    const limit = { max_device_count_limited_flag: true, max_device_count: 1 };
    expect((await newUser(byDevice, token, 'bounded', limit)({})).status).toBe(201);
    const bounded = { login_user_id: 'bounded' };
    expect(await enter(login('2000', bounded, 'bounded-1'))).toBe(200);
    await expectRefusal(login('2000', bounded, 'bounded-2'), 'E40306');
    const crew = { login_user_id: 'crew1' };
    for (let n = 1; n < 10; n++) expect(await enter(login('2000', crew, `crew-${n}`))).toBe(200);
    await expectRefusal(login('2000', crew, 'crew-10'), 'E40307');
    // One that is known comes in.
    expect(await enter(login('2000', crew, 'crew-1'))).toBe(200);
  });
});

describe('When an administrator changes a contract, then it is felt at the next call, without signing in again', () => {
  const change = async (partnerId: number, body: object) => {
    const path = `/v1/admin/partners/${partnerId}`;
    const reply = await send(product, 'PUT', path, { token: await signInAdmin(product), body });
    expect([reply.status, reply.body]).toEqual([200, {}]);
  };
  /** What is told of a change is heard a moment later. */
  const becomes = async (request: () => Promise<Reply>, status: number, code?: ErrorCode) =>
    expect
      .poll(async () => {
        const reply = await request();
        return [reply.status, reply.body.code];
      })
      .toEqual([status, code]);

  test('the rank', async () => {
    const token = await signIn(product, '1000', 'taro', 'ranked');
    const statement = async () => send(product, 'GET', '/v1/user/token', { token });
    await becomes(statement, 200);
    await change(1, { contract_rank: 'standard' });
    await becomes(statement, 403, 'E40304');
    await change(1, { contract_rank: 'enterprise' });
    await becomes(statement, 200);
  });

  test('the end of the licence', async () => {
    const token = await signIn(product, '3000', 'entry@example.com');
    const list = async () => send(product, 'GET', `/v1/partner/partners/${entry}/users`, { token });
    await change(entry, { license_expired_on: '2026-01-01T00:00:00Z' });
    await becomes(list, 403, 'E40302');
    await change(entry, { license_expired_on: null });
    await becomes(list, 200);
  });

  test('delivery to everyone, and the download of operation logs', async () => {
    const token = await signIn(product, '1000', 'partner@example.com');
    const content = Buffer.from('package');
    const file = { partnerId: 1, name: 'Flagged', fileName: 'flagged.ufpz', content };
    const id = await uploadFile(product, token, file);
    const own = '/v1/partner/partners/1';
    const assign = async () =>
      send(product, 'PUT', `${own}/files/${id}/groups`, { token, body: { group_ids: [0] } });
    const logs = async () => send(product, 'POST', `${own}/operation_logs/csv/batches`, { token });
    await change(1, { file_public_flag: false, operation_log_download_flag: false });
    await becomes(logs, 403, 'E40301');
    await becomes(assign, 403, 'E40304');
    await change(1, { file_public_flag: true });
    await becomes(assign, 200);
    await change(1, { operation_log_download_flag: true });
    await becomes(logs, 201);
  });

  test('the unit, by the administrators of both', async () => {
    const [before, after] = [
      await signInAdmin(product, 'unit@example.com'),
      await signInAdmin(product, 'other-unit@example.com'),
    ];
    const seenBy = (token: string) => async () =>
      send(product, 'GET', `/v1/admin/partners/${entry}`, { token });
    const { body } = await send(product, 'GET', '/v1/admin/partners/2', {
      token: await signInAdmin(product),
    });
    await becomes(seenBy(before), 200);
    await becomes(seenBy(after), 403, 'E40305');
    await change(entry, { unit_id: body.unitId });
    await becomes(seenBy(after), 200);
    await becomes(seenBy(before), 403, 'E40305');
  });
});

describe('When a licence is over', () => {
  test('then nobody of the tenant gets in, from one day after its end on', async () => {
    await expectRefusal(login('4000', { email: 'expired@example.com' }), 'E40302');
    const admin = await signInAdmin(product);
    const { body } = await send(product, 'GET', '/v1/admin/partners/1', { token: admin });
    const end = new Date(String(body.licenseExpiredOn)).getTime();
    const oneDay = 24 * 3_600_000;
    const people: Call[] = [
      login('1000', { email: 'partner@example.com' }),
      login('1000', { login_user_id: 'taro' }, 'a-device'),
    ];

    const restartAt = async (time: number) => {
      await product.stop();
      await product.start({ CLOCK_OFFSET_MS: String(time - Date.now()) });
    };

    await restartAt(end + oneDay - 120_000);
    for (const person of people) expect(await enter(person)).toBe(200);
    const portal = await signIn(product, '1000', 'partner@example.com');
    const player = await signIn(product, '1000', 'taro', 'a-device');

    await restartAt(end + oneDay + 1_000);
    for (const person of people) await expectRefusal(person, 'E40302');
    // Who is in can do nothing any more either, but ask about their token and leave.
    const own = (method: string, path: string, body?: object) => ({
      method,
      path: `/v1/partner/partners/1${path}`,
      request: { token: portal, body },
    });
    const calls = [
      own('POST', '/groups', { name: 'Late' }),
      own('GET', '/users'),
      own('POST', '/users/csv', { file_name: 'late.csv' }),
      own('GET', '/admins'),
      own('GET', '/summary'),
      own('GET', '/files'),
      own('POST', '/files/csv/batches'),
      own('POST', '/users/csv/batches'),
      own('POST', '/operation_logs/csv/batches'),
      own('POST', '/validate_password', { password: 'x' }),
      ...['/sessions', '/preferences', '/notices'].map((path) => ({
        method: 'GET',
        path: `/v1/partner${path}`,
        request: { token: portal },
      })),
      ...['/files', '/token'].map((path) => ({
        method: 'GET',
        path: `/v1/user${path}`,
        request: { token: player },
      })),
      {
        method: 'PUT',
        path: '/v1/user/platforms/a-device',
        request: { token: player, body: { name: 'Late' } },
      },
    ];
    const refuseAll = async (code: ErrorCode) => {
      for (const { method, path, request } of calls)
        await expectRefusal((headers) => send(product, method, path, { ...request, headers }), code);
    };
    await refuseAll('E40302');
    for (const token of [portal, player]) {
      for (const path of ['/v1/token/validate', '/v2/oauth2/token'])
        expect((await send(product, 'GET', path, { token })).status, path).toBe(200);
    }
    expect((await send(product, 'POST', '/v1/partner/logout', { token: portal })).status).toBe(200);
    expect((await send(product, 'POST', '/v1/user/logout', { token: player })).status).toBe(200);
    await refuseAll('E40102');
  });
});
