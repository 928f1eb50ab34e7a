import { fileRoutes, type rolloutPlan } from '@portal/contracts';
import { systemScope } from '@portal/service-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { PrismaClient } from '../src/data/db.ts';
import { findPending } from '../src/rollouts/data/rollout-repository.ts';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

const pid = 1;
const hour = 3_600_000;
let harness: FileHarness;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(pid);
  await harness.group(3, 'Sales');
});
afterAll(async () => harness.stop());

async function delivered(fileName: string, rollout: z.input<typeof rolloutPlan>): Promise<number> {
  const id = await harness.upload({ fileName, bytes: someBytes('one') });
  await harness.call(
    fileRoutes.assignGroups,
    { params: { pid, id }, body: { groupIds: [3], rollout } },
    admin,
  );
  return id;
}

async function pending() {
  const database = harness.openDatabase(PrismaClient);
  return database.transaction(systemScope('test'), async (db) => findPending(db, harness.clock.now()));
}

it('tells when the next stage begins by itself, and waits for none that begins by hand', async () => {
  const begun = harness.clock.now().getTime();
  await delivered('ByHand.uap', { stages: [{ percent: 40 }, { percent: 100 }] });
  expect(await pending()).toEqual({ due: [], next: null });

  await delivered('Tomorrow.uap', { stages: [{ percent: 40 }, { percent: 100, after: 'PT24H' }] });
  const id = await delivered('Soon.uap', { stages: [{ percent: 40 }, { percent: 100, after: 'PT1H' }] });
  expect(await pending()).toEqual({ due: [], next: new Date(begun + hour) });

  harness.clock.advance(hour);
  expect(await pending()).toEqual({ due: [{ id, partnerId: pid }], next: new Date(begun + 24 * hour) });
  await harness.runJobs();
  expect(await pending()).toEqual({ due: [], next: new Date(begun + 24 * hour) });
});
