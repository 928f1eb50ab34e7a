import { newId } from '@portal/kernel';
import { type ServiceContext, systemScope } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { forgetUsage } from '../src/data/usage-repository.ts';
import { recordUsage } from '../src/use-cases/record-usage.ts';
import { takingContext } from './taking-context.ts';

let harness: ServiceHarness;
let context: ServiceContext<TenantDb, Config>;

beforeAll(async () => {
  harness = await startServiceHarness(
    takingContext((taken) => {
      context = taken;
    }),
  );
});
afterAll(async () => harness.stop());

const record = async (batchId: string, day: string) =>
  recordUsage(
    context,
    { batchId, usage: [{ partnerId: 1, day, apiCalls: 1, uploadedBytes: 0, downloadedBytes: 0 }] },
    { systemScope },
  );
const days = async () =>
  harness.sql('SELECT day::text, api_calls::integer AS calls FROM daily_usage ORDER BY day');

describe('When usage is old', () => {
  it('then days and batches before their times are forgotten, and nothing else', async () => {
    const batchId = newId();
    await record(batchId, '2025-10-16');
    await record(newId(), '2025-10-17');
    const began = harness.clock.now();
    harness.clock.advance(1_000);
    await record(newId(), '2026-11-21');
    const forget = async (addedAt: Date) =>
      context.store.write(systemScope('test'), ({ db }) =>
        forgetUsage(db, { day: new Date('2025-10-17'), quarter: new Date('2026-10-20'), addedAt }),
      );
    await forget(began);
    expect(await days()).toEqual([
      { day: '2025-10-17', calls: 1 },
      { day: '2026-11-21', calls: 1 },
    ]);
    expect(await harness.sql('SELECT started_at FROM quarter_usage')).toEqual([
      { started_at: new Date('2026-11-21T12:00:00Z') },
    ]);
    // Still known, so it adds nothing.
    await record(batchId, '2026-11-21');
    expect(await days()).toMatchObject([{ calls: 1 }, { calls: 1 }]);
    await forget(new Date(began.getTime() + 500));
    expect(await harness.sql('SELECT id FROM usage_batches')).toHaveLength(1);
  });
});
