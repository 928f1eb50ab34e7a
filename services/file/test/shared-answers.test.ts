import { createLogger } from '@portal/kernel';
import { createDirectStore, type DirectStore, ofPartner } from '@portal/service-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Asker, inGroupsNow, readAsker } from '../src/delivery/data/asker.ts';
import { type ChangeWatch, createChangeWatch } from '../src/delivery/data/change-watch.ts';
import { givenIds } from '../src/delivery/data/delivered-views.ts';
import { createSharedAnswers, type SharedAnswers } from '../src/delivery/data/shared-answers.ts';
import { listDelivered } from '../src/delivery/use-cases/list-delivered.ts';
import { type FileHarness, startFileHarness } from './file-harness.ts';

const partnerId = 1;
const [one, another, third, fourth] = [12, 13, 14, 15];
const minute = 60_000;

let harness: FileHarness;
let direct: DirectStore;
let watch: ChangeWatch;
let answers: SharedAnswers;
let ofThree: number;
let ofFour: number;
let reads: number;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(partnerId);
  await harness.group(3, 'Three');
  await harness.group(4, 'Four');
  await harness.user(one, [3]);
  await harness.user(another, [3]);
  await harness.user(third, [4]);
  ofThree = await harness.upload({ fileName: 'three.uap' });
  ofFour = await harness.upload({ fileName: 'four.uap' });
  await harness.assign(ofThree, [3]);
  await harness.assign(ofFour, [4]);
  const logger = createLogger({ level: 'silent', service: 'test' });
  const { clock, databaseUrl } = harness;
  direct = createDirectStore({ url: databaseUrl, poolSize: 2, source: 'file', clock, logger });
  watch = createChangeWatch({ connectionString: databaseUrl, logger });
  watch.start();
  answers = createSharedAnswers({ direct, watch });
});
afterAll(async () => {
  await watch.close();
  await direct.close();
  await harness.stop();
});

const asker = async (userId: number) =>
  readAsker(direct.statements(ofPartner(partnerId)), { partnerId, userId, uuid: null }, watch);

/** What somebody has, and how often it was read so far. */
async function filesOf(who: Asker): Promise<[files: number[], reads: number]> {
  const groups = inGroupsNow(who);
  const { value } = await answers.of(
    who,
    `files ${groups.groups}`,
    harness.clock.now(),
    async (db, { now }) => {
      reads += 1;
      return givenIds(db, groups, now);
    },
  );
  return [value, reads];
}

test('What was read for one is the answer for all in the same groups, and for nobody else', async () => {
  reads = 0;
  expect(await filesOf(await asker(one))).toEqual([[ofThree], 1]);
  expect(await filesOf(await asker(another))).toEqual([[ofThree], 1]);
  expect(await filesOf(await asker(third))).toEqual([[ofFour], 2]);
  // Those who ask at once share one look as well.
  await harness.assign(ofFour, [4]);
  await harness.assign(ofFour, [3, 4]);
  const askers = await Promise.all([one, another, one].map(asker));
  const together = await Promise.all(askers.map(filesOf));
  expect(together.map(([files]) => files)).toEqual(askers.map(() => [ofThree, ofFour]));
  expect(reads).toBe(3);
});

test('What comes due is read anew', async () => {
  const at = new Date(harness.clock.now().getTime() + 20 * minute);
  const reserved = await harness.upload({
    fileName: 'reserved.uap',
    deliverReservationAt: at.toISOString().replace('.000', ''),
  });
  await harness.assign(reserved, [4]);
  const who = await asker(third);
  reads = 0;
  expect(await filesOf(who)).toEqual([[ofFour], 1]);
  harness.clock.advance(19 * minute);
  expect(await filesOf(who)).toEqual([[ofFour], 1]);
  harness.clock.advance(2 * minute);
  expect(await filesOf(who)).toEqual([[ofFour, reserved], 2]);
});

test('Who changes groups while they ask is answered by those that they asked with, and nobody gets it for theirs', async () => {
  const before = await asker(one);
  await harness.user(one, [4]);
  // Read in the name of somebody who is in group 4 by now.
  const [files] = await filesOf(before);
  expect(files).toEqual([ofThree, ofFour]);
  expect(await filesOf(await asker(another))).toEqual([[ofThree, ofFour], reads]);
  const [now] = await filesOf(await asker(one));
  expect(now).toEqual((await filesOf(await asker(third)))[0]);
  expect(now).not.toContain(ofThree);
});

describe('After a change', () => {
  let askedFor: string[];

  /** What has changed for somebody, and their next cursor. */
  async function look(userId: number, since?: string) {
    const counted: SharedAnswers = {
      ...answers,
      of: async (who, key, now, read) =>
        answers.of(who, key, now, async (db, moment) => {
          askedFor.push(key.split(' ')[0] ?? '');
          return read(db, moment);
        }),
    };
    // Word of a change may still be on its way to this instance.
    const uninformed = { ...watch, quietOf: () => undefined };
    const deps = { answers: counted, clock: harness.clock, direct, watch: uninformed };
    const player = { partnerId, userId, uuid: null };
    const { cursor, files, removedIds } = await listDelivered(deps, player, { page: 1, perPage: 100, since });
    return { cursor, ids: files.map(({ id }) => id), removedIds };
  }

  const cursorsOf = async (userIds: readonly number[]) =>
    Promise.all(userIds.map(async (userId) => [userId, (await look(userId)).cursor] as const));

  beforeEach(async () => {
    askedFor = [];
    await harness.user(one, [3]);
    await harness.user(third, [4]);
    await harness.user(fourth, [3, 4]);
  });

  test('one look of the database is enough for all whose groups have stayed, and tells each what is theirs', async () => {
    const cursors = await cursorsOf([one, third, fourth]);
    const file = await harness.upload({ fileName: 'of-three-alone.uap' });
    await harness.assign(file, [3]);
    askedFor = [];
    const looks = await Promise.all(cursors.map(async ([userId, cursor]) => look(userId, cursor)));
    expect(looks.map(({ ids }) => ids)).toEqual([[file], [], [file]]);
    expect(askedFor.toSorted()).toEqual(['changes', 'views']);
    await harness.assign(file, [4]);
    askedFor = [];
    const next = await Promise.all(
      cursors.map(async ([userId], place) => look(userId, looks[place]?.cursor)),
    );
    expect(next.map(({ ids }) => ids)).toEqual([[], [file], []]);
    expect(next.map(({ removedIds }) => removedIds)).toEqual([[file], [], []]);
    expect(askedFor.toSorted()).toEqual(['changes', 'views']);
  });

  test('whose groups have changed is answered by their groups', async () => {
    const file = await harness.upload({ fileName: 'of-four-alone.uap' });
    await harness.assign(file, [4]);
    const cursors = await cursorsOf([one, third]);
    await harness.user(one, [4]);
    askedFor = [];
    const looks = await Promise.all(cursors.map(async ([userId, cursor]) => look(userId, cursor)));
    expect(looks.map(({ ids }) => ids.includes(file))).toEqual([true, false]);
    expect(looks.map(({ removedIds }) => removedIds.includes(ofThree))).toEqual([true, false]);
    expect(askedFor.filter((key) => key === 'changes')).toHaveLength(2);
  });

  test('a file of more groups than are remembered for everyone is told to those who are in one of them', async () => {
    const cursors = await cursorsOf([one, third]);
    const file = await harness.upload({ fileName: 'of-many.uap' });
    await harness.assign(file, [3]);
    await harness.sql(
      `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced, added_at)
       SELECT ${partnerId}, ${file}, 1000 + i, 1, true, now() FROM generate_series(1, 10000) i`,
    );
    askedFor = [];
    const looks = await Promise.all(cursors.map(async ([userId, cursor]) => look(userId, cursor)));
    expect(looks.map(({ ids }) => ids.includes(file))).toEqual([true, false]);
    expect(askedFor.filter((key) => key === 'changes')).toHaveLength(3);
  });
});
