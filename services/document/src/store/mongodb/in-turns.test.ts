import { expect, test } from 'vitest';
import type { DocumentStore } from '../document-store.ts';
import { inTurns } from './in-turns.ts';

const ofTenant = (partnerId: number) => ({ partnerId, db: 'd', collection: 'c' });

/** A store of which each call, and each piece of a stream, goes on until it is told to end. */
function slowStore() {
  const underWay: { partnerId: number; end(): void }[] = [];
  const begin = async (partnerId: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.push({ partnerId, end: resolve });
    await promise;
  };
  const methods: Pick<DocumentStore, 'read' | 'stream'> = {
    async read({ partnerId }) {
      await begin(partnerId);
      return undefined;
    },
    async *stream({ partnerId }) {
      await begin(partnerId);
      yield 'piece';
    },
  };
  return { store: inTurns(methods as DocumentStore), underWay };
}

const settled = async () => new Promise((resolve) => setImmediate(resolve));

test('a tenant keeps no more than its share, and others are not held up', async () => {
  const { store, underWay } = slowStore();
  const reading = Array.from({ length: 6 }, async (_, n) => store.read(ofTenant(1), `${n}`));
  const streaming = store.stream(ofTenant(1), { between: '\n' })[Symbol.asyncIterator]().next();
  const other = store.read(ofTenant(2), 'other');
  await settled();
  expect(underWay.map(({ partnerId }) => partnerId)).toEqual([1, 1, 1, 1, 2]);
  for (let ended = 0; ended < 8; ended += 1) {
    underWay[ended]?.end();
    await settled();
  }
  expect(await Promise.all([...reading, other])).toHaveLength(7);
  expect(await streaming).toEqual({ done: false, value: 'piece' });
});
