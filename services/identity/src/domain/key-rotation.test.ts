import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRotation, publishedBeforeMs, signingKey } from './key-rotation.ts';

const hour = 3_600_000;
const every = 30 * 24 * hour;
const start = new Date('2026-11-21T09:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const key = (kid: string, ms: number) => ({ kid, signsFrom: at(ms) });

describe('Key rotation', () => {
  it('begins with a key that signs at once', () => {
    expect(planRotation([], start, every)).toEqual({ signsFrom: start, obsolete: [] });
  });

  it('makes the next key after its time, published before it signs', () => {
    expect(planRotation([key('a', 0)], at(every - 1), every).signsFrom).toBeUndefined();
    expect(planRotation([key('a', 0)], at(every), every).signsFrom).toEqual(at(every + publishedBeforeMs));
    expect(
      planRotation([key('a', 0), key('b', every + hour)], at(every + 1), every).signsFrom,
    ).toBeUndefined();
  });

  it('signs with the old key until the new one begins', () => {
    const keys = [key('b', every + hour), key('a', 0)];
    expect(signingKey(keys, at(every + hour - 1))?.kid).toBe('a');
    expect(signingKey(keys, at(every + hour))?.kid).toBe('b');
  });

  it('signs with the first key where the clock is a little behind', () => {
    expect(signingKey([key('a', 0)], at(-5))?.kid).toBe('a');
    expect(signingKey([], start)).toBeUndefined();
  });

  it('never drops a key while a token that it signed lives', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 * 24 }), { maxLength: 60 }), (steps) => {
        let keys: { kid: string; signsFrom: Date }[] = [];
        let now = start;
        const signed: { kid: string; until: Date }[] = [];
        for (const step of steps) {
          const plan = planRotation(keys, now, every);
          if (plan.signsFrom) keys.push({ kid: now.toISOString(), signsFrom: plan.signsFrom });
          keys = keys.filter(({ kid }) => !plan.obsolete.includes(kid));
          for (const { kid, until } of signed) {
            if (until > now) expect(keys.map((known) => known.kid)).toContain(kid);
          }
          const kid = signingKey(keys, now)?.kid;
          expect(kid).toBeDefined();
          if (kid) signed.push({ kid, until: new Date(now.getTime() + hour) });
          now = new Date(now.getTime() + step * (hour / 4));
        }
        expect(keys.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
