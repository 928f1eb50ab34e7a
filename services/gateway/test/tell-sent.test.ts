import { createLogger, manualClock } from '@portal/kernel';
import type { Transfer } from '@portal/storage';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSentNotes, type SentNotes } from '../src/tell-sent.ts';

const clock = manualClock(new Date('2026-11-25T12:00:00Z'));
let told: unknown[][];
let answer: () => Promise<void>;
let notes: SentNotes;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  answer = async () => undefined;
  notes = createSentNotes({
    clock,
    logger: createLogger({ level: 'fatal' }),
    everyMs: 500,
    async send(sent) {
      await answer();
      told.push([...sent]);
    },
  });
});
afterEach(async () => {
  answer = async () => undefined;
  await notes.stop();
  vi.useRealTimers();
});

const receiver = { platformUuid: 'tablet', version: 2 };
const download = (more: Partial<Transfer> = {}): Transfer => ({
  key: 'partners/9/files/3/object',
  use: { purpose: 'delivery', sessionId: 's', accountId: 12, fileId: 3, receiver },
  direction: 'download',
  bytes: 10,
  reachedEnd: true,
  ...more,
});
const note = { partnerId: 9, accountId: 12, fileId: 3, ...receiver, at: '2026-11-25T12:00:00.000Z' };

test('When players are sent versions to the last byte, then the file service is told of all in one call', async () => {
  for (let n = 0; n < 3; n += 1) notes.note(download());
  // Of an application the address says whose people it is for.
  const use = {
    purpose: 'delivery',
    sessionId: 's',
    accountId: 1,
    fileId: 7,
    receiver,
    partnerId: 4,
  } as const;
  notes.note(download({ key: 'partners/0/files/7/object', use }));
  await vi.advanceTimersByTimeAsync(500);
  expect(told).toEqual([[note, note, note, { ...note, partnerId: 4, accountId: 1, fileId: 7 }]]);
});

test('When it is not the end of what a device gets, then nothing is told', async () => {
  notes.note(download({ reachedEnd: false }));
  notes.note(download({ direction: 'upload' }));
  notes.note(download({ use: { purpose: 'delivery', sessionId: 's', accountId: 12, fileId: 3 } }));
  notes.note(download({ use: { purpose: 'file', sessionId: 's', fileId: 3 } }));
  notes.note(download({ use: { purpose: 'export', sessionId: 's' } }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([]);
});

test('When the file service is away, then it is told later, in calls that are not too long', async () => {
  answer = async () => {
    throw new Error('away');
  };
  for (let n = 0; n < 501; n += 1) notes.note(download());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([]);
  answer = async () => undefined;
  await vi.advanceTimersByTimeAsync(500);
  expect(told.map(({ length }) => length)).toEqual([500, 1]);
  notes.note(download());
  await notes.stop();
  expect(told).toHaveLength(3);
});
