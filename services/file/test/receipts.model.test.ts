import type { Database } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileDb, PrismaClient } from '../src/data/db.ts';
import {
  dropDevice,
  dropPeople,
  keepDevice,
  keepPeople,
  lockDelivery,
} from '../src/receipts/data/audience-repository.ts';
import { countDelivered } from '../src/receipts/data/delivered.ts';
import { deliveryNumbers, deliveryStates } from '../src/receipts/data/delivery-numbers.ts';
import { noteSeen, takeSteps } from '../src/receipts/data/receipt-repository.ts';
import { findStanding } from '../src/receipts/data/standing.ts';
import { nextStep, receiptStatuses, type Step } from '../src/receipts/domain/steps.ts';
import { type FileHarness, startFileHarness } from './file-harness.ts';

/**
 * The numbers of deliveries against a plain model that counts each device, over random sequences of people who come, go and change
 * their groups, of devices, and of what these tell: at every moment each targeted device is in exactly one state.
 */
let harness: FileHarness;
let database: Database<FileDb>;

beforeAll(async () => {
  harness = await startFileHarness();
  database = harness.openDatabase(PrismaClient);
});
afterAll(async () => harness.stop());

interface ModelDevice {
  readonly userId: number;
  /** What stands of each `file version`. */
  readonly known: Map<string, Step | 'seen'>;
}

const groups = [3, 4, 5];
const userIds = fc.integer({ min: 1, max: 4 });
const uuids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const fileIds = fc.integer({ min: 1, max: 2 });
const versions = fc.integer({ min: 1, max: 2 });
const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('person' as const),
      userId: userIds,
      groupIds: fc.option(fc.subarray(groups)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gone' as const), userId: userIds }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('device' as const), userId: userIds, uuid: uuids }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('removed' as const), userId: userIds, uuid: uuids }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('seen' as const),
      uuid: uuids,
      fileId: fileIds,
      version: versions,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('told' as const),
      steps: fc.array(
        fc.record({
          uuid: uuids,
          fileId: fileIds,
          version: versions,
          status: fc.constantFrom(...receiptStatuses),
          at: fc.integer({ min: 1, max: 9 }),
          reason: fc.constantFrom(null, 'No room', 'Broken'),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  },
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

let partnerId = 100;
let base = 0;

async function play(sequence: readonly Change[]): Promise<void> {
  partnerId += 1;
  // Ids are of the whole installation.
  base += 100;
  const idOf = (userId: number) => base + userId;
  const people = new Map<number, readonly number[] | null>();
  const devices = new Map<string, ModelDevice>();
  const write = async (work: (db: FileDb) => Promise<unknown>) =>
    database.transaction(ofPartner(partnerId), async (db) => work(db));
  const rowOf = async (db: FileDb, uuid: string) =>
    (await db.device.findFirst({ where: { partnerId, uuid }, select: { id: true } }))?.id ?? 0;

  async function act(one: Change): Promise<void> {
    switch (one.kind) {
      case 'person': {
        const { groupIds, userId } = one;
        people.set(userId, groupIds);
        const person = { userId: idOf(userId), partnerId, name: 'A', loginId: 'a', groupIds };
        await write(async (db) => keepPeople(db, [person]));
        return;
      }
      case 'gone':
        people.delete(one.userId);
        for (const [uuid, { userId }] of devices) if (userId === one.userId) devices.delete(uuid);
        await write(async (db) => dropPeople(db, [{ id: idOf(one.userId), partnerId }]));
        return;
      case 'device': {
        const { userId, uuid } = one;
        if (!people.has(userId)) return;
        if (devices.get(uuid)?.userId !== userId) devices.set(uuid, { userId, known: new Map() });
        const told = {
          partnerId,
          userId: idOf(userId),
          uuid,
          name: 'D',
          osType: '',
          osVersion: '',
          playerVersion: '',
        };
        await write(async (db) => keepDevice(db, told));
        return;
      }
      case 'removed':
        if (devices.get(one.uuid)?.userId === one.userId) devices.delete(one.uuid);
        await write(async (db) => dropDevice(db, { partnerId, userId: idOf(one.userId), uuid: one.uuid }));
        return;
      case 'seen': {
        const { fileId, uuid, version } = one;
        const known = devices.get(uuid)?.known;
        const key = `${fileId} ${version}`;
        if (known && !known.has(key)) known.set(key, 'seen');
        const userId = idOf(devices.get(uuid)?.userId ?? 0);
        await write(async (db) =>
          noteSeen(db, partnerId, [{ fileId, version, userId, uuid, at: new Date(1) }], new Date(1)),
        );
        return;
      }
      case 'told': {
        const steps = one.steps.map(({ at, reason, status, ...place }) => ({
          ...place,
          step: { status, reason, at: new Date(at), progress: null, toldBy: 'player' } satisfies Step,
        }));
        for (const { fileId, step, uuid, version } of steps) {
          const known = devices.get(uuid)?.known;
          const stood = known?.get(`${fileId} ${version}`);
          known?.set(`${fileId} ${version}`, nextStep(stood === 'seen' ? undefined : stood, step));
        }
        await write(async (db) => {
          const told = await Promise.all(
            steps.map(async ({ fileId, step, uuid, version }) => ({
              ...step,
              fileId,
              version,
              deviceId: await rowOf(db, uuid),
            })),
          );
          await lockDelivery(db, [partnerId]);
          await takeSteps(db, partnerId, told, { standing: await findStanding(db, partnerId, told) });
        });
      }
    }
  }

  function expected(fileId: number, version: number, groupIds: readonly number[]) {
    const reached = [...people].filter(
      ([, own]) => own !== null && (groupIds.includes(0) || own.some((id) => groupIds.includes(id))),
    );
    const ids = new Set(reached.map(([userId]) => userId));
    const targeted = [...devices.values()].filter(({ userId }) => ids.has(userId));
    const states = Object.fromEntries(deliveryStates.map((state) => [state, 0]));
    const reasons = new Map<string | null, number>();
    for (const { known } of targeted) {
      const stood = known.get(`${fileId} ${version}`);
      const state = stood === undefined ? 'not_seen' : stood === 'seen' ? 'seen' : stood.status;
      states[state] = (states[state] ?? 0) + 1;
      if (stood !== undefined && stood !== 'seen' && stood.status === 'failed') {
        reasons.set(stood.reason, (reasons.get(stood.reason) ?? 0) + 1);
      }
    }
    return {
      targeted: { users: reached.length, devices: targeted.length },
      states,
      failureReasons: [...reasons]
        .map(([reason, count]) => ({ reason, count }))
        .sort((a, b) => b.count - a.count || ((a.reason ?? '') < (b.reason ?? '') ? -1 : 1)),
    };
  }

  /** Of those that nobody is in any more nothing is left, and no answer from before is taken for one of now. */
  async function assertTidy(before: readonly string[]): Promise<string> {
    const tables = ['audiences', 'delivery_counts', 'place_counts', 'audience_places'];
    const left = tables.map((table) => {
      const isEmpty =
        table === 'audiences'
          ? `people = 0 AND devices = 0 AND group_ids <> '{}'`
          : 'audience_id NOT IN (SELECT id FROM audiences)';
      return `SELECT 1 FROM ${table} WHERE partner_id = $1 AND ${isEmpty}`;
    });
    expect(await harness.sql(left.join(' UNION ALL '), partnerId)).toEqual([]);
    const delivered = { partnerId, fileId: 1, version: 1, isCurrent: true, groupIds: [0], group: undefined };
    const { changes } = await database.transaction(ofPartner(partnerId), async (db) =>
      countDelivered(db, delivered),
    );
    const last = before.at(-1);
    if (changes !== last) expect(before).not.toContain(changes);
    return changes;
  }

  const answers: string[] = [];
  for (const one of sequence) {
    await act(one);
    answers.push(await assertTidy(answers));
    for (const [fileId, version, groupIds] of [
      [1, 1, [0]],
      [1, 2, [3]],
      [2, 1, [3, 4]],
      [2, 2, []],
    ] as const) {
      const sets = [groupIds, [4], [5]];
      const numbers = await database.transaction(ofPartner(partnerId), async (db) =>
        deliveryNumbers(
          db,
          { fileId, version },
          sets.map((groupIds) => [{ partnerId, groupIds }]),
        ),
      );
      expect(numbers).toEqual(sets.map((ids) => expected(fileId, version, ids)));
    }
  }
}

describe('Whatever people and devices do', () => {
  it('then each device is counted once, in the state that a plain model has', async () => {
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 30 }), play), {
      numRuns: 40,
      endOnFailure: true,
    });
  }, 240_000);
});
