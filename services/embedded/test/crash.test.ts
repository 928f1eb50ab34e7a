import { demoPassword, send, signIn, signInAdmin, uploadFile } from '@portal/testing/http-client';
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

  const file = await connectAsService(product, 'file');
  const user = await connectAsService(product, 'user');
  const batch = await connectAsService(product, 'batch');
  try {
    // The file service learns of every group by event alone, and an event tells of nothing that did not happen.
    const copies = async () =>
      (
        await file.query<{ id: number }>('SELECT group_id AS id FROM groups WHERE partner_id = 1 ORDER BY id')
      ).rows.map(({ id }) => id);
    const groups = [...stored.keys()].sort((a, b) => a - b);
    await expect.poll(copies, { timeout: 20_000, interval: 200 }).toEqual(groups);

    // The operation log has an entry of each, by event too.
    const entries = async () =>
      (
        await batch.query<{ id: number; times: number }>(
          `SELECT target_ids[1] AS id, count(*)::integer AS times FROM logs.operation_logs
           WHERE operation = 'createGroup' AND result = '201' GROUP BY id`,
        )
      ).rows;
    const unlogged = async () => {
      const logged = new Set((await entries()).map(({ id }) => id));
      return acknowledged.filter(({ id }) => !logged.has(id));
    };
    await expect.poll(unlogged, { timeout: 20_000, interval: 200 }).toEqual([]);
    expect((await entries()).filter(({ times }) => times !== 1)).toEqual([]);
    for (const connection of [file, user, batch]) {
      const { rows } = await connection.query(`SELECT handler FROM messaging.inbox WHERE status = 'dead'`);
      expect(rows).toEqual([]);
    }
  } finally {
    await Promise.all([file.end(), user.end(), batch.end()]);
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

const stagedPeople = 6;
const waitMs = 2_000;

test('When it is killed in the middle of stages, then they begin at their times, and each person is told once', {
  timeout: 240_000,
}, async () => {
  const administrator = await signInAdmin(product);
  const company = { name: 'Staged', partner_code: 'staged', unit_id: 1, contract_rank: 'standard' };
  const made = await send(product, 'POST', '/v1/admin/partners', {
    token: administrator,
    body: { ...company, license_count: stagedPeople, uap_file_limit: 10 },
  });
  const partnerId = Number(made.body['id']);
  const email = 'admin@staged.example';
  const add = async () =>
    send(product, 'POST', `/v1/admin/partners/${partnerId}/admins`, {
      token: administrator,
      body: { name: email, email, password: demoPassword },
    });
  await vi.waitFor(async () => expect((await add()).status).toBe(201), { timeout: 20_000 });
  const asAdmin = async () => signIn(product, 'staged', email);
  const path = `/v1/partner/partners/${partnerId}`;
  let token = await asAdmin();
  const group = Number(
    (await send(product, 'POST', `${path}/groups`, { token, body: { name: 'Staged' } })).body.id,
  );
  const players = await Promise.all(
    Array.from({ length: stagedPeople }, async (_, index) => {
      const address = `staged-${index}@example.com`;
      const body = { name: address, email: address, group_ids: [group] };
      expect((await send(product, 'POST', `${path}/users`, { token, body })).status).toBe(201);
      const link = await vi.waitFor(
        async () => {
          const box = await send(product, 'GET', `/dev/mailbox?to=${address}`);
          const [, found] = /reset_token=([\w-]+)/.exec(JSON.stringify(box.body)) ?? [];
          return found ?? expect.fail('No mail yet');
        },
        { timeout: 20_000, interval: 50 },
      );
      const chosen = await send(product, 'PUT', '/v1/user/password/init', {
        body: { reset_token: link, password: demoPassword },
      });
      expect(chosen.status).toBe(200);
      const uuid = `staged-${index}`;
      return { address, uuid, token: await signIn(product, 'staged', address, uuid) };
    }),
  );
  const versionOf = async (player: (typeof players)[number], id: number): Promise<number> => {
    const { body } = await send(product, 'GET', '/v1/user/files?per_page=100', { token: player.token });
    const files = body['files'] as { id: number; version: number }[];
    return files.find((file) => file.id === id)?.version ?? 0;
  };
  const mailsAbout = async (address: string, name: string) => {
    const { body } = await send(product, 'GET', `/dev/mailbox?to=${address}`);
    return (body['mails'] as { text: string }[]).filter(({ text }) => text.includes(name)).length;
  };
  const valueOf = async (sql: string, values: unknown[]): Promise<string> => {
    const db = await connectAsService(product, 'file');
    try {
      return (await db.query<{ value: string }>(sql, values)).rows[0]?.value ?? '';
    } finally {
      await db.end();
    }
  };

  for (const round of [0, 1, 2]) {
    const name = `Staged tour ${round}`;
    const file = { partnerId, name, fileName: `staged-${round}.uap`, content: Buffer.from(name) };
    const id = await uploadFile(product, token, file);
    const stages = [{ percent: 30 }, { percent: 60, after: 'PT2S' }, { percent: 100, after: 'PT2S' }];
    const body = { group_ids: [group], notify_email: true, rollout: { stages } };
    expect((await send(product, 'PUT', `${path}/files/${id}/groups`, { token, body })).status).toBe(200);
    const polling = new AbortController();
    const seen: { uuid: string; asked: number; answered: number; version: number }[] = [];
    const polls = players.map(async (player) => {
      while (!polling.signal.aborted) {
        const asked = Date.now();
        const version = await versionOf(player, id);
        seen.push({ uuid: player.uuid, asked, answered: Date.now(), version });
      }
    });
    const settled = Promise.allSettled(polls);
    // Before any job has come, between two stages, and after the last.
    await new Promise((resolve) => setTimeout(resolve, 150 + round * (waitMs + 100)));
    await product.kill({ sparePostgres: round % 2 === 0 });
    polling.abort();
    await settled;
    await product.start();
    token = await asAdmin();

    await expect
      .poll(async () => Promise.all(players.map(async (player) => versionOf(player, id))), {
        timeout: 20_000,
      })
      .toEqual(players.map(() => 1));
    await expect
      .poll(async () => Promise.all(players.map(async ({ address }) => mailsAbout(address, name))), {
        timeout: 30_000,
      })
      .toEqual(players.map(() => 1));
    const begunAt = async () => {
      const times = await valueOf(
        `SELECT jsonb_path_query_array(stages, '$[*].startedAt')::text AS value FROM rollouts WHERE file_id = $1`,
        [id],
      );
      return (JSON.parse(times) as string[]).map((time) => Date.parse(time));
    };
    // However late it is written down: everybody may have the version and the mail before the last stage is noted, which then is for nobody.
    await expect
      .poll(
        async () => {
          const [first = 0, ...others] = await begunAt();
          return others.map((time) => time - first);
        },
        { timeout: 20_000 },
      )
      .toEqual([waitMs, 2 * waitMs]);
    const begun = await begunAt();
    for (const { uuid } of players) {
      const place = await valueOf(`SELECT ((place_of($1) + place_of($2)) % 100)::text AS value`, [
        uuid,
        `${id}.1`,
      ]);
      const from = begun[[30, 60, 100].findIndex((percent) => Number(place) < percent)] ?? 0;
      const own = seen.filter((one) => one.uuid === uuid);
      expect(own.filter(({ answered, version }) => version === 1 && answered < from)).toEqual([]);
      expect(own.filter(({ asked, version }) => version === 0 && asked > from)).toEqual([]);
    }
  }
  for (const { address } of players) {
    for (const round of [0, 1, 2]) expect(await mailsAbout(address, `Staged tour ${round}`)).toBe(1);
  }

  // A version that fails, and a kill before it is known whether the failure was heard.
  const content = Buffer.from('first');
  const id = await uploadFile(product, token, {
    partnerId,
    name: 'Halted',
    fileName: 'halted.uap',
    content,
  });
  const groups = { group_ids: [group] };
  expect((await send(product, 'PUT', `${path}/files/${id}/groups`, { token, body: groups })).status).toBe(
    200,
  );
  const rollout = { stages: [{ percent: 100 }], halt: { failure_percent: 1, min_reports: 1 } };
  const replaced = await send(product, 'PUT', `${path}/files/${id}`, {
    token,
    body: { file_name: 'halted.uap', file_size: content.length, rollout },
  });
  await fetch(String(replaced.body['signedUrl']), { method: 'PUT', body: new Uint8Array(content) });
  const complete = `/v1/uploads/${String(replaced.body['uploadId'])}/complete`;
  expect((await send(product, 'POST', complete, { token, body: {} })).status).toBe(200);
  const [first, second] = players;
  if (!first || !second) throw new Error('No players');
  const tell = async (player: typeof first, status: string) =>
    send(product, 'PUT', `/v1/user/files/${id}/receipt`, {
      token: player.token,
      body: { version: 2, status, at: new Date().toISOString().replace(/\.\d+Z$/, 'Z') },
    });
  expect((await tell(second, 'downloaded')).status).toBe(200);
  const lost = Promise.allSettled([tell(first, 'failed')]);
  await new Promise((resolve) => setTimeout(resolve, 3));
  await product.kill();
  await lost;
  await product.start();
  token = await asAdmin();
  const state = async () => (await send(product, 'GET', `${path}/files/${id}/rollout`, { token })).body;
  const { failures, reports, state: left } = await state();
  expect([
    ['halted', 1, 1],
    ['done', 0, 0],
  ]).toContainEqual([left, reports, failures]);
  expect(await versionOf(second, id)).toBe(left === 'halted' ? 1 : 2);
  expect((await tell(first, 'failed')).status).toBe(200);
  expect(await state()).toMatchObject({ state: 'halted', reports: 1, failures: 1 });
  expect(await Promise.all(players.map(async (player) => versionOf(player, id)))).toEqual(
    players.map(() => 1),
  );
  await expect.poll(async () => mailsAbout(email, 'Halted'), { timeout: 20_000 }).toBe(1);
});
