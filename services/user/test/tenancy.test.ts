import { join } from 'node:path';
import { userRoutes } from '@portal/contracts';
import { assertNoDrift, enterScope } from '@portal/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let own: TestPartner;
let foreign: TestPartner;
let foreignGroup: number;
let foreignUser: number;

beforeAll(async () => {
  harness = await startUserHarness();
  own = await harness.partner();
  foreign = await harness.partner();
  foreignGroup = await foreign.group('Foreign');
  foreignUser = await foreign.user({ groupIds: [foreignGroup] });
});
afterAll(async () => harness.stop());

const state = async () =>
  harness.sql('SELECT g.name AS group_name, a.name FROM groups g, accounts a ORDER BY 1, 2');

describe("When another tenant's ids are used", () => {
  it('then under the own partner they do not exist, and nothing changes', async () => {
    const before = await state();
    const group = { pid: own.pid, id: foreignGroup };
    const user = { pid: own.pid, id: foreignUser };
    const { actor } = own;
    const replies = [
      await harness.refused(userRoutes.getGroup, { params: group }, actor),
      await harness.refused(userRoutes.updateGroup, { params: group, body: { name: 'x' } }, actor),
      await harness.refused(userRoutes.deleteGroup, { params: group }, actor),
      await harness.refused(userRoutes.getUser, { params: user }, actor),
      await harness.refused(userRoutes.updateUser, { params: user, body: { name: 'x' } }, actor),
      await harness.refused(
        userRoutes.createUser,
        { params: { pid: own.pid }, body: { name: 'x', email: 'x@example.com', groupIds: [foreignGroup] } },
        actor,
      ),
    ];
    expect(replies.map(({ body, status }) => [status, body.code])).toEqual([
      [404, 'E40404'],
      [404, 'E40404'],
      [404, 'E40404'],
      [404, 'E40403'],
      [404, 'E40403'],
      [404, 'E40404'],
    ]);
    expect(await state()).toEqual(before);
  });

  it('then the other partner does not exist', async () => {
    const { status, body } = await harness.refused(
      userRoutes.listGroups,
      { params: { pid: foreign.pid }, query: {} },
      own.actor,
    );
    expect([status, body.code]).toEqual([404, 'E40402']);
  });
});

describe('When the checks in code are missing', () => {
  const tables = ['partners', 'groups', 'accounts', 'memberships', 'devices', 'group_files', 'group_holds'];

  async function asService<T>(partnerId: number | null, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: harness.databaseUrl });
    await client.connect();
    try {
      if (partnerId !== null) {
        await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId });
      }
      return await work(client);
    } finally {
      await client.end();
    }
  }

  it.each(tables)('then row-level security alone hides foreign rows of %s', async (table) => {
    const rows = await asService(own.pid, async (client) =>
      client.query(`SELECT partner_id FROM ${table} WHERE partner_id <> $1`, [own.pid]),
    );
    expect(rows.rowCount).toBe(0);
    const unscoped = await asService(null, async (client) => client.query(`SELECT 1 FROM ${table}`));
    expect(unscoped.rowCount).toBe(0);
  });

  it('then row-level security alone changes and deletes no foreign row, and lets none in', async () => {
    const before = await state();
    await asService(own.pid, async (client) => {
      expect((await client.query(`UPDATE groups SET name = 'x'`)).rowCount).toBe(0);
      expect((await client.query('DELETE FROM memberships')).rowCount).toBe(0);
      expect((await client.query('DELETE FROM accounts')).rowCount).toBe(0);
      await expect(
        client.query('INSERT INTO group_files (partner_id, file_id, group_id) VALUES ($1, 1, $2)', [
          foreign.pid,
          foreignGroup,
        ]),
      ).rejects.toThrow('row-level security');
      await expect(
        client.query('INSERT INTO memberships (partner_id, group_id, account_id) VALUES ($1, $2, $3)', [
          own.pid,
          foreignGroup,
          foreignUser,
        ]),
      ).rejects.toThrow('foreign key');
    });
    expect(await state()).toEqual(before);
  });
});

it('The migrations make what the schema says', async () => {
  await assertNoDrift(join(import.meta.dirname, '..'));
});
