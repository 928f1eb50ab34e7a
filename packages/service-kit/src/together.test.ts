import { describe, expect, it } from 'vitest';
import { together } from './together.ts';

const nextRound = async () => new Promise((resolve) => setImmediate(resolve));

/** Runs whose end the test decides. */
function runs() {
  const begun: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = async (items: readonly string[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      begun.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject });
    });
  return { begun, run };
}

describe('Calls that come while others are under way', () => {
  it('go together, up to the most of one statement', async () => {
    const { begun, run } = runs();
    const call = together({ most: 3, atOnce: 1, run });
    const first = call('a');
    await nextRound();
    const later = ['b', 'c', 'd', 'e'].map(call);
    await nextRound();
    expect(begun.map(({ items }) => items)).toEqual([['a']]);
    begun[0]?.end();
    expect(await first).toBe('a!');
    await nextRound();
    begun[1]?.end();
    expect(await later[2]).toBe('d!');
    await nextRound();
    begun[2]?.end();
    expect(await Promise.all(later)).toEqual(['b!', 'c!', 'd!', 'e!']);
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  it('wait for one of their own name alone', async () => {
    const { begun, run } = runs();
    const call = together({ most: 3, atOnce: 2, run, nameOf: (item) => item });
    const all = ['a', 'a', 'b'].map(call);
    await nextRound();
    expect(begun.map(({ items }) => items)).toEqual([['a', 'b']]);
    begun[0]?.end();
    await all[0];
    await nextRound();
    begun[1]?.end();
    expect(await Promise.all(all)).toEqual(['a!', 'a!', 'b!']);
  });

  it('fail with those that they went with, and no others', async () => {
    const { begun, run } = runs();
    const call = together({ most: 2, atOnce: 1, run });
    const all = ['a', 'b', 'c'].map(call);
    await nextRound();
    begun[0]?.fail(new Error('away'));
    expect((await Promise.allSettled(all.slice(0, 2))).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    await nextRound();
    begun[1]?.end();
    expect(await all[2]).toBe('c!');
  });

  it('take turns by name, however many of one wait', async () => {
    const { begun, run } = runs();
    const call = together({ most: 1, atOnce: 1, run, nameOf: (item) => item });
    const all = ['a', 'a', 'a', 'b'].map(call);
    await nextRound();
    for (const [place, answered] of [all[0], all[3], all[1], all[2]].entries()) {
      begun[place]?.end();
      await answered;
      await nextRound();
    }
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b'], ['a'], ['a']]);
  });
});
