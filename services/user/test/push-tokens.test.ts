import { identityEvents, pushEvents, userEvents, userRoutes } from '@portal/contracts';
import { pushTokenSeal } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** How a device tells under which token it is reached, and when it is reached no more. */

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness?.stop());

const fcm = (pushToken: string) => ({ pushToken, pushService: 'fcm' });

/** A user of a new tenant with a device `a`. */
async function player(partner?: TestPartner) {
  const of = partner ?? (await harness.partner());
  const userId = await of.user({});
  const { registration } = await harness.signInWith({ uuid: 'a' }, { partnerId: of.pid, accountId: userId });
  return { ...of, partner: of, userId, registration: registration ?? 0 };
}
type Player = Pick<Awaited<ReturnType<typeof player>>, 'pid' | 'userId'>;

async function put({ pid, userId }: Player, body: object, uuid = 'a') {
  const actor = playerActor({ partnerId: pid, accountId: userId, platformUuid: uuid });
  const reply = await harness.refused(userRoutes.updatePlatform, { params: { uuid }, body }, actor);
  return reply.status === 200 ? 200 : [reply.body.code, reply.body.errors.map(({ field }) => field)];
}

/** How the devices of a user are reached, as the portal shows it. */
async function shown({ actor, pid, userId }: Player & Pick<TestPartner, 'actor'>) {
  const { body } = await harness.call(userRoutes.getUser, { params: { pid, id: userId } }, actor);
  return body.platforms.map(({ pushService }) => pushService);
}

/** What the push service is told of a tenant's devices, with the tokens as it reads them. */
async function told({ pid }: Pick<Player, 'pid'>) {
  const events = await harness.events(userEvents.devicePushChanged.type);
  return events
    .filter(({ partnerid }) => partnerid === pid)
    .map(({ data, subject }) => {
      const { sealed, ...change } = userEvents.devicePushChanged.data.parse(data);
      const token = sealed && harness.sealsOf('push').open(sealed, pushTokenSeal(change.number));
      return { subject, ...change, token };
    });
}

describe('When a device tells its push token', () => {
  it('then the push service is told of it sealed, and the portal shows how the device is reached', async () => {
    const taro = await player();
    expect(await shown(taro)).toEqual([null]);
    expect(await put(taro, fcm('a token'))).toBe(200);
    expect(await shown(taro)).toEqual(['fcm']);
    expect(await put(taro, { pushToken: 'another', pushService: 'apns' })).toBe(200);
    expect(await shown(taro)).toEqual(['apns']);
    const { registration, userId } = taro;
    const known = { subject: 'a', uuid: 'a', userId, registration };
    const [first, second, ...more] = await told(taro);
    expect(first).toMatchObject({ ...known, service: 'fcm', token: 'a token' });
    expect(second).toMatchObject({ ...known, service: 'apns', token: 'another' });
    expect(second?.number).toBeGreaterThan(first?.number ?? 0);
    expect(more).toEqual([]);
    // Nobody else reads it, and it is kept nowhere here.
    const [event] = await harness.events(userEvents.devicePushChanged.type);
    expect(JSON.stringify(event)).not.toContain('a token');
    const kept = await harness.sql('SELECT * FROM devices WHERE partner_id = $1', taro.pid);
    expect(
      JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('another');
  });

  it('then the same token is told again: another device may have told it meanwhile', async () => {
    const taro = await player();
    await put(taro, fcm('same'));
    await put(taro, fcm('same'));
    const [first, second] = await told(taro);
    expect(second).toEqual({ ...first, number: second?.number });
    expect(second?.number).toBeGreaterThan(first?.number ?? 0);
  });

  it('then it says which service it is of, and nothing else, or nothing is kept', async () => {
    const taro = await player();
    await put(taro, fcm('first'));
    expect(await put(taro, { pushToken: 'x' })).toEqual(['E40003', ['push_service']]);
    expect(await put(taro, { pushToken: 'x', pushService: null })).toEqual(['E40003', ['push_service']]);
    expect(await put(taro, { pushService: 'fcm' })).toEqual(['E40003', ['push_token']]);
    expect(await put(taro, { pushToken: null, pushService: 'fcm' })).toEqual(['E40003', ['push_token']]);
    expect(await put(taro, fcm(''))).toEqual(['E40003', ['push_token']]);
    expect(await put(taro, { pushToken: 'x', pushService: 'pigeon' })).toEqual(['E40002', ['push_service']]);
    expect(await put(taro, fcm('x'.repeat(4097)))).toEqual(['E40002', ['push_token']]);
    expect(await put(taro, fcm('two\nlines'))).toEqual(['E40002', ['push_token']]);
    expect(await told(taro)).toMatchObject([{ token: 'first' }]);
    expect(await put(taro, fcm('x'.repeat(4096)))).toBe(200);
  });

  it('then null says that it has none any more, once', async () => {
    const taro = await player();
    expect(await put(taro, { pushToken: null })).toBe(200);
    expect(await told(taro)).toEqual([]);
    await put(taro, fcm('token'));
    expect(await put(taro, { pushToken: null })).toBe(200);
    expect(await put(taro, { pushToken: null, pushService: null })).toBe(200);
    expect(await shown(taro)).toEqual([null]);
    const [first, second, ...more] = await told(taro);
    expect(second).toMatchObject({ userId: taro.userId, uuid: 'a', service: null, token: null });
    expect(second?.number).toBeGreaterThan(first?.number ?? 0);
    expect(more).toEqual([]);
  });
});

describe('When somebody else signs in on a device', () => {
  it('then its push token goes along, and the event of the removal says so', async () => {
    const taro = await player();
    await put(taro, fcm('token'));
    const hanako = await player(taro.partner);
    expect([await shown(taro), await shown(hanako)]).toEqual([[], ['fcm']]);
    const removed = (await harness.events(userEvents.deviceRemoved.type)).filter(
      ({ partnerid }) => partnerid === taro.pid,
    );
    const [before] = await told(taro);
    const { pushPassedTo, ...gone } = userEvents.deviceRemoved.data.parse(removed[0]?.data);
    expect(gone).toEqual({ userId: taro.userId, uuid: 'a', registration: taro.registration });
    expect(pushPassedTo).toMatchObject({ userId: hanako.userId, registration: hanako.registration });
    expect(pushPassedTo?.number).toBeGreaterThan(before?.number ?? 0);

    // It is the other's from now on, and ends with their sessions alone.
    await revoke(taro, { sessionId: newId(), registration: taro.registration });
    expect(await shown(hanako)).toEqual(['fcm']);
    await revoke(hanako, { sessionId: newId() });
    expect(await shown(hanako)).toEqual([null]);
  });

  it('then nothing goes along where there was no push token', async () => {
    const taro = await player();
    const hanako = await player(taro.partner);
    expect(await shown(hanako)).toEqual([null]);
    const removed = (await harness.events(userEvents.deviceRemoved.type)).filter(
      ({ partnerid }) => partnerid === taro.pid,
    );
    expect(removed.map(({ data }) => data)).toEqual([
      { userId: taro.userId, uuid: 'a', registration: taro.registration },
    ]);
  });
});

/** The identity service tells that a session on the device has ended. */
async function revoke(
  { pid, registration, userId }: Player & { registration: number },
  session: { sessionId: string; registration?: number },
  times = 1,
) {
  const { sessionId } = session;
  await harness.deliver(identityEvents.sessionRevoked, {
    subject: sessionId,
    partnerId: pid,
    data: {
      sessionId,
      accountKind: 'account',
      accountId: userId,
      expiresAt: '2026-11-21T10:00:00Z',
      device: { uuid: 'a', registration, ...session },
    },
    times,
  });
}

describe('When a device signs out', () => {
  it('then its push token ends with the session in which it was told, and with a later one', async () => {
    const taro = await player();
    await put(taro, fcm('token'));
    await revoke(taro, { sessionId: newId() }, 2);
    expect(await shown(taro)).toEqual([null]);
    expect(await told(taro)).toMatchObject([{ token: 'token' }, { userId: taro.userId, token: null }]);
  });

  it('then what it told in a later session stays, however late an earlier one is told to have ended', async () => {
    const taro = await player();
    const earlier = newId();
    await put(taro, fcm('token'));
    await revoke(taro, { sessionId: earlier });
    expect(await shown(taro)).toEqual(['fcm']);
    expect(await told(taro)).toHaveLength(1);
  });

  it('then nothing ends that is of another tenant, of another device, or of an administrator', async () => {
    const [taro, other] = [await player(), await player()];
    await put(taro, fcm('token'));
    await revoke(other, { sessionId: newId(), registration: taro.registration });
    const sessionId = newId();
    await harness.deliver(identityEvents.sessionRevoked, {
      subject: sessionId,
      partnerId: null,
      data: { sessionId, accountKind: 'admin', accountId: taro.userId, expiresAt: '2026-11-21T10:00:00Z' },
    });
    expect(await shown(taro)).toEqual(['fcm']);
  });
});

describe('When the push service tells that a device cannot be reached', () => {
  const unreachable = async ({ pid, userId }: Player, number: number) =>
    harness.deliver(pushEvents.deviceUnreachable, {
      subject: 'a',
      partnerId: pid,
      data: { userId, uuid: 'a', number, pushService: 'fcm', reason: 'UNREGISTERED' },
    });

  it('then the portal shows that, unless the device has told another token since', async () => {
    const taro = await player();
    await put(taro, fcm('first'));
    await put(taro, fcm('second'));
    const [first, second] = await told(taro);
    await unreachable(taro, first?.number ?? 0);
    expect(await shown(taro)).toEqual(['fcm']);
    const other = await player();
    await put(other, fcm('elsewhere'));
    await unreachable(taro, second?.number ?? 0);
    expect([await shown(taro), await shown(other)]).toEqual([[null], ['fcm']]);
    // The push service knows: it is not told.
    expect(await told(taro)).toHaveLength(2);
  });
});

describe('When the version before has kept push tokens', () => {
  it('then they are told when that is due, but those that were told since, and kept here no more', async () => {
    const [taro, jiro, hanako] = [await player(), await player(), await player()];
    await put(hanako, fcm('new'));
    await harness.sql(
      `UPDATE devices SET push_token = 'old', push_service = 'apns' WHERE partner_id = $1`,
      taro.pid,
    );
    await harness.sql(`UPDATE devices SET push_token = 'of nothing' WHERE partner_id = $1`, jiro.pid);
    await harness.sql(`UPDATE devices SET push_token = 'older' WHERE partner_id = $1`, hanako.pid);
    expect(await shown(taro)).toEqual([null]);
    await harness.sql(
      `INSERT INTO retellings (thing, due_at) VALUES ('push-tokens', $1)`,
      harness.clock.now(),
    );
    await harness.runJobs();
    expect(await told(taro)).toMatchObject([{ userId: taro.userId, service: 'apns', token: 'old' }]);
    expect(await told(jiro)).toEqual([]);
    expect(await told(hanako)).toMatchObject([{ token: 'new' }]);
    expect([await shown(taro), await shown(jiro), await shown(hanako)]).toEqual([['apns'], [null], ['fcm']]);
    expect(await harness.sql('SELECT 1 FROM devices WHERE push_token IS NOT NULL')).toEqual([]);
    expect(await harness.sql('SELECT 1 FROM retellings')).toEqual([]);
  });
});
