import { expect, test } from 'vitest';
import type { PushProvider } from '../../src/providers/provider.ts';
import { createProviderCache } from '../../src/providers/provider-cache.ts';

function recorder() {
  const made: string[] = [];
  const closed: string[] = [];
  const make = (name: string) => (): PushProvider => {
    made.push(name);
    return {
      send: async () => ({ kind: 'taken' }),
      async close() {
        closed.push(name);
      },
    };
  };
  return { made, closed, make };
}
const nothing = async () => undefined;

test('A provider is made once for those that use it at the same time, and later', async () => {
  const { closed, made, make } = recorder();
  const cache = createProviderCache();
  await Promise.all([cache.use('a', make('a'), nothing), cache.use('a', make('a'), nothing)]);
  await cache.use('a', make('a'), nothing);
  expect(made).toEqual(['a']);
  await cache.close();
  expect(closed).toEqual(['a']);
});

test('Of more than are kept, those that nobody uses are closed, the longest unused first', async () => {
  const { closed, make } = recorder();
  const cache = createProviderCache({ most: 2 });
  await cache.use('in use', make('in use'), async () => {
    for (const key of ['a', 'b', 'c']) await cache.use(key, make(key), nothing);
    expect(closed).toEqual(['a']);
  });
  await cache.close();
  expect(closed.toSorted()).toEqual(['a', 'b', 'c', 'in use']);
});

test('One that is not used for a while is closed, and made again when it is needed', async () => {
  const { closed, made, make } = recorder();
  const cache = createProviderCache({ idleMs: 10 });
  await cache.use('a', make('a'), nothing);
  await expect.poll(() => closed).toEqual(['a']);
  await cache.use('a', make('a'), nothing);
  expect(made).toEqual(['a', 'a']);
  await cache.close();
});

test('One whose use has failed is kept like any other', async () => {
  const { made, make } = recorder();
  const cache = createProviderCache();
  const failing = async () => Promise.reject(new Error('Of the work'));
  await expect(cache.use('a', make('a'), failing)).rejects.toThrow('Of the work');
  await cache.use('a', make('a'), nothing);
  expect(made).toEqual(['a']);
  await cache.close();
});
