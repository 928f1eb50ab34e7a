import { expect, test } from 'vitest';
import type { AddressUse } from './object-storage.ts';
import { createOpenTransfers } from './open-transfers.ts';

const of = (tenant: number, session: string, partnerId?: number) => {
  const use: AddressUse = { purpose: 'file', sessionId: session, fileId: 1, ...(partnerId && { partnerId }) };
  return { key: `partners/${tenant}/files/a`, use };
};

test('A session has a hundred transfers at once, and one more when one has ended', () => {
  const open = createOpenTransfers();
  const ends = Array.from({ length: 100 }, () => open(of(1, 'one')));
  expect(ends.every((end) => end !== undefined)).toBe(true);
  expect(open(of(1, 'one'))).toBeUndefined();
  expect(open(of(1, 'another'))).toBeDefined();
  ends[0]?.();
  expect(open(of(1, 'one'))).toBeDefined();
  expect(open(of(1, 'one'))).toBeUndefined();
});

test("A tenant has a thousand at once over all its sessions, of the operator's bytes as well, and others have theirs", () => {
  const open = createOpenTransfers();
  for (let i = 0; i < 999; i += 1) expect(open(of(1, `session ${i}`))).toBeDefined();
  const end = open(of(0, 'the last', 1));
  expect(open(of(1, 'one more'))).toBeUndefined();
  expect(open(of(0, 'one more', 1))).toBeUndefined();
  expect(open(of(2, 'one more'))).toBeDefined();
  end?.();
  expect(open(of(1, 'one more'))).toBeDefined();
});
