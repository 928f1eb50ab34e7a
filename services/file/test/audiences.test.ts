import type { Database } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import { blocksOf } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileDb, PrismaClient } from '../src/data/db.ts';
import { dropPeople, keepPeople } from '../src/receipts/data/audience-repository.ts';
import { type FileHarness, startFileHarness } from './file-harness.ts';

/** People who are in the same groups are counted together, whatever groups there are. */

const partnerId = 1;
let harness: FileHarness;
let database: Database<FileDb>;

beforeAll(async () => {
  harness = await startFileHarness();
  database = harness.openDatabase(PrismaClient);
});
afterAll(async () => harness.stop());

const write = async <T>(work: (db: FileDb) => Promise<T>) => database.transaction(ofPartner(partnerId), work);
const person = (userId: number, groupIds: readonly number[]) => ({
  userId,
  partnerId,
  name: 'Taro',
  loginId: 'taro',
  groupIds,
});
const groupsOf = async (userId: number) =>
  harness.sql(
    'SELECT group_ids AS "groupIds", people FROM audiences WHERE id = (SELECT audience_id FROM people WHERE user_id = $1)',
    userId,
  );

describe('When people are kept', () => {
  it('then those in thousands of groups are, too', async () => {
    const groupIds = Array.from({ length: 5_000 }, (_, n) => 1_000_000 + 37 * n);
    await write(async (db) => keepPeople(db, [person(1, groupIds), person(2, groupIds)]));
    await write(async (db) => keepPeople(db, [person(3, groupIds.toReversed())]));
    expect(await groupsOf(3)).toEqual([{ groupIds, people: 3 }]);
  });

  it('then the groups of all others are not gone through', async () => {
    await harness.sql(
      `WITH made AS (
         INSERT INTO audiences (partner_id, group_ids) SELECT $1, ARRAY[n] FROM generate_series(10001, 30000) n RETURNING id
       )
       INSERT INTO people (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id)
       SELECT 1000000 + id, $1, '', '', '', '', id FROM made`,
      partnerId,
    );
    await harness.sql('ANALYZE audiences, people');
    const tables = ['audiences', 'people', 'delivery_counts', 'place_counts'];
    const blocks = async (work: (db: FileDb) => Promise<unknown>) =>
      write(async (db) => blocksOf(db, tables, async () => work(db)));
    expect(await blocks(async (db) => keepPeople(db, [person(4, [7, 8])]))).toBeLessThan(150);
    expect(await blocks(async (db) => keepPeople(db, [person(4, [7, 9])]))).toBeLessThan(150);
    expect(await groupsOf(4)).toEqual([{ groupIds: [7, 9], people: 1 }]);
    expect(await blocks(async (db) => dropPeople(db, [{ id: 4, partnerId }]))).toBeLessThan(150);
  });
});
