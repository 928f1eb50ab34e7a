import { expect, test } from 'vitest';
import { newDatabaseName, partnerOfName, quotaOf, refusalOf } from './contract.ts';

const contract = { contractStatus: 2, expireDate: new Date('2026-12-01T00:00:00Z') };
const at = (time: string) => (purpose: 'read' | 'write' | 'delete') =>
  refusalOf(contract, purpose, new Date(time));

test('A contract is good until one day after its end; then it is read for 30 days', () => {
  const times = [
    '2026-12-01T23:59:59Z',
    '2026-12-02T00:00:00Z',
    '2026-12-31T23:59:59Z',
    '2027-01-01T00:00:00Z',
  ];
  expect(times.map((time) => (['read', 'write', 'delete'] as const).map(at(time)))).toEqual([
    [undefined, undefined, undefined],
    [undefined, 'E40302', 'E40302'],
    [undefined, 'E40302', 'E40302'],
    ['E40302', 'E40302', 'E40302'],
  ]);
});

test('Without a contract nothing is done, whatever its end', () => {
  expect(refusalOf({ ...contract, contractStatus: 0 }, 'read', new Date('2026-11-01T00:00:00Z'))).toBe(
    'E40304',
  );
});

test('A name tells whose it is, and is another each time', () => {
  for (const partnerId of [1, 35, 36, 1_000_000, 2_147_483_647]) {
    const name = newDatabaseName(partnerId);
    expect(name).toMatch(/^d[0-9a-z]{7,12}$/);
    expect(partnerOfName(name)).toBe(partnerId);
  }
  expect(new Set(Array.from({ length: 1_000 }, () => newDatabaseName(1))).size).toBe(1_000);
  for (const name of [
    '',
    'd',
    'dabc',
    'd0abcdef',
    'x1abcdef',
    'dzzzzzzabcdef',
    'd1ABCDEF',
    'd1abcdef/',
    `d${'1'.repeat(40)}`,
  ]) {
    expect(partnerOfName(name), name).toBeUndefined();
  }
});

test('A trial has 100 MiB, and never more than a contract', () => {
  const [gib, mib] = [1024 ** 3, 1024 ** 2];
  expect([quotaOf(1, 10 * gib), quotaOf(2, 10 * gib), quotaOf(1, mib), quotaOf(2, mib)]).toEqual([
    100 * mib,
    10 * gib,
    mib,
    mib,
  ]);
});
