import { createLogger } from '@portal/kernel';
import { createDirectStore, type DirectStore, ofPartner } from '@portal/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Asker, inGroupsNow, readAsker } from '../src/delivery/data/asker.ts';
import { type ChangeWatch, createChangeWatch } from '../src/delivery/data/change-watch.ts';
import { givenIds } from '../src/delivery/data/delivered-views.ts';
import { createSharedAnswers, type SharedAnswers } from '../src/delivery/data/shared-answers.ts';
import { type FileHarness, startFileHarness } from './file-harness.ts';

const partnerId = 1;
const [one, another, third] = [12, 13, 14];
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
