import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, hasDevice, idsAt, inAny, inBoth, noDevices, setOf, without } from './device-set.ts';

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 60 });
const ascending = (of: Iterable<number>) => [...of].sort((a, b) => a - b);
const all = (set: ReturnType<typeof setOf>) => idsAt(set, { skip: 0, take: Infinity });

describe('When devices are kept as bits', () => {
  it('then they combine as sets do', () => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [one, other] = [setOf(a), setOf(b)];
        expect(all(one)).toEqual(ascending(a));
        for (const [set, expected] of [
          [inBoth(one, other), a.filter((id) => b.includes(id))],
          [without(one, other), a.filter((id) => !b.includes(id))],
          [inAny([one, other, noDevices]), new Set([...a, ...b])],
        ] as const) {
          const wanted = ascending(expected);
          expect([all(set), set.size]).toEqual([wanted, wanted.length]);
        }
        for (let id = 0; id < 330; id += 1) expect(hasDevice(one, id)).toBe(a.includes(id));
      }),
    );
  });

  it('then any page of them is found from either end', () => {
    fc.assert(
      fc.property(ids, fc.nat(70), fc.nat(70), (a, skip, take) => {
        const sorted = ascending(a);
        expect(idsAt(setOf(a), { skip, take })).toEqual(sorted.slice(skip, skip + take));
        expect(idsAt(setOf(a), { skip, take, fromEnd: true })).toEqual(
          sorted.toReversed().slice(skip, skip + take),
        );
      }),
    );
  });

  it('then their bytes have the bits from the lowest on', () => {
    expect([...bytesOf(setOf([64, 65, 79, 96]))]).toEqual([3, 128, 0, 0, 1, 0, 0, 0]);
    expect(setOf([79]).base).toBe(64);
  });
});
