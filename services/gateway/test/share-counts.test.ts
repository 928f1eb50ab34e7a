import { createLogger, manualClock } from '@portal/kernel';
import { createInProcessEventBus, type EventBus } from '@portal/messaging';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBudget } from '../src/budget.ts';
import { createOpenStreams } from '../src/open-streams.ts';
import { createBudgets, defaultRateLimits } from '../src/rate-limits.ts';
import { shareCounts } from '../src/share-counts.ts';

const logger = createLogger({ level: 'silent' });
const { calls } = defaultRateLimits;
const away = async () => Promise.reject(new Error('away'));

let clock: ReturnType<typeof manualClock>;
let bus: EventBus;
let publish: EventBus['publish'];
let ends: (() => Promise<void>)[];

beforeEach(() => {
  vi.useFakeTimers();
  clock = manualClock(new Date());
  bus = createInProcessEventBus({ logger });
  publish = bus.publish;
  ends = [];
});
afterEach(async () => {
  for (const end of ends) await end();
  vi.useRealTimers();
});

async function startGateway() {
  const counts = { budgets: createBudgets(defaultRateLimits, clock), streams: createOpenStreams(clock) };
  const sharing = await shareCounts({
    counts,
    bus: { ...bus, publish: async (...args) => publish(...args) },
    clock,
    logger,
  });
  ends.push(sharing.close);
  return counts;
}

async function pass(seconds: number): Promise<void> {
  clock.advance(seconds * 1_000);
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
}

function take(budget: { take(key: string): boolean }, key: string, count: number): number {
  let taken = 0;
  for (let i = 0; i < count; i += 1) if (budget.take(key)) taken += 1;
  return taken;
}

describe('When gateways cannot tell each other what is spent', () => {
  test('then those who kept within their budgets meanwhile owe nothing afterwards', async () => {
    const [one, other] = [await startGateway(), await startGateway()];
    publish = away;
    for (let window = 0; window < 30; window += 1) {
      for (let part = 0; part < 4; part += 1) {
        expect(take(one.budgets.calls, 'session', calls / 8)).toBe(calls / 8);
        await pass(15);
      }
    }
    publish = bus.publish;
    await pass(2);
    expect(take(other.budgets.calls, 'session', calls / 2)).toBe(calls / 2);

    expect(take(one.budgets.calls, 'session', calls / 2)).toBe(calls / 2);
    await pass(2);
    expect(other.budgets.calls.hasLeft('session')).toBe(false);
  });

  test('then they still try to tell which streams are open', async () => {
    const [one, other] = [await startGateway(), await startGateway()];
    publish = async (topic, messages) =>
      JSON.stringify(messages).includes('"spent":[]') ? bus.publish(topic, messages) : away();
    take(one.budgets.calls, 'session', calls);
    while (one.streams.open('session')) continue;
    await pass(2);
    expect(other.streams.open('session')).toBeUndefined();
  });
});

test('What a key spent while nothing was told is two windows at the most', () => {
  const perWindow = 1_000;
  const budget = createBudget(perWindow, clock);
  for (let window = 0; window < 5; window += 1) {
    take(budget, 'address', perWindow);
    clock.advance(60_000);
  }
  const told = budget.untold();
  expect(told).toEqual([{ key: 'address', count: 2 * perWindow }]);
  // The next window begins before they are told: they take nothing from it, nor does what has not ended count.
  const end = budget.hold('address');
  budget.told(told);
  expect(budget.untold()).toEqual([]);
  end?.('spent');
  take(budget, 'address', perWindow / 10);
  expect(budget.untold()).toEqual([{ key: 'address', count: perWindow / 10 + 1 }]);
});
