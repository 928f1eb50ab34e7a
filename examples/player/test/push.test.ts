import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createApiClient } from '@portal/api-client';
import { fileRoutes, identityRoutes, mailRoutes, pushRoutes, userRoutes } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import { projectNode, root } from '@portal/testing/project';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** From what a company admin does in the portal to what the players of a demo print. */

const pid = 1;
const patience = { timeout: 20_000, interval: 100 };

let product: Product;
let api: ReturnType<typeof createApiClient>;
let taro: Player;
let hanako: Player;
const running: ChildProcess[] = [];

interface Player {
  readonly process: ChildProcess;
  output(): string;
  /** What was printed of pushes. */
  pushes(): string[];
}

/** The command-line player, as `npm run player` runs it. */
async function play(user: string, service: 'apns' | 'fcm', ...more: string[]): Promise<Player> {
  const options = [
    '--url',
    product.url,
    '--code',
    '1000',
    '--user',
    user,
    '--list',
    '--push',
    service,
    ...more,
  ];
  const started = spawn(projectNode, ['examples/player/main.ts', ...options], { cwd: root });
  running.push(started);
  const chunks: Buffer[] = [];
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString();
  const player = {
    process: started,
    output,
    pushes: () =>
      output()
        .split('\n')
        .filter((line) => /^Push: |^ {2}json: /.test(line)),
  };
  await vi.waitFor(
    () => expect(output()).toContain(`Waiting for push notifications by ${service}`),
    patience,
  );
  return player;
}

const deviceOf = async (loginId: string) => {
  const { users } = await api.call(userRoutes.listUsers, { params: { pid }, query: { loginId } });
  return users[0]?.platforms.map(({ pushService }) => pushService);
};
const groupOf = async (name: string) => {
  const { groups } = await api.call(userRoutes.listGroups, { params: { pid }, query: { name } });
  return groups[0]?.id ?? 0;
};

beforeAll(async () => {
  product = await startProduct();
  let token: string | undefined;
  api = createApiClient({ baseUrl: product.url, getToken: () => token, language: () => 'ja' });
  const session = await api.call(identityRoutes.partnerLogin, {
    body: { partnerCode: '1000', email: 'partner@example.com', password: 'Passw0rd-demo' },
  });
  token = session.accessToken;
  [taro, hanako] = await Promise.all([play('taro', 'fcm'), play('hanako@example.com', 'apns')]);
}, 120_000);
afterAll(async () => {
  for (const player of running) player.kill('SIGKILL');
  await product?.remove();
});

test('When a notification is sent to Sales, then the player of taro prints it, and nobody else’s', async () => {
  await expect
    .poll(async () => [await deviceOf('taro'), await deviceOf('hanako')], patience)
    .toEqual([['fcm'], ['apns']]);
  const groupId = await groupOf('Sales');
  await expect
    .poll(
      async () => api.call(pushRoutes.countPushAudience, { params: { pid }, body: { groupId } }),
      patience,
    )
    .toEqual({ users: 1, people: 1, devices: 1, sends: true });
  const body = { title: '速報', message: '新しいカタログです', json: '{"page":3}', groupId };
  await api.call(pushRoutes.createNotification, { params: { pid }, body });
  await expect.poll(taro.pushes, patience).toEqual(['Push: 速報 / 新しいカタログです', '  json: {"page":3}']);
  expect(hanako.pushes()).toEqual([]);
});

test('When a file is delivered with notices, then each person of its groups gets one push, and a mail who has an address', async () => {
  const groupIds = [await groupOf('Sales'), await groupOf('Field'), 0];
  const { files } = await api.call(fileRoutes.listFiles, { params: { pid }, query: {} });
  const file = files.find((one) => 'deliverReservationAt' in one && one.deliverReservationAt === null);
  if (!file) throw new Error('The demo has no file');
  const before = taro.pushes();
  const params = { pid, id: file.id };
  const notices = { notifyEmail: true, notifyPush: true };
  await api.call(fileRoutes.assignGroups, { params, body: { groupIds, ...notices } });
  const printed = [`Push: 新しいファイルが届きました / ${file.name}`, `  json: {"file_id":${file.id}}`];
  await expect.poll(hanako.pushes, patience).toEqual(printed);
  await expect.poll(taro.pushes, patience).toEqual([...before, ...printed]);
  const mails = async () =>
    (await api.call(mailRoutes.devMailbox, { query: { to: 'hanako@example.com' } })).mails.filter(
      ({ text }) => text.includes(file.name),
    );
  await expect
    .poll(async () => (await mails()).map(({ subject }) => subject), patience)
    .toEqual([expect.stringContaining('新しいファイルが届きました')]);

  // Whoever was told is not told again.
  await api.call(fileRoutes.assignGroups, { params, body: { groupIds, ...notices } });
  const list = { params: { pid }, query: {} };
  const states = async () =>
    (await api.call(pushRoutes.listNotifications, list)).pushNotifications.map((one) => [
      one.status,
      one.targetCount,
    ]);
  await expect.poll(states, patience).toEqual([
    ['success', 0],
    ['success', 2],
    ['success', 1],
  ]);
  expect(hanako.pushes()).toEqual(printed);
  expect(await mails()).toHaveLength(1);
});

test('When a player signs out, then pushes reach its device no more, and the page of its user says so', async () => {
  const ended = once(taro.process, 'exit');
  taro.process.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  await expect.poll(async () => deviceOf('taro'), patience).toEqual([null]);
  await expect
    .poll(
      async () => (await api.call(pushRoutes.countPushAudience, { params: { pid }, body: {} })).devices,
      patience,
    )
    .toBe(1);
});

test('When a push service does not know a token, then it is gone from the page of its user', async () => {
  // Apple's tokens are hexadecimal: it says of another that it knows no such device.
  const dead = await play('dev', 'apns', '--push-token', 'dead');
  await expect.poll(async () => deviceOf('dev'), patience).toEqual(['apns']);
  const { users } = await api.call(userRoutes.listUsers, { params: { pid }, query: { loginId: 'dev' } });
  const userIds = users.map(({ id }) => id);
  const devices = async () =>
    (await api.call(pushRoutes.countPushAudience, { params: { pid }, body: { userIds } })).devices;
  await expect.poll(devices, patience).toBe(1);
  const made = await api.call(pushRoutes.createNotification, {
    params: { pid },
    body: { message: 'Hello', userIds },
  });
  await expect.poll(async () => deviceOf('dev'), patience).toEqual([null]);
  const request = { params: { pid, id: made.id } };
  await expect
    .poll(async () => api.call(pushRoutes.getNotification, request), patience)
    .toMatchObject({ status: 'failure', failureReasons: [{ reason: 'BadDeviceToken', count: 1 }] });
  expect(dead.pushes()).toEqual([]);
});
