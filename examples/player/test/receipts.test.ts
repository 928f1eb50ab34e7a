import { ApiError } from '@portal/api-client';
import { expect, test, vi } from 'vitest';
import type { Player } from '../player.ts';
import { createReceipts, silent } from '../receipts.ts';

const file = { id: 5, version: 2 };
const at = new Date('2026-11-25T12:00:00Z');
const refusal = (status: number) =>
  new ApiError({ status, code: 'E40001', message: 'Refused', requestId: undefined });

function receipts(sendReceipt: Player['sendReceipt']) {
  const send = vi.fn(sendReceipt);
  return { ...createReceipts({ sendReceipt: send }, { now: () => at, waitMs: 1 }), send };
}

test('What becomes of a version is told with its time', async () => {
  const { send, tell } = receipts(async () => undefined);
  await tell(file, 'failed', { reason: 'No room' });
  expect(send.mock.calls).toEqual([[5, { version: 2, status: 'failed', at, reason: 'No room' }]]);
});

test.each([
  ['has told too much', refusal(429)],
  ['finds the portal busy', refusal(503)],
  [
    'does not reach the portal',
    new ApiError({ status: 0, code: 'NETWORK', message: 'No answer', requestId: undefined }),
  ],
])('Who %s waits, and tells it then', async (_, error) => {
  let refusals = 2;
  const { send, tell } = receipts(async () => {
    refusals -= 1;
    if (refusals >= 0) throw error;
  });
  await tell(file, 'installed');
  expect(send).toHaveBeenCalledTimes(3);
});

test('A receipt that is refused stops nothing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { send, tell } = receipts(async () => {
    throw refusal(404);
  });
  await tell(file, 'removed');
  expect(send).toHaveBeenCalledTimes(1);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('Refused'));
  said.mockRestore();
});

test('With --no-receipts nothing is told', async () => {
  await expect(silent.tell(file, 'installed')).resolves.toBeUndefined();
});
