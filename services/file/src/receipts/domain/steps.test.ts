import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextStep, type ReceiptStatus, receiptStatuses, type Step } from './steps.ts';

const step = (status: ReceiptStatus, at: number, more: Partial<Step> = {}): Step => ({
  status,
  at: new Date(at),
  progress: null,
  reason: null,
  toldBy: 'player',
  ...more,
});

const stepsFrom = (steps: readonly Step[]) =>
  steps.reduce<Step | undefined>((last, told) => nextStep(last, told), undefined);
const told = (...steps: [ReceiptStatus, number][]) =>
  stepsFrom(steps.map(([status, at]) => step(status, at)))?.status;

describe('The first step', () => {
  it.each(receiptStatuses)('counts, also when it is %s', (status) => {
    expect(told([status, 5])).toBe(status);
  });
});

describe('What goes well', () => {
  it('goes on in its order whatever the times, and never back', () => {
    expect(told(['downloading', 9], ['downloaded', 5], ['installed', 1])).toBe('installed');
    expect(told(['installed', 1], ['downloaded', 9], ['downloading', 10])).toBe('installed');
    expect(told(['downloading', 1], ['installed', 2])).toBe('installed');
  });

  it('fails while it is on the way, and no more once it is installed', () => {
    expect(told(['downloading', 5], ['failed', 5])).toBe('failed');
    expect(told(['downloaded', 5], ['failed', 6])).toBe('failed');
    expect(told(['downloaded', 5], ['failed', 4])).toBe('downloaded');
    expect(told(['installed', 5], ['failed', 6])).toBe('installed');
  });

  it('is removed from any step, not before that', () => {
    for (const status of ['downloading', 'downloaded', 'installed'] as const) {
      expect(told([status, 5], ['removed', 5])).toBe('removed');
      expect(told([status, 5], ['removed', 4])).toBe(status);
    }
  });
});

describe('After an end', () => {
  it('whatever else is later is a new try', () => {
    for (const end of ['failed', 'removed'] as const) {
      for (const status of receiptStatuses.filter((one) => one !== end)) {
        expect(told([end, 5], [status, 6])).toBe(status);
        expect(told([end, 5], [status, 5])).toBe(end);
      }
    }
  });

  it('a repeat changes nothing, its reason and time included', () => {
    const first = step('failed', 5, { reason: 'No room' });
    expect(nextStep(first, step('failed', 9, { reason: 'Another' }))).toBe(first);
  });
});

describe('That the gateway sent the last byte', () => {
  const sent = (at: number) => step('downloaded', at, { toldBy: 'gateway' });

  it('is never later than an end that the device has told', () => {
    for (const end of ['failed', 'removed'] as const) {
      expect(stepsFrom([step(end, 5), sent(9)])?.status).toBe(end);
      expect(stepsFrom([step(end, 5), step('downloading', 6), sent(9)])?.status).toBe('downloaded');
    }
  });

  it('makes nothing older that the device tells of its end, whose clock is another one', () => {
    for (const end of ['failed', 'removed'] as const) {
      expect(stepsFrom([step('downloading', 5), sent(9), step(end, 6)])?.status).toBe(end);
    }
  });
});

describe('Progress', () => {
  it('goes forward by repeats, alone', () => {
    const half = nextStep(undefined, step('downloading', 5, { progress: 0.5 }));
    expect(nextStep(half, step('downloading', 9, { progress: 0.4 }))).toBe(half);
    expect(nextStep(half, step('downloading', 9, { progress: 0.6, reason: 'x' }))).toEqual({
      ...half,
      progress: 0.6,
    });
    expect(nextStep(half, step('downloaded', 9, { progress: 0.6 })).progress).toBeNull();
  });
});

describe('Whatever is told', () => {
  const anything = fc.array(
    fc.record({
      status: fc.constantFrom(...receiptStatuses),
      at: fc.integer({ min: 0, max: 6 }),
      progress: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    { maxLength: 30 },
  );

  it('a repeat of everything changes nothing that the first telling of the last did not', () => {
    fc.assert(
      fc.property(anything, (list) => {
        const steps = list.map(({ at, ...one }) => step(one.status, at, { progress: one.progress }));
        for (const [index] of steps.entries()) {
          const before = stepsFrom(steps.slice(0, index + 1));
          const again = steps[index];
          if (before && again) expect(nextStep(before, again)).toBe(before);
        }
      }),
    );
  });

  it('what stands is what was told, and only an end makes it less', () => {
    fc.assert(
      fc.property(anything, (list) => {
        const order: string[] = ['downloading', 'downloaded', 'installed'];
        let last: Step | undefined;
        for (const { at, ...one } of list) {
          const next = nextStep(last, step(one.status, at, { progress: one.progress }));
          if (
            last &&
            next.status !== last.status &&
            order.includes(last.status) &&
            order.includes(next.status)
          ) {
            expect(order.indexOf(next.status)).toBeGreaterThan(order.indexOf(last.status));
          }
          expect(next.status === last?.status || next.status === one.status).toBe(true);
          last = next;
        }
      }),
    );
  });
});
