import { send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectAsService } from './support.ts';

/**
 * SIGKILL of everything in the middle of writes. The moments between publish and mark, and between effect and mark, are
 * hit on purpose by the tests of the messaging package; here the whole product is killed wherever it happens to be.
 */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.remove());

const rounds = 5;

test('When it is killed in the middle of writes, then no acknowledged write and no event is lost or doubled', {
  timeout: 240_000,
}, async () => {
  const acknowledged: { id: number; name: string }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const token = await signIn(product, '1000', 'partner@example.com');
    const before = acknowledged.length;
    const writing = new AbortController();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; !writing.signal.aborted; count += 1) {
        const name = `Round ${round} writer ${writer} group ${count}`;
        const reply = await send(product, 'POST', '/v1/partner/partners/1/groups', { token, body: { name } });
        if (reply.status === 201) acknowledged.push({ id: Number(reply.body.id), name });
      }
    });
    // Calls that were under way when the process was killed fail with a broken connection.
    const settled = Promise.allSettled(writers);
    await vi.waitFor(() => expect(acknowledged.length - before).toBeGreaterThan(4), { timeout: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, round * 137));
    await product.kill({ sparePostgres: round % 2 === 0 });
    writing.abort();
    await settled;
    await product.start();
  }

  const token = await signIn(product, '1000', 'partner@example.com');
  const { body } = await send(product, 'GET', '/v1/partner/partners/1/groups?all=true', { token });
  const stored = new Map((body.groups as { id: number; name: string }[]).map(({ id, name }) => [id, name]));
  expect(acknowledged.filter(({ id, name }) => stored.get(id) !== name)).toEqual([]);
  expect(new Set(stored.values()).size).toBe(stored.size);

  const db = await connectAsService(product, 'file');
  const user = await connectAsService(product, 'user');
  try {
    const tellings = async () =>
      (
        await db.query<{ id: number; times: number }>(
          `SELECT (envelope -> 'data' ->> 'groupId')::integer AS id, count(*)::integer AS times
           FROM messaging.inbox WHERE envelope ->> 'type' = 'group.created' AND status = 'done'
           GROUP BY id, handler`,
        )
      ).rows;
    // The file service learns of every group by event alone.
    const unheard = async () => {
      const heard = new Set((await tellings()).map(({ id }) => id));
      return [...stored.keys()].filter((id) => !heard.has(id));
    };
    await expect.poll(unheard, { timeout: 20_000, interval: 200 }).toEqual([]);

    const told = await tellings();
    expect(told.filter(({ times }) => times !== 1)).toEqual([]);
    // An event tells of nothing that did not happen.
    const heard = new Set(told.map(({ id }) => id));
    expect(
      [...heard].filter((id) => !stored.has(id) && acknowledged.some((group) => group.id === id)),
    ).toEqual([]);
    for (const connection of [db, user]) {
      const { rows } = await connection.query(`SELECT handler FROM messaging.inbox WHERE status = 'dead'`);
      expect(rows).toEqual([]);
    }
  } finally {
    await Promise.all([db.end(), user.end()]);
  }
});
