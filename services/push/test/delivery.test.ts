import { setTimeout as sleep } from 'node:timers/promises';
import { pushEvents } from '@portal/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pushIdOf } from '../src/delivery/domain/push-id.ts';
import { type DeliveryHarness, type DeliveryPartner, startDeliveryHarness } from './delivery-harness.ts';

let harness: DeliveryHarness;
beforeAll(async () => {
  harness = await startDeliveryHarness();
});
afterAll(async () => harness?.stop());
afterEach(() => {
  harness.providers.conduct = undefined;
  harness.providers.taken.length = 0;
});

const patience = { timeout: 20_000, interval: 50 };
const until = async (partner: DeliveryPartner, id: number, state: object) =>
  expect
    .poll(
      harness.afterJobs(async () => partner.state(id)),
      patience,
    )
    .toMatchObject(state);
const takenFor = (id: number) =>
  harness.providers.taken.filter(({ collapseKey }) => collapseKey === String(id));
const eventsOf = async (id: number) => {
  await harness.settled();
  const events = await harness.events();
  return events.filter(({ subject, type }) => type.startsWith('notification.') && subject === String(id));
};

describe('When the time of a notification has come', () => {
  test('then each device of the tenant gets it once, by its own provider, and nobody else', async () => {
    const partner = await harness.partner();
    const other = await harness.partner();
    await other.people(3);
    const devices = await partner.people(1_203);
    const id = await partner.notify({ title: '速報', json: '{"a":1}' });
    await until(partner, id, { status: 'success', target: 1_203, success: 1_203, failure: 0, reasons: [] });

    const taken = takenFor(id);
    expect(taken).toHaveLength(1_203);
    const byToken = new Map(taken.map((push) => [push.token, push]));
    for (const { service, token, uuid } of devices) {
      expect(byToken.get(token)).toMatchObject({
        service,
        title: '速報',
        message: 'Message',
        json: '{"a":1}',
        id: service === 'apns' ? pushIdOf(id, uuid) : String(id),
      });
    }
    expect(harness.providers.taken).toHaveLength(1_203);
    const [delivering, delivered, ...more] = await eventsOf(id);
    expect(delivering).toMatchObject({
      type: 'notification.delivering',
      partnerid: partner.id,
      data: { notificationId: id, startedAt: '2026-11-21T09:00:00Z' },
    });
    expect(delivered).toMatchObject({
      type: 'notification.delivered',
      partnerid: partner.id,
      data: {
        notificationId: id,
        title: '速報',
        fileId: null,
        startedAt: '2026-11-21T09:00:00Z',
        finishedAt: '2026-11-21T09:00:00Z',
        targetCount: 1_203,
        successCount: 1_203,
        failureCount: 0,
        failureReasons: [],
      },
    });
    expect(more).toEqual([]);
    // Nothing is left of the work.
    expect(
      await harness.sql(
        `SELECT (SELECT count(*) FROM delivery_runs)::int AS runs, (SELECT count(*) FROM delivery_pages)::int AS pages`,
      ),
    ).toEqual([{ runs: 0, pages: 0 }]);
  });

  test('then the audience is a group, several groups, or users', async () => {
    const partner = await harness.partner();
    const [first, second, both, none] = [
      await partner.people(3, { groupIds: [1] }),
      await partner.people(2, { groupIds: [2] }),
      await partner.people(4, { groupIds: [1, 2] }),
      await partner.people(2, { groupIds: [3] }),
    ];
    const one = await partner.notify({ groupIds: [1] });
    await until(partner, one, { status: 'success', target: 7 });
    expect(
      takenFor(one)
        .map(({ token }) => token)
        .sort(),
    ).toEqual([...first, ...both].map(({ token }) => token));
    // Each person once, however many groups they share.
    const several = await partner.notify({ groupIds: [2, 1] });
    await until(partner, several, { status: 'success', target: 9, success: 9 });
    expect(takenFor(several)).toHaveLength(9);
    const [someone] = none;
    const users = await partner.notify({ userIds: [someone?.userId ?? 0, second[0]?.userId ?? 0, 999_999] });
    await until(partner, users, { status: 'success', target: 2, success: 2 });
    expect(
      takenFor(users)
        .map(({ token }) => token)
        .sort(),
    ).toEqual([second[0]?.token, someone?.token].sort());
  });

  test('then one that reaches no device is a success', async () => {
    const partner = await harness.partner();
    const id = await partner.notify();
    await until(partner, id, { status: 'success', target: 0, success: 0, failure: 0 });
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test('then a tenant whose licence is over sends nothing', async () => {
    const partner = await harness.partner({
      certifies: 'nothing',
      licenseExpiredOn: '2026-11-20T08:59:59Z',
    });
    await partner.people(2);
    const id = await partner.notify();
    await until(partner, id, { status: 'success', target: 0 });
    expect(harness.providers.taken).toEqual([]);
  });

  test('then it begins, and not a moment before', async () => {
    const partner = await harness.partner();
    await partner.people(1);
    const dueAt = new Date(harness.clock.now().getTime() + 60_000);
    const id = await partner.notify({ dueAt });
    harness.clock.advance(59_999);
    await harness.runJobs();
    await sleep(300);
    expect(await partner.state(id)).toMatchObject({ status: 'waiting', startedAt: null });
    expect(harness.providers.taken).toEqual([]);
    harness.clock.advance(1);
    await until(partner, id, { status: 'success', startedAt: dueAt });
  });

  test('then one that was put off at this moment waits', async () => {
    const partner = await harness.partner();
    await partner.people(1);
    const id = await partner.notify();
    const dueAt = new Date(harness.clock.now().getTime() + 60_000);
    await harness.sql('UPDATE notifications SET due_at = $2 WHERE id = $1', id, dueAt);
    await harness.runJobs();
    await sleep(300);
    expect((await partner.state(id)).status).toBe('waiting');
    harness.clock.advance(60_000);
    await until(partner, id, { status: 'success', startedAt: dueAt });
  });

  test('then one that is deleted at this moment is not sent', async () => {
    const partner = await harness.partner();
    await partner.people(1);
    const id = await partner.notify();
    await harness.sql('DELETE FROM notifications WHERE id = $1', id);
    await expect
      .poll(
        harness.afterJobs(async () => harness.sql('SELECT 1 FROM messaging.task WHERE id = $1', String(id))),
      )
      .toEqual([]);
    expect(harness.providers.taken).toEqual([]);
  });
});

describe('When a device cannot be reached', () => {
  test('then a dead token is dropped and told of, and the others get it', async () => {
    const partner = await harness.partner();
    const devices = await partner.people(10);
    const [android, ios] = devices;
    harness.providers.conduct = ({ service, token }) => {
      if (token === android?.token) return { kind: 'refuse', status: 404, reason: 'UNREGISTERED' };
      if (token === ios?.token) return { kind: 'refuse', status: 410, reason: 'Unregistered', timestamp: 1 };
      return service === 'apns' && token === devices[3]?.token
        ? { kind: 'refuse', status: 400, reason: 'BadTopic' }
        : undefined;
    };
    const id = await partner.notify();
    await until(partner, id, {
      status: 'success',
      target: 10,
      success: 7,
      failure: 3,
      reasons: [
        { reason: 'BadTopic', count: 1 },
        { reason: 'UNREGISTERED', count: 1 },
        { reason: 'Unregistered', count: 1 },
      ],
    });
    await harness.settled();
    const told = await harness.events(pushEvents.deviceUnreachable.type);
    expect(told.filter(({ partnerid }) => partnerid === partner.id).map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ userId: android?.userId, pushService: 'fcm', reason: 'UNREGISTERED' }),
        expect.objectContaining({ userId: ios?.userId, pushService: 'apns', reason: 'Unregistered' }),
      ]),
    );
    const left = await harness.sql('SELECT uuid FROM devices WHERE partner_id = $1', partner.id);
    expect(left).toHaveLength(8);
    // The next one does not try them.
    harness.providers.conduct = undefined;
    const next = await partner.notify();
    await until(partner, next, { status: 'success', target: 8, success: 8 });
  });

  test('then a notification that nobody took has failed', async () => {
    const partner = await harness.partner();
    await partner.people(4);
    harness.providers.conduct = () => ({ kind: 'refuse', status: 400, reason: 'INVALID_ARGUMENT' });
    const id = await partner.notify();
    await until(partner, id, {
      status: 'failure',
      target: 4,
      success: 0,
      failure: 4,
      reasons: [{ reason: 'INVALID_ARGUMENT', count: 4 }],
    });
    const [, failed] = await eventsOf(id);
    expect(failed).toMatchObject({ type: 'notification.failed', data: { failureCount: 4, targetCount: 4 } });
  });

  test('then a certificate that has nothing for its provider is the reason', async () => {
    const partner = await harness.partner({ certifies: 'android' });
    await partner.people(4);
    const id = await partner.notify();
    await until(partner, id, { success: 2, failure: 2, reasons: [{ reason: 'NoCertificate', count: 2 }] });
    const without = await harness.partner({ certifies: 'nothing' });
    await without.people(1);
    const nothing = await without.notify();
    await until(without, nothing, { status: 'failure', reasons: [{ reason: 'NoCertificate', count: 1 }] });
  });

  test('then a device that has passed to somebody else since gets nothing that is not theirs', async () => {
    const partner = await harness.partner();
    const [device] = await partner.people(1);
    harness.providers.conduct = () => ({ kind: 'refuse', status: 503, reason: 'UNAVAILABLE' });
    const id = await partner.notify();
    await until(partner, id, { status: 'delivering' });
    await expect
      .poll(async () => harness.sql('SELECT 1 FROM deliveries WHERE tries > 0 AND notification_id = $1', id))
      .toHaveLength(1);
    await harness.sql(`UPDATE devices SET user_id = 999999 WHERE uuid = $1`, device?.uuid);
    harness.providers.conduct = undefined;
    harness.clock.advance(2_000);
    await until(partner, id, { status: 'failure', reasons: [{ reason: 'NoToken', count: 1 }] });
    expect(harness.providers.taken).toEqual([]);
  });
});

describe('When a provider asks for patience', () => {
  const tries = async (id: number) =>
    (await harness.sql<{ tries: number }>('SELECT tries FROM deliveries WHERE notification_id = $1', id)).map(
      (row) => row.tries,
    );

  test('then what it did not take is tried again after a second at most, and what it took is not', async () => {
    const partner = await harness.partner();
    const [busy] = await partner.people(600);
    harness.providers.conduct = ({ token }) =>
      token === busy?.token ? { kind: 'refuse', status: 503, reason: 'UNAVAILABLE' } : undefined;
    const id = await partner.notify();
    await until(partner, id, { status: 'delivering', success: 599, failure: 0 });
    harness.providers.conduct = undefined;
    harness.clock.advance(1_000);
    await until(partner, id, { status: 'success', success: 600, failure: 0, reasons: [] });
    expect(takenFor(id)).toHaveLength(600);
  });

  test('then Retry-After is kept', async () => {
    const partner = await harness.partner();
    await partner.people(1, { service: 'fcm' });
    harness.providers.conduct = () => ({
      kind: 'refuse',
      status: 429,
      reason: 'QUOTA_EXCEEDED',
      retryAfter: '30',
    });
    const id = await partner.notify();
    await until(partner, id, { status: 'delivering' });
    await expect.poll(async () => tries(id)).toEqual([1]);
    harness.providers.conduct = undefined;
    harness.clock.advance(29_900);
    await harness.runJobs();
    await sleep(300);
    expect(await tries(id)).toEqual([1]);
    harness.clock.advance(100);
    await until(partner, id, { status: 'success', success: 1 });
  });

  test('then after an hour the device has failed, with the reason', async () => {
    const partner = await harness.partner();
    await partner.people(1, { service: 'apns' });
    harness.providers.conduct = () => ({ kind: 'refuse', status: 429, reason: 'TooManyRequests' });
    const id = await partner.notify();
    await until(partner, id, { status: 'delivering' });
    await expect.poll(async () => tries(id)).toEqual([1]);
    harness.clock.advance(3_500_000);
    await expect
      .poll(
        harness.afterJobs(async () => tries(id)),
        patience,
      )
      .toEqual([2]);
    expect((await partner.state(id)).status).toBe('delivering');
    harness.clock.advance(100_000);
    await until(partner, id, {
      status: 'failure',
      failure: 1,
      reasons: [{ reason: 'TooManyRequests', count: 1 }],
    });
  });

  test('then a large notification that hangs does not hold up another tenant’s', async () => {
    const large = await harness.partner();
    const small = await harness.partner();
    const held = new Set((await large.people(6_000)).map(({ token }) => token));
    // Of more pages than one, so that it needs several turns.
    await small.people(1_001);
    harness.providers.conduct = ({ token }) => (held.has(token) ? { kind: 'hang' } : undefined);
    const first = await large.notify();
    await until(large, first, { status: 'delivering' });
    const second = await small.notify();
    await until(small, second, { status: 'success', success: 1_001 });
    // Whatever the provider was asked first for the large one still hangs: no lane has become free.
    expect(new Set(await tries(first))).toEqual(new Set([0]));
    expect(await large.state(first)).toMatchObject({ status: 'delivering', success: 0 });
    harness.providers.conduct = undefined;
    await harness.sql('DELETE FROM devices WHERE partner_id = $1', large.id);
  }, 60_000);
});

describe('When thirty days are over', () => {
  test('then who got a notification is forgotten, and its counts stay', async () => {
    const partner = await harness.partner();
    await partner.people(3);
    const id = await partner.notify();
    await until(partner, id, { status: 'success' });
    const rows = async () => harness.sql('SELECT uuid FROM deliveries WHERE notification_id = $1', id);
    const toForget = async () =>
      harness.sql('SELECT id FROM notifications WHERE id = $1 AND NOT deliveries_forgotten', id);
    harness.clock.advance(30 * 86_400_000);
    await harness.runJobs();
    expect(await rows()).toHaveLength(3);
    expect(await toForget()).toEqual([{ id }]);
    harness.clock.advance(1);
    await harness.runJobs();
    expect(await rows()).toEqual([]);
    // It is not looked at again.
    expect(await toForget()).toEqual([]);
    expect(await partner.state(id)).toMatchObject({ target: 3, success: 3 });
  });
});

describe('When a notification tells of a file', () => {
  test('then each device of a person gets it once, in however many groups they are', async () => {
    const partner = await harness.partner();
    const both = await partner.people(3, { groupIds: [1, 2] });
    const one = await partner.people(2, { groupIds: [2] });
    await partner.people(2, { groupIds: [3] });
    const id = await partner.notify({ fileId: 7, groupIds: [1, 2] });
    await until(partner, id, { status: 'success', target: 5, success: 5 });
    expect(
      takenFor(id)
        .map(({ token }) => token)
        .sort(),
    ).toEqual([...both, ...one].map(({ token }) => token).sort());
  });

  test('then whom it told before is not told again, of this file, and everyone else in the tenant is', async () => {
    const partner = await harness.partner();
    const told = await partner.people(2, { groupIds: [1] });
    const others = await partner.people(3);
    const first = await partner.notify({ fileId: 7, groupIds: [1] });
    await until(partner, first, { status: 'success', target: 2 });
    const second = await partner.notify({ fileId: 7, groupIds: [0] });
    await until(partner, second, { status: 'success', target: 3 });
    const tokens = takenFor(second).map(({ token }) => token);
    expect(tokens.sort()).toEqual(others.map(({ token }) => token).sort());
    const third = await partner.notify({ fileId: 7, groupIds: [1] });
    await until(partner, third, { status: 'success', target: 0 });
    const ofAnother = await partner.notify({ fileId: 8, groupIds: [1] });
    await until(partner, ofAnother, { status: 'success', target: 2 });
    expect(takenFor(ofAnother)).toHaveLength(told.length);
    const written = await partner.notify({ groupIds: [1] });
    await until(partner, written, { status: 'success', target: 2 });
  });
});
