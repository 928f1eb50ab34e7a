import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '@portal/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushIdOf } from '../src/delivery/domain/push-id.ts';
import { pushService } from '../src/service.ts';
import { type Providers, startProviders } from './delivery-harness.ts';
import { createPushInstallation, type PushInstallation } from './push-installation.ts';

/** Pushes under way of an instance, and outcomes that it has not noted yet. */
const atOnceOfInstance = 4 * (150 + 500);

/**
 * Declares the test, with so many devices. @param killsThird whether what takes over is killed, too @param answerMs how long the providers
 * take for an answer, so that few devices last for a while
 */
export function testCrashes({
  answerMs,
  count,
  killsThird,
}: {
  readonly count: number;
  readonly killsThird: boolean;
  readonly answerMs: number;
}): void {
  let providers: Providers;
  let database: TestDatabase;
  let installation: PushInstallation;
  beforeAll(async () => {
    providers = await startProviders();
    if (answerMs > 0)
      providers.conduct = async () => {
        await sleep(answerMs);
        return undefined;
      };
    database = await testDatabase({ service: 'push', directories: pushService.migrations });
    installation = await createPushInstallation({
      ...database,
      env: providers.env,
      account: await providers.fcm.addAccount('demo'),
      app: await providers.authority.forApp('com.example.app'),
    });
  });
  afterAll(async () => {
    await installation?.close();
    await database?.drop();
    await providers?.close();
  });
  const takenIs = async (count: number) =>
    expect
      .poll(() => providers.taken.length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThanOrEqual(count);

  test(`When instances are killed in the middle of ${count} devices, then none is left out, and none has two ids`, async () => {
    const { kill, partner, sql, start } = installation;
    const devices = await partner.people(count);
    const started = [await start(), await start()] as const;
    const id = await partner.notify();

    // Both share the work: one alone has no more than four lanes.
    const lanes = async () =>
      (
        await sql<{ lanes: number }>(
          `SELECT count(*)::integer AS lanes FROM messaging.task WHERE queue = 'send-notifications' AND lease IS NOT NULL`,
        )
      )[0]?.lanes;
    await expect.poll(lanes, { timeout: 30_000, interval: 20 }).toBeGreaterThan(4);

    await takenIs(count / 10);
    await kill(started[0]);
    await takenIs(count / 5);
    await kill(started[1]);
    const atKill = providers.taken.length;
    expect(atKill).toBeLessThan(count);
    await sleep(200);
    const third = await start();
    if (killsThird) {
      await takenIs(atKill + count / 10);
      await kill(third);
      await start();
      await start();
    }
    await expect
      .poll(async () => partner.state(id), { timeout: 150_000, interval: 200 })
      .toMatchObject({ status: 'success', target: count, success: count, failure: 0 });

    const ids = new Map<string, Set<string>>();
    for (const push of providers.taken) {
      const known = ids.get(push.token) ?? new Set();
      ids.set(push.token, known.add(`${push.id} ${push.collapseKey}`));
    }
    const wrong = devices.filter(({ service, token, uuid }) => {
      const expected = `${service === 'apns' ? pushIdOf(id, uuid) : id} ${id}`;
      const known = ids.get(token);
      return known?.size !== 1 || !known.has(expected);
    });
    expect(wrong).toEqual([]);
    expect(ids.size).toBe(count);
    // What was under way at the kills is sent twice at most.
    expect(providers.taken.length - count).toBeLessThanOrEqual((killsThird ? 3 : 2) * atOnceOfInstance);
    expect(await sql('SELECT 1 FROM delivery_pages')).toEqual([]);
  }, 300_000);
}
