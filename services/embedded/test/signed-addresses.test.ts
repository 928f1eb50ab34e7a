import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { demoPassword, type Reply, send, signIn, signInAdmin, uploadFile } from '@portal/testing/http-client';
import { type SharedProduct, sharedProduct } from '@portal/testing/shared-product';
import { beforeAll, describe, expect, test, vi } from 'vitest';

/** A signed address is valid only as long as its reason is: who loses access to a file loses its address. */

const partner = '/v1/partner/partners/1';
const everyone = 0;

let product: SharedProduct;
let token: string;
let made = 0;
beforeAll(async () => {
  product = await sharedProduct();
  token = await signIn(product, '1000', 'partner@example.com');
});

const call = async (method: string, path: string, body?: unknown, by = token): Promise<Reply> => {
  const reply = await send(product, method, path, { token: by, ...(body === undefined ? {} : { body }) });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply;
};
const refusalOf = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];
/** The path goes as it is: an address that is read as a URL first loses its `..`. */
async function statusOfPath(path: string): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port: product.port, path }).end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  answer?.resume();
  return answer?.statusCode;
}

const get = async (address: string, headers: Record<string, string> = {}) => fetch(address, { headers });
/** The gateway may serve an answer of a second ago. */
const untilRefused = async (address: string, refusal: readonly unknown[]) =>
  vi.waitFor(async () => expect(await refusalOf(await get(address))).toEqual(refusal), {
    timeout: 10_000,
    interval: 100,
  });

async function newUser() {
  made += 1;
  const loginUserId = `reader-${made}`;
  const body = { name: 'Reader', login_user_id: loginUserId, password: demoPassword };
  const { body: user } = await call('POST', `${partner}/users`, body);
  const device = `device-${made}`;
  return { id: Number(user['id']), device, token: await signIn(product, '1000', loginUserId, device) };
}

/** A file that a new person gets, and the address of its bytes as they have it. */
async function delivered() {
  const reader = await newUser();
  const { body: group } = await call('POST', `${partner}/groups`, { name: `Readers ${made}` });
  const groupId = Number(group['id']);
  await call('POST', `${partner}/groups/${groupId}/users`, { ids: [reader.id] });
  const name = `address-${made}.uap`;
  const content = Buffer.from(`0123456789 ${made}`);
  const fileId = await uploadFile(product, token, { partnerId: 1, name, fileName: name, content });
  await call('PUT', `${partner}/files/${fileId}/groups`, { group_ids: [groupId] });
  const file = await vi.waitFor(
    async () => {
      const { body } = await call('GET', `/v1/user/files/${fileId}`, undefined, reader.token);
      return body;
    },
    { timeout: 10_000, interval: 100 },
  );
  return { reader, groupId, fileId, content, address: String(file['signedUrl']) };
}

describe('When somebody has the address of a file', () => {
  test('then they get it, whole, in part, or not again, until it is deleted', async () => {
    const { address, content, fileId } = await delivered();
    const whole = await get(address);
    expect([whole.status, Buffer.from(await whole.arrayBuffer())]).toEqual([200, content]);
    const etag = whole.headers.get('etag') ?? '';
    const part = await get(address, { range: 'bytes=2-4', 'if-range': etag });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    expect((await get(address, { 'if-none-match': etag })).status).toBe(304);
    expect((await fetch(address, { method: 'HEAD' })).headers.get('content-length')).toBe(
      `${content.length}`,
    );

    const { body } = await call('GET', `${partner}/files/${fileId}`);
    const inPortal = String(body['signedUrl']);
    expect((await get(inPortal)).status).toBe(200);

    await call('DELETE', `${partner}/files/${fileId}`);
    await untilRefused(address, [404, 'E40405']);
    await untilRefused(inPortal, [404, 'E40405']);
    expect((await get(address, { range: 'bytes=2-4' })).status).toBe(404);
    expect((await get(address, { 'if-none-match': etag })).status).toBe(404);
  }, 60_000);

  test('then the last byte that they are sent counts as downloaded, and nothing before it does', async () => {
    const { address, fileId, reader } = await delivered();
    const states = async () => (await call('GET', `${partner}/files/${fileId}/delivery`)).body['states'];
    const only = (state: string) =>
      expect.objectContaining({ notSeen: 0, seen: 0, downloaded: 0, [state]: 1 });
    // The event of the device that has just signed in comes a moment later.
    await vi.waitFor(async () => expect(await states()).toEqual(only('seen')), { timeout: 10_000 });
    await (await get(address, { range: 'bytes=0-4' })).text();
    await fetch(address, { method: 'HEAD' });
    await (await get(address, { range: 'bytes=5-' })).text();
    await vi.waitFor(async () => expect(await states()).toEqual(only('downloaded')), { timeout: 10_000 });
    const { body } = await call('GET', `${partner}/files/${fileId}/delivery/devices`);
    expect(body['devices']).toMatchObject([
      { user: { id: reader.id }, device: { uuid: reader.device }, status: 'downloaded', toldBy: 'gateway' },
    ]);
  }, 60_000);

  test('then it ends when the file is taken from their groups, or they from the group', async () => {
    const { address, fileId, groupId, reader } = await delivered();
    expect((await get(address)).status).toBe(200);
    await call('PUT', `${partner}/files/${fileId}/groups`, { group_ids: [] });
    await untilRefused(address, [404, 'E40405']);
    // Given back, it goes on where it was.
    await call('PUT', `${partner}/files/${fileId}/groups`, { group_ids: [groupId] });
    expect((await get(address, { range: 'bytes=3-' })).status).toBe(206);
    await call('DELETE', `${partner}/groups/${groupId}/users`, { ids: [reader.id] });
    await untilRefused(address, [404, 'E40405']);
    await call('PUT', `${partner}/files/${fileId}/groups`, { group_ids: [everyone] });
    expect((await get(address)).status).toBe(200);
  }, 60_000);

  test.each([
    [
      'they sign out',
      async ({ reader }: Awaited<ReturnType<typeof delivered>>) =>
        call('POST', '/v1/user/logout', undefined, reader.token),
    ],
    [
      'their password is changed',
      async ({ reader }: Awaited<ReturnType<typeof delivered>>) =>
        call('PUT', `${partner}/users/${reader.id}`, { password: 'An0ther-password' }),
    ],
    [
      'their device is removed',
      async ({ reader }: Awaited<ReturnType<typeof delivered>>) =>
        call('PUT', `${partner}/users/${reader.id}`, { platform_uuids: [] }),
    ],
    [
      'they are deleted',
      async ({ reader }: Awaited<ReturnType<typeof delivered>>) =>
        call('DELETE', `${partner}/users`, { ids: [reader.id] }),
    ],
  ])(
    'then it ends at once when %s',
    async (_, end) => {
      const given = await delivered();
      expect((await get(given.address)).status).toBe(200);
      await end(given);
      // No answer of before counts: the session is asked about every time.
      expect(await refusalOf(await get(given.address))).toEqual([403, 'E40301']);
    },
    60_000,
  );

  test('then nothing in it can be changed to get another', async () => {
    const mine = await delivered();
    const other = await delivered();
    const swapped = (names: readonly string[]) => {
      const changed = new URL(mine.address);
      for (const name of names)
        changed.searchParams.set(name, new URL(other.address).searchParams.get(name) ?? '');
      return changed;
    };
    for (const names of [['session'], ['account'], ['file'], ['session', 'account', 'file', 'expires']]) {
      expect((await fetch(swapped(names))).status, names.join()).toBe(403);
    }
    const key = new URL(mine.address);
    for (const path of [
      new URL(other.address).pathname,
      key.pathname.replace('/storage/', '/storage/%2e%2e/'),
      key.pathname.replace('/partners/1/', '/partners%2F1/'),
      `${key.pathname}%00`,
    ]) {
      expect([400, 403, 404], path).toContain(await statusOfPath(`${path}${key.search}`));
    }
  }, 60_000);
});

test('When an icon was shown to somebody, then it goes with the file and the session', async () => {
  const player = await signIn(product, '1000', 'taro', 'icon-device');
  const { body } = await call('GET', '/v1/user/files?per_page=100', undefined, player);
  const files = body['files'] as { id: number; name: string; iconSignedUrl: string | null }[];
  const shown = files.find(({ name }) => name === 'Product tour');
  const icon = String(shown?.iconSignedUrl);
  expect((await get(icon)).headers.get('content-type')).toBe('image/png');
  const list = await call('GET', `${partner}/files?include_icon_url=true&per_page=100`);
  const rows = list.body['files'] as { id: number; iconSignedUrl: string | null }[];
  const inPortal = String(rows.find(({ id }) => id === shown?.id)?.iconSignedUrl);
  expect((await get(inPortal)).status).toBe(200);

  await call('POST', '/v1/user/logout', undefined, player);
  expect((await get(icon)).status).toBe(403);
  await call('DELETE', `${partner}/files/${shown?.id}`);
  await untilRefused(inPortal, [404, 'E40405']);
}, 60_000);

test('When an upload is over, then its addresses take no more bytes', async () => {
  const put = async (address: unknown) => {
    const reply = await fetch(String(address), { method: 'PUT', body: '12345' });
    return reply.ok ? reply.status : refusalOf(reply);
  };
  const open = async (by = token) => {
    made += 1;
    const body = { name: `Upload ${made}`, file_name: `upload-${made}.uap`, file_size: 5 };
    const { body: opened } = await call('POST', `${partner}/files`, body, by);
    const parts = await call('POST', `/v1/uploads/${opened['uploadId']}/parts`, { part_numbers: [1] }, by);
    const [part] = parts.body['parts'] as { signedUrl: string }[];
    return { path: `/v1/uploads/${opened['uploadId']}`, addresses: [opened['signedUrl'], part?.signedUrl] };
  };
  const aborted = await open();
  for (const address of aborted.addresses) expect(await put(address)).toBe(200);
  await call('DELETE', aborted.path);
  for (const address of aborted.addresses) expect(await put(address)).toEqual([404, 'E40405']);

  const completed = await open();
  expect(await put(completed.addresses[0])).toBe(200);
  await call('POST', `${completed.path}/complete`, {});
  for (const address of completed.addresses) expect(await put(address)).toEqual([404, 'E40405']);

  const developer = await signIn(product, '1000', 'dev');
  const left = await open(developer);
  await call('POST', '/v1/partner/logout', undefined, developer);
  for (const address of left.addresses) expect(await put(address)).toEqual([403, 'E40301']);
}, 60_000);

test('When the owner of an export signs out, then its address becomes invalid', async () => {
  const session = await signIn(product, '1000', 'partner@example.com');
  const { body: created } = await call('POST', `${partner}/users/csv/batches`, {}, session);
  const address = await vi.waitFor(
    async () => {
      const { body } = await call(
        'GET',
        `${partner}/users/csv/batches/${created['id']}/url`,
        undefined,
        session,
      );
      return String(body['signedUrl']);
    },
    { timeout: 30_000, interval: 200 },
  );
  expect((await get(address)).status).toBe(200);
  await call('POST', '/v1/partner/logout', undefined, session);
  expect(await refusalOf(await get(address))).toEqual([403, 'E40301']);
}, 60_000);

test('When an administrator reads the files of a tenant, then the icons open until they sign out, and there are no bytes', async () => {
  const administrator = await signInAdmin(product, 'unit@example.com');
  const read = async (path: string) => (await call('GET', partner + path, undefined, administrator)).body;
  const { files } = await read('/files?include_icon_url=true&per_page=100');
  const rows = files as { id: number; iconSignedUrl: string | null }[];
  const shown = rows.find(({ iconSignedUrl }) => iconSignedUrl !== null);
  const icon = String(shown?.iconSignedUrl);
  expect((await get(icon)).headers.get('content-type')).toBe('image/png');
  expect(await read(`/files/${shown?.id}`)).toMatchObject({ uploadStatus: 'complete', signedUrl: null });
  await call('POST', '/v1/admin/logout', undefined, administrator);
  expect(await refusalOf(await get(icon))).toEqual([403, 'E40301']);
}, 60_000);

test('When somebody asks for a template, then it needs no signature, and nothing else beside it is open', async () => {
  const template = await get(`${product.url}/storage/templates/application.json`);
  expect([template.status, await template.json()]).toEqual([
    200,
    { title: 'My application', version: '1.0.0', icon: 'icon.png', entry: 'index.html' },
  ]);
  expect((await get(`${product.url}/storage/templates/project.json`)).status).toBe(200);
  expect(await refusalOf(await get(`${product.url}/storage/templates/other.json`))).toEqual([404, 'E40401']);
  expect(await refusalOf(await get(`${product.url}/storage/templates/a/b.json`))).toEqual([403, 'E40301']);
});
