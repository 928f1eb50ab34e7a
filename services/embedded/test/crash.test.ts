import { send, signIn, uploadFile } from '@portal/testing/http-client';
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

const devices = 6;
/** Each of them changes what is known of the one before, whichever is first. */
const steps = ['downloading', 'downloaded', 'installed', 'removed'] as const;
const killings = 3;

test('When it is killed in the middle of receipts, then what was answered counts, each device once, and the numbers add up', {
  timeout: 240_000,
}, async () => {
  const portal = await signIn(product, '1000', 'partner@example.com');
  const files: number[] = [];
  for (const name of ['one', 'two', 'three']) {
    const file = { partnerId: 1, name, fileName: `receipts-${name}.uap`, content: Buffer.from(name) };
    const id = await uploadFile(product, portal, file);
    const path = `/v1/partner/partners/1/files/${id}/groups`;
    expect((await send(product, 'PUT', path, { token: portal, body: { group_ids: [0] } })).status).toBe(200);
    files.push(id);
  }
  const begun = Date.now() - 3_600_000;
  const players = await Promise.all(
    Array.from({ length: devices }, async (_, index) => ({
      uuid: `crash-${index}`,
      token: await signIn(product, '1000', 'taro', `crash-${index}`),
      /** How many receipts were answered, and how many were sent. */
      answered: 0,
      sent: 0,
    })),
  );
  type Told = (typeof players)[number];
  const receipt = (place: number) => ({
    file: files[place % files.length] ?? 0,
    status: steps[Math.floor(place / files.length) % steps.length] ?? 'removed',
    at: new Date(begun + place * 1_000).toISOString().replace(/\.\d+Z$/, 'Z'),
  });
  const tell = async (player: Told) => {
    const { file, ...body } = receipt(player.answered);
    player.sent = player.answered + 1;
    const path = `/v1/user/files/${file}/receipt`;
    const reply = await send(product, 'PUT', path, { token: player.token, body: { version: 1, ...body } });
    expect([reply.status, reply.body]).toEqual([200, {}]);
    player.answered += 1;
  };
  /** What is known of a file on a device after so many receipts of it. */
  const stateAfter = (count: number, file: number) => {
    for (let place = count - 1; place >= 0; place -= 1) {
      if (receipt(place).file === file) return receipt(place).status;
    }
    return 'not_seen';
  };
  async function check(): Promise<void> {
    const token = await signIn(product, '1000', 'partner@example.com');
    for (const file of files) {
      const path = `/v1/partner/partners/1/files/${file}/delivery`;
      const numbers = (await send(product, 'GET', path, { token })).body;
      const { body } = await send(product, 'GET', `${path}/devices?per_page=100`, { token });
      const rows = body['devices'] as { device: { uuid: string }; status: string }[];
      const states = numbers['states'] as Record<string, number>;
      const targeted = numbers['targeted'] as { devices: number };
      expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(targeted.devices);
      expect(rows.length).toBe(targeted.devices);
      for (const status of steps) {
        expect([status, states[status]]).toEqual([
          status,
          rows.filter((row) => row.status === status).length,
        ]);
      }
      for (const { answered, sent, uuid } of players) {
        const row = rows.find(({ device }) => device.uuid === uuid);
        expect([stateAfter(answered, file), stateAfter(sent, file)]).toContain(row?.status);
      }
    }
  }

  // Their sign-ins are heard.
  const numbersOf = async () =>
    (await send(product, 'GET', `/v1/partner/partners/1/files/${files[0]}/delivery`, { token: portal })).body;
  await expect
    .poll(async () => (await numbersOf())['targeted'], { timeout: 20_000 })
    .toMatchObject({ devices: expect.toSatisfy((count: number) => count >= devices) });
  for (let killing = 0; killing < killings; killing += 1) {
    const telling = new AbortController();
    const told = players.map(async (player) => {
      while (!telling.signal.aborted) await tell(player);
    });
    const settled = Promise.allSettled(told);
    const before = players.map(({ answered }) => answered);
    await vi.waitFor(
      () => {
        for (const [index, { answered }] of players.entries()) {
          expect(answered - (before[index] ?? 0)).toBeGreaterThan(10);
        }
      },
      { timeout: 30_000, interval: 10 },
    );
    await product.kill({ sparePostgres: killing % 2 === 0 });
    telling.abort();
    const broken = (await settled).filter(({ status }) => status === 'rejected');
    expect(broken.length).toBeGreaterThan(0);
    await product.start();
    await check();
    // What got no answer is told again.
    await Promise.all(players.map(tell));
  }
  await check();

  const db = await connectAsService(product, 'file');
  try {
    const { rows } = await db.query(
      `SELECT FROM (
         SELECT file_id, version, audience_id, status, count FROM delivery_counts WHERE count <> 0
       ) known
       FULL JOIN (
         SELECT file_id, version, audience_id, status, count(*) AS count FROM receipts WHERE audience_id IS NOT NULL
         GROUP BY 1, 2, 3, 4
       ) counted USING (file_id, version, audience_id, status)
       WHERE known.count IS DISTINCT FROM counted.count`,
    );
    expect(rows).toEqual([]);
  } finally {
    await db.end();
  }
});
