import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@portal/testing/engines';
import { send, signIn } from '@portal/testing/http-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DistributedHost, startDistributedHost } from './host.ts';

/** Push notifications while something is killed that they need, on real engines. After each: none is lost, none is shown twice. */

const patience = { timeout: 90_000, interval: 250 };
const notifications = '/v1/partner/partners/1/push_notifications';
const pushToken = 'token-of-taro';

let host: DistributedHost;
let admin: string;
beforeAll(async () => {
  host = await startDistributedHost();
  admin = await signIn(host, '1000', 'partner@example.com');
  const player = await signIn(host, '1000', 'taro', 'device-of-taro');
  const told = await send(host, 'PUT', '/v1/user/platforms/device-of-taro', {
    token: player,
    body: { push_token: pushToken, push_service: 'fcm' },
  });
  expect(told.status).toBe(200);
  const devices = async () =>
    (await send(host, 'POST', `${notifications}/audience`, { token: admin, body: {} })).body['devices'];
  await vi.waitFor(async () => expect(await devices()).toBe(1), patience);
});
afterAll(() => host?.remove());

const killed: Record<string, () => Engine> = {
  'the broker': () => host.engine('kafka'),
  PostgreSQL: () => host.engine('postgres'),
  'the push service': () => host.service('push'),
};

describe.each(Object.keys(killed))('When %s is killed while notifications are sent', (name) => {
  test('then each that was acknowledged is delivered once, at its time, and counted', async () => {
    const engine = killed[name]?.();
    if (!engine) throw new Error(`There is no ${name}`);
    const numberOfSummary = async () =>
      Number(
        (await send(host, 'GET', '/v1/partner/partners/1/summary', { token: admin })).body[
          'pushNotificationNum'
        ],
      );
    const before = await numberOfSummary();
    const ids: number[] = [];
    const write = async (count: number, body: object = {}) => {
      for (let n = 0; n < count; n += 1) {
        const message = `${name} ${ids.length} ${n}`;
        const reply = await send(host, 'POST', notifications, {
          token: admin,
          body: { message, ...body },
        }).catch(() => undefined);
        if (reply?.status === 201) ids.push(Number(reply.body['id']));
        await sleep(50);
      }
    };
    await write(20);
    // Some become due while it is away, and some after.
    for (const seconds of [2, 12]) {
      await write(3, {
        deliver_datetime: `${new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19)}Z`,
      });
    }
    await engine.kill();
    await write(20);
    await sleep(3_000);
    await engine.start();
    await expect
      .poll(async () => {
        await write(1);
        return (await send(host, 'GET', notifications, { token: admin })).status;
      }, patience)
      .toBe(200);
    await write(10);
    expect(ids.length).toBeGreaterThan(30);

    const rows = async () =>
      host.query<{ id: number; status: string; success: number; early: boolean }>(
        'push',
        `SELECT id, status, success_count AS success, started_at < due_at AS early FROM notifications
         WHERE id = ANY ($1) ORDER BY id`,
        ids,
      );
    await expect
      .poll(rows, patience)
      .toEqual(
        ids.toSorted((a, b) => a - b).map((id) => ({ id, status: 'success', success: 1, early: false })),
      );
    const { body } = await send(host, 'GET', `/dev/pushbox?token=${pushToken}`);
    const shown = [body['pushes']].flat().map((push) => Number(Object(push).id));
    expect(ids.filter((id) => shown.filter((one) => one === id).length !== 1)).toEqual([]);
    // Those whose acknowledgement was lost are counted, too.
    await expect.poll(numberOfSummary, patience).toBeGreaterThanOrEqual(before + ids.length);
    const all = await host.query<{ count: number }>(
      'push',
      `SELECT count(*)::integer AS count FROM notifications WHERE partner_id = 1 AND finished_at IS NOT NULL`,
    );
    await expect.poll(numberOfSummary, patience).toBe(all[0]?.count);
  }, 240_000);
});
