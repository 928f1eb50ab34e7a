import { AppError } from '@portal/kernel';
import type { AddressUse, StorageGrant } from '@portal/storage';
import { expect, test, vi } from 'vitest';
import { createAddressCheck } from '../src/admit-address.ts';

const delivery = (sessionId: string, accountId = 12, fileId = 3): StorageGrant => ({
  action: 'get',
  key: 'partners/9/files/3/object',
  use: { purpose: 'delivery', sessionId, accountId, fileId },
});
const grantOf = (use: AddressUse): StorageGrant => ({ action: 'get', key: 'partners/9/x', use });

function check(ask: () => Promise<unknown> = async () => ({})) {
  const ended = new Set<string>();
  const asked = vi.fn(ask);
  const revocations = { has: (id: string) => ended.has(id), loaded: async () => undefined };
  return { admit: createAddressCheck({ revocations, ask: asked }), asked, ended };
}

test('When ten thousand ask for one file at once, then the file service is asked once', async () => {
  const { admit, asked } = check();
  await Promise.all(Array.from({ length: 10_000 }, async (_, n) => admit(delivery(`session-${n}`))));
  expect(asked.mock.calls).toEqual([[{ purpose: 'delivery', partnerId: 9, accountId: 12, fileId: 3 }]]);
  // A version may be taken back from one device alone.
  const { use } = delivery('session-1');
  const ofDevice = { ...use, receiver: { platformUuid: 'tablet', version: 2 } } as AddressUse;
  for (let time = 0; time < 2; time += 1) await admit(grantOf(ofDevice));
  expect(asked).toHaveBeenCalledTimes(2);
  await admit(delivery('session-1', 13));
  await admit(delivery('session-1', 12, 4));
  expect(asked).toHaveBeenCalledTimes(4);
});

test('When a session has ended, then nothing that was given in it is served, whatever was answered before', async () => {
  const { admit, asked, ended } = check();
  const uses: AddressUse[] = [
    { purpose: 'delivery', sessionId: 's', accountId: 12, fileId: 3 },
    { purpose: 'file', sessionId: 's', fileId: 3 },
    { purpose: 'upload', sessionId: 's', uploadId: 'u' },
    { purpose: 'export', sessionId: 's' },
  ];
  for (const use of uses) await admit(grantOf(use));
  ended.add('s');
  asked.mockClear();
  for (const use of uses) await expect(admit(grantOf(use))).rejects.toMatchObject({ code: 'E40301' });
  expect(asked).not.toHaveBeenCalled();
  for (const use of uses) await admit(grantOf({ ...use, sessionId: 'another' }));
});

test('When what it was given for has ended, then it is refused, and asked again the next time', async () => {
  let delivered = false;
  const { admit, asked } = check(async () => {
    if (!delivered) throw new AppError('E40405');
  });
  await expect(admit(delivery('s'))).rejects.toMatchObject({ code: 'E40405' });
  delivered = true;
  await admit(delivery('s'));
  delivered = false;
  // Within a second an answer serves; after it the file service is asked.
  await vi.waitFor(async () => expect(admit(delivery('s'))).rejects.toMatchObject({ code: 'E40405' }), {
    timeout: 10_000,
    interval: 100,
  });
  expect(asked.mock.calls.length).toBeGreaterThan(2);
});

test('When bytes are sent, then it is asked about each time', async () => {
  const { admit, asked } = check();
  const upload = { key: 'partners/9/files/3/object', uploadId: 'of the store', size: 10, partSize: 10 };
  const use: AddressUse = { purpose: 'upload', sessionId: 's', uploadId: 'u' };
  for (let n = 0; n < 3; n += 1) await admit({ action: 'part', upload, partNumber: 1, use });
  expect(asked.mock.calls).toEqual(Array(3).fill([{ purpose: 'upload', partnerId: 9, uploadId: 'u' }]));
});

test('When the file service is away, then the answer says so, and an object of no tenant is refused', async () => {
  for (const answer of [new AppError('E50301'), new AppError('E40401'), new Error('broken')]) {
    const { admit } = check(async () => {
      throw answer;
    });
    await expect(admit(delivery('s'))).rejects.toMatchObject({ code: 'E50301' });
  }
  const { admit: admitAny } = check();
  const foreign: StorageGrant = {
    ...grantOf({ purpose: 'file', sessionId: 's', fileId: 3 }),
    action: 'get',
    key: 'x/y',
  };
  await expect(admitAny(foreign)).rejects.toMatchObject({ code: 'E40301' });
});
