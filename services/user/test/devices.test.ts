import { setTimeout as sleep } from 'node:timers/promises';
import { type RouteRequest, userRoutes } from '@portal/contracts';
import { verifyLogin } from '@portal/contracts/internal';
import { enterScope, withClient } from '@portal/database';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, stateOf, type UserHarness } from './user-harness.ts';

let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const platform = (uuid: string) => ({
  uuid,
  name: 'iPad',
  osType: 'ios',
  osVersion: '19.1',
  playerVersion: '5.0.0',
});

async function admit(partnerId: number, accountId: number, uuid: string, changes = {}) {
  const reply = await harness.signInWith({ ...platform(uuid), ...changes }, { partnerId, accountId });
  return [reply.status, reply.code];
}

/** The registration number of the device that a sign-in is answered. */
async function registrationOf(partnerId: number, accountId: number, uuid: string) {
  return (await harness.signInWith(platform(uuid), { partnerId, accountId })).registration ?? 0;
}

/** How many devices of a partner are counted, which licences go by. */
async function countedOf(pid: number) {
  const [row] = await harness.sql<{ count: number }>(
    'SELECT sum(devices)::integer AS count FROM user_tallies WHERE partner_id = $1',
    pid,
  );
  return row?.count;
}

const devicesOf = async (pid: number) =>
  harness.sql('SELECT * FROM devices WHERE partner_id = $1 ORDER BY uuid', pid);
const deviceEvents = async (pid: number) => {
  await harness.settled();
  return (await harness.events()).filter(
    ({ partnerid, type }) => partnerid === pid && type.startsWith('device.'),
  );
};

/** Gives all devices of a partner to somebody of it, as a sign-in there does, which is over when `work` is done. */
async function whileHandedOver<T>(partnerId: number, to: number, work: () => Promise<T>): Promise<T> {
  return withClient(harness.databaseUrl, async (another) => {
    await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId });
    await another.query('BEGIN');
    const { rows } = await another.query('DELETE FROM devices WHERE partner_id = $1 RETURNING uuid', [
      partnerId,
    ]);
    for (const { uuid } of rows) {
      await another.query(
        `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
         VALUES ($1, $2, $3, '', '', '', '', now())`,
        [partnerId, uuid, to],
      );
    }
    const done = await work();
    await another.query('COMMIT');
    return done;
  });
}

describe('When a player signs in with its device', () => {
  it('then the device is registered at first sight and brought up to date later', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({});
    expect(await admit(pid, id, 'a')).toEqual([200, undefined]);
    expect(await deviceEvents(pid)).toMatchObject([
      { type: 'device.registered', subject: 'a', data: { userId: id, ...platform('a') } },
    ]);
    const registeredAt = harness.clock.now();
    harness.clock.advance(60_000);
    await admit(pid, id, 'a', { name: 'New name', osVersion: '19.2' });
    expect(await devicesOf(pid)).toMatchObject([
      {
        account_id: id,
        name: 'New name',
        os_version: '19.2',
        created_at: registeredAt,
        last_login_at: harness.clock.now(),
      },
    ]);
    const now = { ...platform('a'), name: 'New name', osVersion: '19.2' };
    const told = { type: 'device.updated', subject: 'a', data: { userId: id, ...now } };
    expect((await deviceEvents(pid)).slice(1)).toMatchObject([told]);
    // One that is as it was has nothing to tell.
    await admit(pid, id, 'a', now);
    expect(await deviceEvents(pid)).toHaveLength(2);
  });

  it('then the name that its user gives it is told, too', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({});
    await admit(pid, id, 'named');
    const player = playerActor({ partnerId: pid, accountId: id, platformUuid: 'named' });
    const name = async (text: string) =>
      harness.call(userRoutes.updatePlatform, { params: { uuid: 'named' }, body: { name: text } }, player);
    await name('Mine');
    await name('Mine');
    expect((await deviceEvents(pid)).slice(1)).toMatchObject([
      { type: 'device.updated', subject: 'named', data: { userId: id, ...platform('named'), name: 'Mine' } },
    ]);
  });

  it('then of what it tells of itself at once all is kept', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({});
    const player = playerActor({ partnerId: pid, accountId: id, platformUuid: 'at-once' });
    const tell = async (body: RouteRequest<typeof userRoutes.updatePlatform>['body']) =>
      harness.call(userRoutes.updatePlatform, { params: { uuid: 'at-once' }, body }, player);
    await admit(pid, id, 'at-once');
    for (const n of ['1', '2', '3', '4', '5']) {
      const told = { name: `name ${n}`, os_type: `os ${n}`, os_version: n, player_version: `5.${n}` };
      await Promise.all([
        tell({ name: told.name }),
        tell({ osType: told.os_type }),
        tell({ osVersion: told.os_version }),
        tell({ playerVersion: told.player_version }),
      ]);
      expect(await devicesOf(pid)).toMatchObject([told]);
    }
  });

  it('then what somebody tells of it who had it before is refused, and told to nobody', async () => {
    const { pid, user } = await harness.partner();
    const [before, now] = [await user({}), await user({})];
    await admit(pid, before, 'handed-over');
    const told = await deviceEvents(pid);
    const player = playerActor({ partnerId: pid, accountId: before, platformUuid: 'handed-over' });
    const late = await whileHandedOver(pid, now, async () => {
      const call = harness.refused(
        userRoutes.updatePlatform,
        { params: { uuid: 'handed-over' }, body: { name: 'Theirs' } },
        player,
      );
      await sleep(300);
      return { call };
    });
    expect((await late.call).body.code).toBe('E40401');
    expect(await deviceEvents(pid)).toEqual(told);
  });

  it('then each new device takes a licence where licences count devices', async () => {
    const { pid, user } = await harness.partner({ licenseType: 'device', licenseCount: 2 });
    const [first, second] = [await user({}), await user({})];
    await admit(pid, first, 'a');
    await admit(pid, second, 'b');
    expect(await admit(pid, first, 'c')).toEqual([403, 'E40307']);
    expect(await admit(pid, first, 'a')).toEqual([200, undefined]);
    expect(await devicesOf(pid)).toHaveLength(2);
    expect(await deviceEvents(pid)).toHaveLength(2);
  });

  it('then a device that moves is counted as before, and one that goes gives its licence back', async () => {
    const { actor, pid, user } = await harness.partner({ licenseType: 'device', licenseCount: 2 });
    const [first, second] = [await user({}), await user({})];
    await admit(pid, first, 'a');
    await admit(pid, first, 'b');
    await admit(pid, second, 'a');
    expect(await countedOf(pid)).toBe(2);
    await harness.call(
      userRoutes.updateUser,
      { params: { pid, id: first }, body: { platformUuids: [] } },
      actor,
    );
    expect(await countedOf(pid)).toBe(1);
    expect(await admit(pid, first, 'c')).toEqual([200, undefined]);
    expect(await admit(pid, first, 'd')).toEqual([403, 'E40307']);
    await harness.call(userRoutes.deleteUsers, { params: { pid }, body: { ids: [second] } }, actor);
    expect(await countedOf(pid)).toBe(1);
    expect(await admit(pid, first, 'd')).toEqual([200, undefined]);
  });

  it('then the last licence is not taken twice at the same moment', async () => {
    const { pid, user } = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    const users = [await user({}), await user({}), await user({})];
    const replies = await Promise.all(users.map(async (id) => admit(pid, id, `device-of-${id}`)));
    expect(replies.sort()).toEqual([
      [200, undefined],
      [403, 'E40307'],
      [403, 'E40307'],
    ]);
    expect(await devicesOf(pid)).toHaveLength(1);
  });

  it('then one device that comes twice at once is one', async () => {
    const { pid, user } = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    const id = await user({});
    const replies = await Promise.all([1, 2, 3].map(async () => admit(pid, id, 'same')));
    expect(replies.map(([status]) => status)).toEqual([200, 200, 200]);
    expect(await deviceEvents(pid)).toHaveLength(1);
  });

  it('then the limit of the user holds, else the usual one of the partner, for every licence type', async () => {
    const { pid, user } = await harness.partner({ userDeviceLimit: 1 });
    const usual = await user({});
    await admit(pid, usual, 'a');
    expect(await admit(pid, usual, 'b')).toEqual([403, 'E40306']);
    const two = await user({ maxDeviceCountLimitedFlag: true, maxDeviceCount: 2 });
    await admit(pid, two, 'c');
    expect(await admit(pid, two, 'd')).toEqual([200, undefined]);
    expect(await admit(pid, two, 'e')).toEqual([403, 'E40306']);
    expect(await devicesOf(pid)).toHaveLength(3);
  });

  it('then the device of another user moves to whoever signs in, with its licence', async () => {
    const { pid, user } = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    const [first, second] = [await user({}), await user({})];
    await admit(pid, first, 'shared');
    expect(await admit(pid, second, 'shared')).toEqual([200, undefined]);
    expect(await devicesOf(pid)).toMatchObject([{ uuid: 'shared', account_id: second }]);
    expect(await deviceEvents(pid)).toMatchObject([
      { type: 'device.registered', data: { userId: first } },
      { type: 'device.removed', data: { userId: first, uuid: 'shared' } },
      { type: 'device.registered', data: { userId: second } },
    ]);
  });

  it('then each registration has a higher number, which a sign-in and its removal tell', async () => {
    const { actor, pid, user } = await harness.partner();
    const [first, second] = [await user({}), await user({})];
    const one = await registrationOf(pid, first, 'shared');
    expect(await registrationOf(pid, first, 'shared')).toBe(one);
    const two = await registrationOf(pid, second, 'shared');
    expect(two).toBeGreaterThan(one);
    const back = await registrationOf(pid, first, 'shared');
    expect(back).toBeGreaterThan(two);
    const request = { params: { pid, id: first }, body: { platformUuids: [] } };
    await harness.call(userRoutes.updateUser, request, actor);
    expect(await registrationOf(pid, first, 'shared')).toBeGreaterThan(back);
    const removed = (await deviceEvents(pid)).filter(({ type }) => type === 'device.removed');
    expect(removed.map(({ data }) => data)).toEqual([
      { userId: first, uuid: 'shared', registration: one },
      { userId: second, uuid: 'shared', registration: two },
      { userId: first, uuid: 'shared', registration: back },
    ]);
    const signedOut = (await harness.events('user.signed_out')).filter(({ partnerid }) => partnerid === pid);
    expect(signedOut.map(({ data }) => data)).toEqual([
      { userId: first, device: { uuid: 'shared', registration: one } },
      { userId: second, device: { uuid: 'shared', registration: two } },
      { userId: first, device: { uuid: 'shared', registration: back } },
    ]);
  });

  it('then an account that has no player gets no device, and another partner is another world', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const [mine, theirs] = [await own.user({}), await other.user({})];
    expect(await admit(own.pid, theirs, 'a')).toEqual([401, 'E40101']);
    await admit(own.pid, mine, 'a');
    expect(await admit(other.pid, theirs, 'a')).toEqual([200, undefined]);
    expect(await devicesOf(own.pid)).toMatchObject([{ account_id: mine }]);
    await harness.sql('UPDATE accounts SET is_user = false WHERE id = $1', theirs);
    expect(await admit(other.pid, theirs, 'b')).toEqual([200, undefined]);
    expect(await devicesOf(other.pid)).toMatchObject([{ uuid: 'a' }]);
  });

  it('then a wrong password brings no device', async () => {
    const { pid, user } = await harness.partner();
    await user({ loginUserId: 'careful', password: 'An0ther-one' });
    const { status } = await harness.callAs('identity', verifyLogin, {
      body: { partnerId: pid, loginUserId: 'careful', password: 'Wr0ng-one', platform: platform('a') },
    });
    expect(status).toBe(401);
    expect(await devicesOf(pid)).toEqual([]);
  });

  it('then new devices of a tenant that wait for its licences hold up neither known ones nor other tenants', async () => {
    const { pid, user } = await harness.partner();
    const other = await harness.partner();
    const known = await user({});
    await admit(pid, known, 'known');
    const elsewhere = await other.user({});
    // More than the service has connections.
    const comers = await Promise.all(Array.from({ length: 14 }, () => user({})));
    await harness.whileHeld(pid, async (release) => {
      const waiting = comers.map((id, index) => admit(pid, id, `new-${index}`));
      expect(await admit(pid, known, 'known', { osVersion: '19.9' })).toEqual([200, undefined]);
      expect(await admit(other.pid, elsewhere, 'elsewhere')).toEqual([200, undefined]);
      expect(await devicesOf(pid)).toMatchObject([{ uuid: 'known', os_version: '19.9' }]);
      await release();
      expect(await Promise.all(waiting)).toEqual(comers.map(() => [200, undefined]));
    });
    expect(await countedOf(pid)).toBe(1 + comers.length);
  });

  it('then a partner that no event told of is asked for', async () => {
    harness.unheardPartners.set(88, stateOf(88));
    const { user } = await harness.partner();
    const [heard, unheard] = [await user({}), await user({})];
    const moveTo = async (pid: number, id: number) =>
      harness.sql('UPDATE accounts SET partner_id = $1 WHERE id = $2', pid, id);
    await moveTo(88, heard);
    await moveTo(89, unheard);
    expect(await admit(88, heard, 'a')).toEqual([200, undefined]);
    expect(await admit(89, unheard, 'a')).toEqual([404, 'E40402']);
  });
});

describe('When a player tells of its device', () => {
  const put = async (pid: number, accountId: number, own: string, uuid: string, body: object) =>
    harness.refused(
      userRoutes.updatePlatform,
      { params: { uuid }, body },
      playerActor({ partnerId: pid, accountId, platformUuid: own }),
    );

  it('then what it says is kept, and what is absent stays', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({});
    await admit(pid, id, 'a');
    expect((await put(pid, id, 'a', 'a', { osVersion: '20' })).body).toEqual({});
    expect(await devicesOf(pid)).toMatchObject([{ name: 'iPad', os_version: '20', push_service: null }]);
  });

  it('then it is its own device alone, and one that is still registered', async () => {
    const { pid, user } = await harness.partner();
    const [id, other] = [await user({}), await user({})];
    await admit(pid, id, 'a');
    await admit(pid, other, 'b');
    for (const [account, own, uuid] of [
      [id, 'a', 'b'],
      [id, 'gone', 'gone'],
      // The device has moved on to another user; the old session may still be alive for a moment.
      [id, 'b', 'b'],
    ] as const) {
      const { status, body } = await put(pid, account, own, uuid, { name: 'Changed' });
      expect([status, body.code]).toEqual([404, 'E40401']);
    }
    expect((await devicesOf(pid)).map(({ name }) => name)).toEqual(['iPad', 'iPad']);
  });

  it.each(['%00', '%20', 'x'.repeat(65)])('then %s is no device', async (uuid) => {
    const { pid } = await harness.partner();
    const { status, body } = await harness.raw({
      method: 'PUT',
      url: `/v1/user/platforms/${uuid}`,
      payload: '{}',
      actor: playerActor({ partnerId: pid, accountId: 1 }),
    });
    expect([status, body.code]).toEqual([404, 'E40401']);
  });

  it('then bad input is refused', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({});
    await admit(pid, id, 'a');
    const { status, body } = await put(pid, id, 'a', 'a', { pushService: 'pigeon', name: 'x'.repeat(256) });
    expect([status, body.code, body.errors.map(({ field }) => field).sort()]).toEqual([
      400,
      'E40002',
      ['name', 'push_service'],
    ]);
  });
});
