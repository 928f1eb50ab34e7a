import type { RouteRequest } from '@portal/contracts';
import type { recordSessionUses } from '@portal/contracts/internal';
import { createLogger, manualClock } from '@portal/kernel';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSessionUses, type SessionUses } from '../src/session-uses.ts';

type Batch = RouteRequest<typeof recordSessionUses>['body'];

const everyMs = 10_000;
let clock: ReturnType<typeof manualClock>;
let sent: Batch[];
let answer: () => Promise<void>;
let uses: SessionUses;

beforeEach(() => {
  vi.useFakeTimers();
  clock = manualClock(new Date('2026-11-21T09:00:59Z'));
  sent = [];
  answer = async () => undefined;
  uses = createSessionUses({
    clock,
    logger: createLogger({ level: 'fatal' }),
    everyMs,
    async send(batch) {
      await answer();
      sent.push(batch);
    },
  });
});
afterEach(async () => {
  answer = async () => undefined;
  await uses.stop();
  vi.useRealTimers();
});

describe('When sessions are used', () => {
  test('then each is sent once a minute, with the minute', async () => {
    for (const id of ['a', 'b', 'a']) uses.note(id);
    await vi.advanceTimersByTimeAsync(everyMs);
    uses.note('a');
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent).toEqual([{ at: '2026-11-21T09:00:00.000Z', sessionIds: ['a', 'b'] }]);
    clock.advance(1_000);
    uses.note('a');
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent.slice(1)).toEqual([{ at: '2026-11-21T09:01:00.000Z', sessionIds: ['a'] }]);
  });

  test('by very many, then in calls of a thousand, each with its own minute', async () => {
    for (let n = 0; n < 1_001; n += 1) uses.note(`s${n}`);
    clock.advance(1_000);
    uses.note('s0');
    await uses.stop();
    expect(sent.map(({ at, sessionIds }) => [at.slice(11, 16), sessionIds.length])).toEqual([
      ['09:00', 1000],
      ['09:00', 1],
      ['09:01', 1],
    ]);
  });

  test('while the service does not answer, then it is sent later', async () => {
    answer = async () => Promise.reject(new Error('down'));
    uses.note('a');
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent).toEqual([]);
    answer = async () => undefined;
    uses.note('b');
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(sent.map(({ sessionIds }) => sessionIds)).toEqual([['a'], ['b']]);
  });
});
