import { setTimeout as sleep } from 'node:timers/promises';
import { userEvents, userRoutes } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUserHarness, type UserHarness } from './user-harness.ts';

/** What is told once more, for services that keep a copy only since after it was made. */

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const retold = async () => {
  await harness.settled();
  const events = await harness.events(userEvents.groupUpdated.type);
  return events.map(({ data, partnerid }) => ({ partnerid, ...userEvents.groupUpdated.data.parse(data) }));
};

test('When an upgrade asks for it, then all groups are told once more as they are, some time after it, and once', async () => {
  const of = [await harness.partner(), await harness.partner()];
  const made: { partnerid: number; groupId: number; name: string; revision: number }[] = [];
  for (const { actor, pid } of of) {
    const body = { name: `Group of ${pid}` };
    const reply = await harness.call(userRoutes.createGroup, { params: { pid }, body }, actor);
    made.push({ partnerid: pid, groupId: reply.body.id, name: body.name, revision: 1 });
  }
  // Of a group in the middle of the many, and of more than are told at once.
  const [first] = of;
  await harness.sql(
    `INSERT INTO groups (partner_id, name, name_key, note, role, revision, created_at, updated_at)
     SELECT $1, 'Old ' || n, 'old ' || n, '', 0, 3, now(), now() FROM generate_series(1, 600) n`,
    first?.pid,
  );
  await harness.runJobs();
  expect(await retold()).toEqual([]);

  const dueAt = new Date(harness.clock.now().getTime() + 15 * 60_000);
  await harness.sql(`INSERT INTO retellings (thing, due_at) VALUES ('groups', $1)`, dueAt);
  await harness.runJobs();
  expect(await retold()).toEqual([]);

  harness.clock.set(dueAt);
  await harness.runJobs();
  const all = await retold();
  expect(all).toHaveLength(602);
  expect(all).toEqual(expect.arrayContaining(made.map((group) => expect.objectContaining(group))));
  expect(all.filter(({ name, revision }) => /^Old \d+$/.test(name) && revision === 3)).toHaveLength(600);
  expect(new Set(all.map(({ groupId }) => groupId)).size).toBe(602);

  await harness.runJobs();
  expect(await retold()).toHaveLength(602);
});

test('When an upgrade asks for it, then all people are told as they are, with their groups, many in an event', async () => {
  const of = [await harness.partner(), await harness.partner()];
  const known: { partnerid: number; userId: number; groupIds: number[] }[] = [];
  for (const { group, pid, user } of of) {
    const groupId = await group('Sales');
    known.push({ partnerid: pid, userId: await user({ groupIds: [groupId] }), groupIds: [groupId] });
    known.push({ partnerid: pid, userId: await user({}), groupIds: [] });
  }
  await harness.sql(
    `INSERT INTO accounts (partner_id, name, name_key, role, is_user, max_device_count_limited_flag, max_device_count,
       revision, created_at, updated_at)
     SELECT $1, 'Old ' || n, 'old ' || n, 0, n % 2 = 0, false, 0, 3, now(), now() FROM generate_series(1, 600) n`,
    of[0]?.pid,
  );
  await harness.sql(`INSERT INTO retellings (thing, due_at) VALUES ('people', $1)`, harness.clock.now());
  await harness.runJobs();
  await harness.settled();
  const events = await harness.events(userEvents.usersTold.type);
  const people = events.flatMap(({ data, partnerid }) =>
    userEvents.usersTold.data.parse(data).people.map((person) => ({ partnerid, ...person })),
  );
  expect(people).toHaveLength(604);
  expect(people).toEqual(expect.arrayContaining(known.map((person) => expect.objectContaining(person))));
  expect(people.filter(({ isUser, revision }) => isUser && revision === 3)).toHaveLength(300);
  expect(events.length).toBeLessThan(6);
  expect(await harness.sql('SELECT 1 FROM retellings')).toEqual([]);
});

test('When an upgrade asks for it, then all devices are told as they are', async () => {
  const { pid, user } = await harness.partner();
  const id = await user({});
  const platform = { name: 'iPad', osType: 'ios', osVersion: '19.1', playerVersion: '5.0.0' };
  for (const uuid of ['a', 'b', 'c']) {
    await harness.signInWith({ ...platform, uuid }, { partnerId: pid, accountId: id });
  }
  await harness.sql(`INSERT INTO retellings (thing, due_at) VALUES ('devices', $1)`, harness.clock.now());
  await harness.runJobs();
  await harness.settled();
  const told = (await harness.events(userEvents.deviceUpdated.type)).filter(
    ({ partnerid }) => partnerid === pid,
  );
  expect(told.map(({ data }) => data)).toEqual(
    ['a', 'b', 'c'].map((uuid) => ({ userId: id, uuid, ...platform })),
  );
  await harness.runJobs();
  await harness.settled();
  expect(await harness.events(userEvents.deviceUpdated.type)).toHaveLength(3);
  expect(await harness.sql('SELECT 1 FROM retellings')).toEqual([]);
});

test('When a device is removed while all are told once more, then nothing is told of it behind its removal', async () => {
  const { pid, user } = await harness.partner();
  const id = await user({});
  for (const uuid of ['goes', 'stays']) await harness.signInWith({ uuid }, { partnerId: pid, accountId: id });
  await harness.sql(`INSERT INTO retellings (thing, due_at) VALUES ('devices', $1)`, harness.clock.now());
  const { jobs } = await withClient(harness.databaseUrl, async (another) => {
    await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: pid });
    await another.query('BEGIN');
    await another.query(`DELETE FROM devices WHERE partner_id = $1 AND uuid = 'goes'`, [pid]);
    const jobs = harness.runJobs();
    await sleep(500);
    await another.query('COMMIT');
    return { jobs };
  });
  await jobs;
  await harness.settled();
  const told = (await harness.events(userEvents.deviceUpdated.type)).filter(
    ({ partnerid }) => partnerid === pid,
  );
  expect(told.map(({ subject }) => subject)).toEqual(['stays']);
});
