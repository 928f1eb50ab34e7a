import { limits, userEvents } from '@portal/contracts';
import { defineService, type ServiceContext, systemScope } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { config } from '../src/config.ts';
import type { BatchDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { subscriptions } from '../src/events/subscriptions.ts';
import { forgetPeople } from '../src/use-cases/forget-people.ts';

const day = 24 * 3_600_000;
const person = userEvents.userCreated.example;
let harness: ServiceHarness;
let context: Pick<ServiceContext<BatchDb, unknown>, 'clock' | 'store'>;

beforeAll(async () => {
  harness = await startServiceHarness(
    defineService<BatchDb, object>({
      name: 'batch',
      config,
      directory: new URL('../', import.meta.url),
      prismaClient: PrismaClient,
      create({ clock, store }) {
        context = { clock, store };
        return { routes: [], subscriptions: subscriptions({ clock }) };
      },
    }),
  );
});
afterAll(async () => harness.stop());

const run = { scope: systemScope('test'), startedAt: new Date(), stopping: new AbortController().signal };
const known = async () =>
  (await harness.sql<{ id: number }>('SELECT account_id AS id FROM people ORDER BY 1')).map(({ id }) => id);

describe('When people are deleted', () => {
  test('then their names go after the log has forgotten what they did, and nobody else’s', async () => {
    for (const userId of [1, 2]) {
      const data = { ...person, userId };
      await harness.deliver(userEvents.userCreated, { subject: userId, partnerId: 1, data });
    }
    await harness.deliver(userEvents.userDeleted, { subject: 1, partnerId: 1, data: { userId: 1 } });
    harness.clock.advance((limits.operationLogRetentionDays + 31) * day);
    await forgetPeople(context, run);
    expect(await known()).toEqual([1, 2]);
    harness.clock.advance(1);
    await forgetPeople(context, run);
    expect(await known()).toEqual([2]);
  });
});
