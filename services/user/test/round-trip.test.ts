import { buffer } from 'node:stream/consumers';
import { batchEvents } from '@portal/contracts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { importsOf } from './import-harness.ts';
import { startUserHarness, type UserHarness } from './user-harness.ts';

let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

/** Cells that spreadsheets, quoting or line breaks could damage. */
const names = ['=1+1', "'=1+1", "''@x", "'quoted'", '"quoted"', 'a,b', '＝1', '− 1', ' x ', '髙橋～'];

test('What is exported for an import goes back in unchanged', async () => {
  const partner = await harness.partner();
  const sales = await partner.group('Sales');
  const field = await partner.group('Field');
  for (const [i, name] of names.entries()) {
    await partner.user({ name, loginUserId: `-user-${i}`, json: '-1', groupIds: [field, sales] });
    await partner.user({ name, email: `+user-${i}@example.com`, json: '{"a": "b, \\"c\\""}' });
  }

  const objectKey = 'exports/1';
  await harness.deliver(batchEvents.csvRequested, {
    subject: 1,
    partnerId: partner.pid,
    data: {
      ...batchEvents.csvRequested.example,
      kind: 'users',
      language: 'ja',
      batchId: 1,
      objectKey,
      forImport: true,
    },
  });
  await vi.waitFor(async () => expect(await harness.events('csv.completed')).toHaveLength(1), {
    timeout: 20_000,
    interval: 100,
  });
  const content = await harness.storage.get(objectKey);
  if (!content || content === 'not-modified') throw new Error('No file');
  const file = await buffer(content.body);

  const done = await importsOf(harness, partner).run(file);
  expect(done.lineErrors).toEqual([]);
  expect(done).toMatchObject({
    status: 'complete',
    createCount: 0,
    updateCount: 0,
    unchangedCount: names.length * 2,
    deleteCount: 0,
  });
});
