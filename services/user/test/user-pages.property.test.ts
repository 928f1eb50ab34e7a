import { userRoutes } from '@portal/contracts';
import type { Database } from '@portal/database';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UserDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { createUserList } from '../src/data/user-list.ts';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let database: Database<UserDb>;
let partner: TestPartner;

beforeAll(async () => {
  harness = await startUserHarness();
  database = harness.openDatabase(PrismaClient);
  partner = await harness.partner();
});
afterAll(async () => harness.stop());

const names = ['a', 'b', 'c', 'd', 'e'];
const emails = [null, 'a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];

/** Who is at a place of all users, by their ids. */
const oneOf = '(SELECT id FROM accounts WHERE partner_id = $1 AND is_user ORDER BY id OFFSET $2 LIMIT 1)';
const place = fc.nat(11);

const addUser = fc.constantFrom(...names).map((name) => ({
  what: `a user ${name}`,
  sql: `INSERT INTO accounts (partner_id, name, name_key, login_user_id, login_user_id_key, role, is_user,
      max_device_count_limited_flag, max_device_count, created_at, updated_at, group_marks, platform_marks)
    SELECT $1, $2, $2, id, id, 0, true, false, 0, now(), now(), '', '' FROM (SELECT gen_random_uuid()::text AS id) made`,
  values: [name] as unknown[],
}));
const removeUser = place.map((at) => ({
  what: `without the user at ${at}`,
  sql: `DELETE FROM accounts WHERE id = ${oneOf}`,
  values: [at] as unknown[],
}));
const rename = fc.record({ at: place, name: fc.constantFrom(...names) }).map(({ at, name }) => ({
  what: `the user at ${at} is ${name}`,
  sql: `UPDATE accounts SET name = $3, name_key = $3 WHERE id = ${oneOf}`,
  values: [at, name] as unknown[],
}));
const giveAddress = fc.record({ at: place, email: fc.constantFrom(...emails) }).map(({ at, email }) => ({
  what: `the user at ${at} has ${email}`,
  sql: `UPDATE accounts SET email = $3, email_key = $3 WHERE id = ${oneOf}
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE partner_id = $1 AND email_key = $3)`,
  values: [at, email] as unknown[],
}));
const signIn = place.map((at) => ({
  what: `the user at ${at} signs in`,
  sql: `UPDATE accounts SET last_login_at = clock_timestamp() WHERE id = ${oneOf}`,
  values: [at] as unknown[],
}));
const page = fc.record({
  page: fc.integer({ min: 1, max: 6 }),
  perPage: fc.integer({ min: 1, max: 4 }),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  orderKey: fc.constantFrom('id', 'name', 'email', 'createdAt', 'lastLoginAt' as const),
  name: fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 2 }),
});
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: page }, addUser, removeUser, rename, giveAddress, signIn),
  {
    minLength: 10,
    maxLength: 40,
  },
);

it('Pages that begin where others began are those of a list that remembers nothing, whatever changes meanwhile', async () => {
  const scope = { kind: 'partner', partnerId: partner.pid } as const;
  for (const name of ['a', 'b', 'c', 'a', 'b', 'd']) await partner.user({ name });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const list = createUserList(0);
      for (const step of taken) {
        if ('sql' in step) {
          await harness.sql(step.sql, partner.pid, ...step.values);
          continue;
        }
        const query = userRoutes.listUsers.query.parse({
          ...step,
          page: String(step.page),
          perPage: String(step.perPage),
        });
        const found = await database.read(scope, (db) => list.page(db, partner.pid, query));
        const fresh = await database.read(scope, (db) => createUserList().page(db, partner.pid, query));
        expect(found).toEqual(fresh);
      }
    }),
    { numRuns: 60 },
  );
});
