import { expect, test } from 'vitest';
import { createGate } from '../fleet/gate.ts';
import { count, createNumbers } from '../fleet/numbers.ts';
import { summaryOf } from '../fleet/summary.ts';

test('The summary of a fleet tells what its devices are at', () => {
  const before = createNumbers();
  const now = {
    ...createNumbers(),
    signedIn: 8,
    online: 6,
    looks: 20,
    downloads: 4,
    bytes: 4e6,
    receipts: 12,
  };
  const file = { id: 1, name: 'Store guide' };
  for (let device = 0; device < 4; device += 1)
    count(now, file, undefined, { version: 1, state: 'installed' });
  count(now, file, { version: 1, state: 'installed' }, { version: 2, state: 'downloading' });
  count(now, file, { version: 1, state: 'installed' }, { version: 2, state: 'failed' });
  expect(summaryOf(now, { before, devices: 8, seconds: 2 })).toEqual([
    '6 online · 2 offline · 0 not signed in yet',
    '10 looks/s · 2 downloads/s (2.0 MB/s) · 6 receipts/s',
    'Store guide              v2   ▒▒▒×××··················  1 on the way · 1 failed',
    'Store guide              v1   ██████··················  2 installed',
  ]);
  count(now, file, { version: 2, state: 'failed' }, undefined);
  count(now, file, { version: 2, state: 'downloading' }, undefined);
  expect(now.files.get(1)?.versions.has(2)).toBe(false);
});

test('A gate lets so many through at once, the others in their order', async () => {
  const gate = createGate(2);
  const order: number[] = [];
  let most = 0;
  let now = 0;
  await Promise.all(
    [1, 2, 3, 4].map(async (one) =>
      gate(async () => {
        now += 1;
        most = Math.max(most, now);
        order.push(one);
        await Promise.resolve();
        now -= 1;
      }),
    ),
  );
  expect([most, order]).toEqual([2, [1, 2, 3, 4]]);
  await expect(gate(async () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await gate(async () => 'through')).toBe('through');
});
