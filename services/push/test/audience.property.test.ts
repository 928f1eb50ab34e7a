import { setTimeout as sleep } from 'node:timers/promises';
import { userEvents } from '@portal/contracts';
import type { Database } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AudiencePlace, audiencePage, countAudience } from '../src/audience/data/audience-views.ts';
import { holdPeople } from '../src/audience/data/people-repository.ts';
import type { Audience } from '../src/audience/domain/audience.ts';
import type { PushDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { type AudienceHarness, startAudienceHarness } from './audience-harness.ts';

/**
 * Whatever is told of people, groups and devices, and whatever comes at once: the sums of audiences equal a plain count, and their
 * pages one plain list.
 */

let harness: AudienceHarness;
let database: Database<PushDb>;
let tenants = 1_000;
beforeAll(async () => {
  harness = await startAudienceHarness();
  database = harness.openDatabase(PrismaClient);
});
afterAll(async () => harness?.stop());

const groupIds = [1, 2, 3];
const anyone = fc.nat({ max: 5 });
const anyUuid = fc.constantFrom('a', 'b', 'c', 'd');

/** Of one of two tenants. */
const step = fc.record({
  tenant: fc.nat({ max: 1 }),
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('person'),
        person: anyone,
        groups: fc.subarray(groupIds),
        isUser: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('tell'),
        person: anyone,
        uuid: anyUuid,
        token: fc.option(fc.nat({ max: 7 })),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), person: anyone, uuid: anyUuid }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pass'), person: anyone, to: anyone, uuid: anyUuid }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), person: anyone }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('group'), groups: fc.subarray(groupIds) }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take({ tenant, what }: Step, first: number): Promise<void> {
  const partnerId = first + tenant;
  const idOf = (person: number) => partnerId * 10 + person;
  const groupIdOf = (group: number) => partnerId * 10 + group;
  if (!('person' in what)) {
    for (const group of what.groups) {
      const groupId = groupIdOf(group);
      await harness.deliver(userEvents.groupDeleted, { subject: groupId, partnerId, data: { groupId } });
    }
    return;
  }
  const userId = idOf(what.person);
  if ('isUser' in what) {
    await harness.person(partnerId, userId, { isUser: what.isUser, groupIds: what.groups.map(groupIdOf) });
  } else if ('token' in what) {
    const { token, uuid } = what;
    await harness.tell({ partnerId, userId, uuid }, token === null ? null : `token ${first} ${token}`);
  } else if ('to' in what) {
    const pushPassedTo = { userId: idOf(what.to), registration: 1, number: harness.nextNumber() };
    await harness.remove({ partnerId, userId, uuid: what.uuid }, { pushPassedTo });
  } else if ('uuid' in what) {
    await harness.remove({ partnerId, userId, uuid: what.uuid });
  } else {
    await harness.deliver(userEvents.userDeleted, { subject: userId, partnerId, data: { userId } });
  }
}

/** All devices of an audience, and how many users and people it has, with nothing that is kept for that. */
async function plain(partnerId: number, audience: Audience) {
  const condition =
    audience === 'all'
      ? 'true'
      : 'userIds' in audience
        ? `p.user_id IN (${audience.userIds.join(',') || 'NULL'})`
        : `p.user_id IN (SELECT user_id FROM memberships WHERE group_id = ${audience.groupId})`;
  const users = await harness.sql<{ userId: number }>(
    `SELECT p.user_id AS "userId" FROM people p WHERE p.partner_id = $1 AND p.is_user AND ${condition}`,
    partnerId,
  );
  const devices = await harness.sql<AudiencePlace>(
    `SELECT p.user_id AS "userId", d.uuid FROM people p JOIN devices d ON d.partner_id = p.partner_id AND d.user_id = p.user_id
     WHERE p.partner_id = $1 AND p.is_user AND ${condition} ORDER BY p.user_id, d.uuid COLLATE "C"`,
    partnerId,
  );
  const people = new Set(devices.map(({ userId }) => userId)).size;
  return { counts: { users: users.length, people, devices: devices.length }, devices };
}

async function inPages(partnerId: number, audience: Audience, most: number): Promise<AudiencePlace[]> {
  const all: AudiencePlace[] = [];
  for (;;) {
    const rows = await database.read(ofPartner(partnerId), async (db) =>
      db.$queryRaw<{ user_id: number; uuid: string }[]>(
        audiencePage(partnerId, audience, { after: all.at(-1), most }),
      ),
    );
    expect(rows.length).toBeLessThanOrEqual(most);
    if (rows.length === 0) return all;
    all.push(...rows.map(({ user_id: userId, uuid }) => ({ userId, uuid })));
  }
}

it('When anything is told, then audiences are counted and read as they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      async (rounds, most) => {
        const first = (tenants += 2);
        // What is of one round comes at the same moment.
        for (const [at, steps] of rounds.entries()) {
          await Promise.all(steps.map(async (one) => take(one, first)));
          if (at % 3 === 2) await harness.runJobs();
        }
        for (const partnerId of [first, first + 1]) {
          const named = [0, 2, 4].map((person) => partnerId * 10 + person);
          const groups = groupIds.map((group) => ({ groupId: partnerId * 10 + group }));
          const audiences: Audience[] = ['all', ...groups, { userIds: named }, { userIds: [] }];
          for (const audience of audiences) {
            const { counts, devices } = await plain(partnerId, audience);
            const counted = await database.read(ofPartner(partnerId), async (db) =>
              countAudience(db, partnerId, audience),
            );
            expect(counted).toEqual(counts);
            expect(await inPages(partnerId, audience, most)).toEqual(devices);
          }
        }
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);

it('When a group is deleted while a device of its people is told, then nobody is counted in it', async () => {
  const partnerId = (tenants += 2);
  const [userId, groupId] = [partnerId * 10, partnerId * 10 + 1];
  await harness.person(partnerId, userId, { groupIds: [groupId] });
  let deletion: Promise<unknown> | undefined;
  await database.transaction(ofPartner(partnerId), async (db) => {
    await holdPeople(db, [userId]);
    await db.$executeRaw`
      INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
      VALUES (${partnerId}, 'told', ${userId}, 1, 'fcm', 1, '', sha256(${String(partnerId)}::bytea))`;
    deletion = harness.deliver(userEvents.groupDeleted, { subject: groupId, partnerId, data: { groupId } });
    await Promise.race([deletion, sleep(500)]);
  });
  await deletion;
  const counted = await database.read(ofPartner(partnerId), async (db) =>
    countAudience(db, partnerId, { groupId }),
  );
  expect(counted).toEqual({ users: 0, people: 0, devices: 0 });
});

it('A tenant counts and reads its own people alone', async () => {
  const [own, other] = [(tenants += 2), tenants + 1];
  await harness.person(other, other * 10, { groupIds: [7_777] });
  await harness.tell({ partnerId: other, userId: other * 10, uuid: 'theirs' }, 'theirs');
  for (const audience of ['all', { groupId: 7_777 }, { userIds: [other * 10] }] as const) {
    const counted = await database.read(ofPartner(own), async (db) => countAudience(db, own, audience));
    expect(counted).toEqual({ users: 0, people: 0, devices: 0 });
    // Whoever asks for another tenant's in the scope of their own gets nothing either.
    const rows = await database.read(ofPartner(own), async (db) =>
      db.$queryRaw<unknown[]>(audiencePage(other, audience, { most: 10 })),
    );
    expect(rows).toEqual([]);
  }
});
