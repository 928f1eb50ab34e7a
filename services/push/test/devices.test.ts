import { pushEvents, userEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import { blocksOf, keyExchange } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletePeople } from '../src/audience/data/people-repository.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { type AudienceHarness, startAudienceHarness, type ToldDevice } from './audience-harness.ts';
import { startPushHarness } from './push-harness.ts';

/** Which devices pushes reach, and under which push tokens. */

let harness: AudienceHarness;
let partners = 100;
let users = 0;
beforeAll(async () => {
  harness = await startAudienceHarness();
});
afterAll(async () => harness?.stop());

/** A device of a new user in a tenant. */
async function device(partnerId = ++partners): Promise<ToldDevice> {
  const userId = ++users;
  await harness.person(partnerId, userId);
  return { partnerId, userId, uuid: 'a' };
}

/** The devices that pushes reach in a tenant. */
const reached = async ({ partnerId }: ToldDevice) =>
  harness.sql(
    `SELECT user_id AS "userId", uuid, registration, service, number::integer FROM devices WHERE partner_id = $1
     ORDER BY uuid`,
    partnerId,
  );
const unreachable = async ({ partnerId }: ToldDevice) =>
  (await harness.events(pushEvents.deviceUnreachable.type))
    .filter(({ partnerid }) => partnerid === partnerId)
    .map(({ data }) => data);

describe('When a device tells a push token', () => {
  it('then it is reached by that, and by the last alone that it told', async () => {
    const taro = await device();
    await harness.tell(taro, 'first');
    const number = await harness.tell({ ...taro, service: 'apns' }, 'second');
    const { userId } = taro;
    expect(await reached(taro)).toEqual([{ userId, uuid: 'a', registration: 1, service: 'apns', number }]);
    await harness.tell({ ...taro, number: number - 1 }, 'late');
    expect(await reached(taro)).toMatchObject([{ number }]);
    expect(await unreachable(taro)).toEqual([]);
  });

  it('then nobody reads it in the database', async () => {
    const taro = await device();
    await harness.tell(taro, 'secret-of-taro');
    const [row] = await harness.sql<{ token: Buffer; token_hash: Buffer }>(
      'SELECT token, token_hash FROM devices WHERE partner_id = $1',
      taro.partnerId,
    );
    expect(row?.token.includes('secret-of-taro')).toBe(false);
    expect(row?.token.length).toBeGreaterThan('secret-of-taro'.length);
    expect(row?.token_hash.length).toBe(32);
  });

  it('then null says that it is reached no more, and what was told earlier does not undo that', async () => {
    const taro = await device();
    const number = await harness.tell(taro, 'token');
    await harness.tell({ ...taro, number: number - 1 }, null);
    expect(await reached(taro)).toHaveLength(1);
    await harness.tell(taro, null);
    expect(await reached(taro)).toEqual([]);
  });

  it('then another device that had it, of whatever tenant, is reached no more, and that is told', async () => {
    const [former, latter] = [await device(), await device()];
    const first = await harness.tell(former, 'shared');
    const second = await harness.tell(latter, 'shared');
    expect([await reached(former), await reached(latter)]).toMatchObject([[], [{ number: second }]]);
    expect(await unreachable(former)).toEqual([
      { userId: former.userId, uuid: 'a', number: first, pushService: 'fcm', reason: 'moved' },
    ]);
    expect(await unreachable(latter)).toEqual([]);
    // A token of the other service is another one.
    await harness.tell({ ...former, service: 'apns' }, 'shared');
    expect([await reached(former), await reached(latter)]).toMatchObject([
      [{ service: 'apns' }],
      [{ number: second }],
    ]);
  });

  it('then it belongs to the device that told it last, whichever is heard first', async () => {
    const [former, latter] = [await device(), await device()];
    await harness.tell(former, 'of its own');
    const [first, second] = [harness.nextNumber(), harness.nextNumber()];
    await harness.tell({ ...latter, number: second }, 'raced');
    await harness.tell({ ...former, number: first }, 'raced');
    expect([await reached(former), await reached(latter)]).toMatchObject([[], [{ number: second }]]);
    expect(await unreachable(former)).toMatchObject([{ number: first, reason: 'moved' }]);
  });

  it.each(['says so', 'is removed', 'tells another'])(
    'then it does not come back to a former device, heard of late, when the device that told it last %s',
    async (how) => {
      const [former, latter] = [await device(), await device()];
      const [first, second] = [harness.nextNumber(), harness.nextNumber()];
      await harness.tell({ ...latter, number: second }, `ended ${how}`);
      if (how === 'says so') await harness.tell(latter, null);
      if (how === 'is removed') await harness.remove(latter);
      if (how === 'tells another') await harness.tell(latter, 'another');
      await harness.tell({ ...former, number: first }, `ended ${how}`);
      expect(await reached(former)).toEqual([]);
      expect(await unreachable(former)).toMatchObject([{ number: first, reason: 'moved' }]);
      // What it tells after that is its own.
      const number = await harness.tell(former, `ended ${how}`);
      expect(await reached(former)).toMatchObject([{ number }]);
    },
  );

  it('then that it ended is forgotten after thirty days', async () => {
    const taro = await device();
    await harness.tell(taro, 'of old');
    await harness.tell(taro, null);
    const kept = async () => harness.sql('SELECT 1 FROM ended_tokens WHERE partner_id = $1', taro.partnerId);
    await harness.runJobs();
    expect(await kept()).toHaveLength(1);
    await harness.sql(
      `UPDATE ended_tokens SET ended_at = ended_at - interval '30 days 1 second' WHERE partner_id = $1`,
      taro.partnerId,
    );
    await harness.runJobs();
    expect(await kept()).toEqual([]);
  });

  it('then many that come at once are each kept, and of those with one token the last', async () => {
    const partnerId = ++partners;
    const tokens = Array.from({ length: 40 }, (_, at) => ({ token: `token ${at % 20}`, userId: ++users }));
    await Promise.all(tokens.map(async ({ userId }) => harness.person(partnerId, userId)));
    await Promise.all(
      tokens.map(async ({ token, userId }, at) =>
        harness.tell({ partnerId, userId, uuid: `device ${at}` }, token),
      ),
    );
    const kept = await reached({ partnerId, userId: 0, uuid: '' });
    const told = await unreachable({ partnerId, userId: 0, uuid: '' });
    expect(kept).toHaveLength(20);
    expect(told).toHaveLength(20);
    // Of each token the second was told later than all the first.
    const ofTold = told.map((data) => pushEvents.deviceUnreachable.data.parse(data).number);
    expect(Math.min(...kept.map(({ number }) => Number(number)))).toBeGreaterThan(Math.max(...ofTold));
  });

  it('then one of a user whom nobody has told of yet is kept, and counts once they are told of', async () => {
    const early = { partnerId: ++partners, userId: ++users, uuid: 'a' };
    await harness.tell(early, 'early');
    expect(await reached(early)).toHaveLength(1);
    await harness.person(early.partnerId, early.userId);
    expect(await harness.sql('SELECT is_user, devices FROM people WHERE user_id = $1', early.userId)).toEqual(
      [{ is_user: true, devices: 1 }],
    );
  });
});

describe('When a device goes from one user to another', () => {
  it('then its push token goes along', async () => {
    const taro = await device();
    const hanako = await device(taro.partnerId);
    await harness.tell(taro, 'token');
    const number = harness.nextNumber();
    const pushPassedTo = { userId: hanako.userId, registration: 2, number };
    await harness.remove(taro, { pushPassedTo });
    const expected = [{ userId: hanako.userId, uuid: 'a', registration: 2, service: 'fcm', number }];
    expect(await reached(taro)).toEqual(expected);
    // What is told of the former registration does not concern it.
    await harness.remove(taro);
    await harness.tell({ ...taro, number: number - 1 }, null);
    expect(await reached(taro)).toEqual(expected);
    expect(await unreachable(taro)).toEqual([]);
  });
});

describe('When a device is removed, or its user deleted', () => {
  it('then pushes reach it no more', async () => {
    const [removed, deleted] = [await device(), await device()];
    await harness.tell(removed, 'of the removed');
    await harness.tell(deleted, 'of the deleted');
    await harness.remove(removed);
    expect(await reached(removed)).toEqual([]);
    const { partnerId, userId } = deleted;
    await harness.deliver(userEvents.userDeleted, { subject: userId, partnerId, data: { userId } });
    expect(await reached(deleted)).toEqual([]);
    // However late it is told.
    await harness.tell(deleted, 'of the deleted');
    expect(await reached(deleted)).toEqual([]);
    expect(await harness.sql('SELECT 1 FROM people WHERE user_id = $1', userId)).toEqual([]);
  });

  it('then what others have is not gone through for it', async () => {
    const [deleted, other] = [await device(), await device()];
    const many = [other.partnerId, 20_000] as const;
    await harness.sql(
      `INSERT INTO memberships (partner_id, group_id, user_id)
       SELECT $1::integer, 1, 5000000 + n FROM generate_series(1, $2::integer) n`,
      ...many,
    );
    await harness.sql(
      `INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
       SELECT $1::integer, 'other ' || n, 5000000 + n, 1, 'fcm', n, '', sha256(n::text::bytea) FROM generate_series(1, $2::integer) n`,
      ...many,
    );
    await harness.sql('ANALYZE memberships, devices');
    const { partnerId } = deleted;
    const blocks = await harness
      .openDatabase(PrismaClient)
      .transaction(ofPartner(partnerId), async (db) =>
        blocksOf(db, ['memberships', 'devices'], async () => deletePeople(db, [deleted])),
      );
    expect(blocks).toBeLessThan(50);
  });

  it('then another user of the device keeps it', async () => {
    const taro = await device();
    await harness.tell(taro, 'token');
    await harness.remove({ ...taro, userId: taro.userId + 1_000_000 }, { registration: undefined });
    await harness.remove(taro, { registration: 0 });
    expect(await reached(taro)).toHaveLength(1);
    await harness.remove(taro, { registration: undefined });
    expect(await reached(taro)).toEqual([]);
  });
});

describe('When an encryption key takes the place of another', () => {
  it('then what that has sealed is sealed with the new one: push tokens and secrets of certificates', async () => {
    const { env, former, present } = keyExchange();
    const changing = await startPushHarness({ env });
    try {
      const { certification, pid } = await changing.partner();
      const id = await certification();
      const read = async () => {
        const [secrets] = await changing.sql<{ api_key: Buffer; private_key: Buffer | null }>(
          'SELECT api_key, private_key FROM certification_secrets',
        );
        const [device] = await changing.sql<{ token: Buffer }>('SELECT token FROM devices');
        if (!secrets) throw new Error('There are no secrets');
        return { ...secrets, token: device?.token };
      };
      const apiKey = present.open((await read()).api_key, `api key of certification ${id}`);
      await changing.sql(
        'UPDATE certification_secrets SET api_key = $1',
        former.seal(apiKey, `api key of certification ${id}`),
      );
      await changing.sql(
        "INSERT INTO people (user_id, partner_id, login_id, is_user) VALUES (1, $1, 'taro', true)",
        pid,
      );
      await changing.sql(
        `INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
         VALUES ($1, 'a b', 1, 1, 'fcm', 1, $2, 'hash')`,
        pid,
        former.seal('token', `push token of ${pid} a b`),
      );
      await changing.runJobs();
      const secrets = await read();
      expect(present.open(secrets.api_key, `api key of certification ${id}`)).toBe(apiKey);
      expect(secrets.private_key).toBeNull();
      expect(secrets.token && present.open(secrets.token, `push token of ${pid} a b`)).toBe('token');
    } finally {
      await changing.stop();
    }
  });
});
