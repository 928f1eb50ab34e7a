import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pushIdOf } from '../src/delivery/domain/push-id.ts';
import {
  type DeliveryHarness,
  type DeliveryPartner,
  startDeliveryHarness,
  type TestDevice,
} from './delivery-harness.ts';

/** What goes wrong at a provider during a delivery. After each: no device left out, none with two ids, none before its time. */

let harness: DeliveryHarness;
beforeAll(async () => {
  harness = await startDeliveryHarness();
});
afterAll(async () => harness?.stop());
afterEach(() => {
  harness.providers.conduct = undefined;
  harness.providers.taken.length = 0;
});

const patience = { timeout: 40_000, interval: 50 };
const isDelivered = async (partner: DeliveryPartner, id: number, count: number) =>
  expect
    .poll(
      harness.afterJobs(async () => partner.state(id)),
      patience,
    )
    .toMatchObject({ status: 'success', target: count, success: count, failure: 0, reasons: [] });

/** A try to send to a device. */
interface Try {
  readonly id: string;
  readonly at: number;
}

/** Has the providers do what `conduct` says, and answers the tries of each token. */
function watch(conduct: (tries: number, service: string) => typeof harness.providers.conduct) {
  const tries = new Map<string, Try[]>();
  harness.providers.conduct = (push) => {
    const known = tries.get(push.token) ?? [];
    tries.set(push.token, [...known, { id: push.id, at: harness.clock.now().getTime() }]);
    return conduct(known.length + 1, push.service)?.(push);
  };
  return tries;
}

/** Each device was sent to, under one id, and took it once. */
function expectEachOnce(devices: readonly TestDevice[], tries: ReadonlyMap<string, Try[]>, id: number): void {
  const taken = harness.providers.taken.map(({ token }) => token);
  expect(taken.sort()).toEqual(devices.map(({ token }) => token).sort());
  for (const { service, token, uuid } of devices) {
    const expected = service === 'apns' ? pushIdOf(id, uuid) : String(id);
    expect(new Set(tries.get(token)?.map((one) => one.id))).toEqual(new Set([expected]));
  }
}

const waitsIn = (tries: readonly Try[] = []) =>
  tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));

describe('When a provider answers 429 for a minute', () => {
  test('then it is asked less and less, not before its Retry-After, and all devices are reached after it', async () => {
    const partner = await harness.partner();
    const devices = await partner.people(100);
    const start = harness.clock.now().getTime();
    const tries = watch((_, service) => () => {
      if (harness.clock.now().getTime() >= start + 60_000) return undefined;
      return service === 'fcm'
        ? { kind: 'refuse', status: 429, reason: 'QUOTA_EXCEEDED', retryAfter: '60' }
        : { kind: 'refuse', status: 429, reason: 'TooManyRequests' };
    });
    const id = await partner.notify();
    const tried = async () =>
      harness.sql(
        `SELECT min(tries) AS least FROM deliveries WHERE notification_id = $1
         HAVING bool_and(outcome IS NOT NULL OR due_at > $2)`,
        id,
        harness.clock.now(),
      );
    for (const seconds of [1, 1, 2, 4, 8, 15, 29]) {
      await expect.poll(harness.afterJobs(tried), patience).toHaveLength(1);
      expect(harness.providers.taken).toEqual([]);
      harness.clock.advance(seconds * 1_000);
    }
    harness.clock.advance(60_000);
    await isDelivered(partner, id, devices.length);

    expectEachOnce(devices, tries, id);
    for (const { service, token } of devices) {
      const waits = waitsIn(tries.get(token));
      if (service === 'fcm') {
        expect(waits).toHaveLength(1);
        expect(waits[0]).toBeGreaterThanOrEqual(60_000);
        continue;
      }
      // A second doubled six times is more than a minute, each shortened by half at most.
      expect(waits.length).toBeGreaterThan(4);
      expect(waits.length).toBeLessThan(9);
      waits.forEach((wait, index) => expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index));
    }
  }, 60_000);
});

describe('When a provider is slow', () => {
  test('then all devices are reached, none twice', async () => {
    const partner = await harness.partner();
    const devices = await partner.people(600);
    const tries = watch(() => async () => {
      await sleep(1_500);
      return undefined;
    });
    const id = await partner.notify();
    await isDelivered(partner, id, devices.length);
    expectEachOnce(devices, tries, id);
    expect([...tries.values()].every((of) => of.length === 1)).toBe(true);
  }, 60_000);
});

describe('When a provider hangs', () => {
  test('then what it did not answer is sent again with the same id, and the others are not', async () => {
    const partner = await harness.partner();
    const devices = await partner.people(40);
    const hung = new Set(devices.slice(0, 10).map(({ token }) => token));
    const tries = watch(
      (count) =>
        ({ token }) =>
          hung.has(token) && count === 1 ? { kind: 'hang' } : undefined,
    );
    const id = await partner.notify();
    const answered = async () =>
      harness.sql('SELECT uuid FROM deliveries WHERE notification_id = $1 AND tries = 1', id);
    await expect.poll(harness.afterJobs(answered), patience).toHaveLength(devices.length);
    expect(await partner.state(id)).toMatchObject({ status: 'delivering', success: 30, failure: 0 });
    harness.clock.advance(1_000);
    await isDelivered(partner, id, devices.length);
    expectEachOnce(devices, tries, id);
    for (const [token, of] of tries) expect([token, of.length]).toEqual([token, hung.has(token) ? 2 : 1]);
  }, 60_000);
});
