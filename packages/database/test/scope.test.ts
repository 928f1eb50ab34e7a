import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  enterScope,
  migrate,
  migrationsDir,
  provisionDatabase,
  type Scope,
  withClient,
} from '../src/index.ts';
import { createScopeSigner, scopeKeyOf } from '../src/scope.ts';
import { fixtureDatabase, fixtureDir, partner, system, type Tx, unit } from './fixture.ts';

type Fixture = Awaited<ReturnType<typeof fixtureDatabase>>;
let fixture: Fixture;
/** A connection with the service's own role, which is what an SQL injection would have. */
let client: pg.Client;

beforeAll(async () => {
  fixture = await fixtureDatabase();
  await fixture.database.transaction(system, async (tx) => {
    for (const partnerId of [1, 2, 3]) {
      await tx.item.create({ data: { partnerId, name: `of ${partnerId}` } });
      await tx.board.create({
        data: { partnerId, unitId: partnerId === 3 ? 20 : 10, title: `of ${partnerId}` },
      });
    }
    await tx.setting.create({ data: { key: 'secret', value: 'of the system' } });
  });
});
afterAll(() => fixture.close());

async function opened(url = fixture.url): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: url });
  await made.connect();
  return made;
}
beforeEach(async () => {
  client = await opened();
  return () => client.end();
});

async function signed(of: pg.Client, scope: Scope, url = fixture.url): Promise<string> {
  const signer = await createScopeSigner(of, scopeKeyOf(url));
  return String(signer(scope, 'session').values?.[0]);
}

/** The partners whose rows are seen. */
async function seen(of = client): Promise<number[]> {
  const { rows } = await of.query<{ id: number }>('SELECT partner_id AS id FROM items ORDER BY 1');
  return rows.map(({ id }) => id);
}

const refusal = 'The scope of the transaction is not signed';

async function seenWith(scope: string): Promise<number[] | string> {
  await client.query(`SELECT set_config('app.scope', $1, false)`, [scope]);
  return seen().catch((error: Error) => error.message);
}

describe('A signed scope', () => {
  test('of a partner shows and takes its own rows alone', async () => {
    await enterScope(client, fixture.url, partner(1));
    expect(await seen()).toEqual([1]);
    await client.query('BEGIN');
    expect((await client.query(`UPDATE items SET note = 'x'`)).rowCount).toBe(1);
    expect((await client.query(`DELETE FROM boards WHERE partner_id <> 1`)).rowCount).toBe(0);
    await expect(client.query(`UPDATE items SET partner_id = 2`)).rejects.toThrow('row-level security');
    await client.query('ROLLBACK');
    await expect(client.query(`INSERT INTO items (partner_id, name) VALUES (2, 'x')`)).rejects.toThrow(
      'row-level security',
    );
  });

  test('can be entered by an open transaction, for what is left of it', async () => {
    const { database } = fixture;
    const partners = async (tx: Tx) =>
      (await tx.item.findMany({ orderBy: { id: 'asc' } })).map(({ partnerId }) => partnerId);
    const tx = await database.transaction(system, async (open) => {
      expect(await partners(open)).toEqual([1, 2, 3]);
      await database.enter(open, partner(2));
      expect(await partners(open)).toEqual([2]);
      await database.enter(open, partner(3));
      expect(await partners(open)).toEqual([3]);
      return open;
    });
    await expect(database.enter(tx, system)).rejects.toThrow();
    expect(await database.read(partner(1), partners)).toEqual([1]);
  });

  test('of a unit shows and takes the rows that name it, and none of tables that name no unit', async () => {
    const { database } = fixture;
    const boards = (tx: Tx) => tx.board.findMany({ select: { partnerId: true }, orderBy: { id: 'asc' } });
    expect(await database.read(unit(10), boards)).toEqual([{ partnerId: 1 }, { partnerId: 2 }]);
    expect(await database.read(unit(20), boards)).toEqual([{ partnerId: 3 }]);
    expect(await database.read(unit(30), boards)).toEqual([]);
    expect(await database.read(unit(10), (tx) => tx.item.count())).toBe(0);
    const put = (unitId: number) =>
      database.transaction(unit(20), async (tx) => {
        const { id } = await tx.board.create({ data: { partnerId: 3, unitId, title: 'new' } });
        await tx.board.delete({ where: { id } });
      });
    await put(20);
    await expect(put(10)).rejects.toThrow('row-level security');
    // Its number is no partner's.
    expect(await database.read(partner(10), boards)).toEqual([]);
    expect(await database.read(unit(1), (tx) => tx.item.count())).toBe(0);
  });

  test('of the system shows all, and alone what is of no partner', async () => {
    const settings = (tx: Tx) => tx.setting.count();
    expect(await fixture.database.read(system, (tx) => tx.item.count())).toBe(3);
    expect(await fixture.database.read(system, settings)).toBe(1);
    expect(await fixture.database.read(partner(1), settings)).toBe(0);
    expect(await fixture.database.read(unit(10), settings)).toBe(0);
    await expect(
      fixture.database.transaction(partner(1), (tx) => tx.setting.create({ data: { key: 'a', value: 'b' } })),
    ).rejects.toThrow('row-level security');
  });
});

test('Other processes help with a query in a scope', async () => {
  await withClient(fixture.ownerUrl, async (owner) => {
    await owner.query(`
      SET app.scope = 'system';
      INSERT INTO tags (partner_id, item_id, label)
      SELECT partner_id, id, '' FROM items, generate_series(1, 2000) WHERE partner_id < 3;
      ANALYZE tags`);
  });
  await enterScope(client, fixture.url, partner(1));
  await client.query(`
    SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
    SET enable_indexscan = off; SET enable_bitmapscan = off; SET parallel_leader_participation = off`);
  const counting = `SELECT count(*)::integer AS count FROM tags WHERE label = ''`;
  const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${counting}`);
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Parallel Seq Scan');
  expect((await client.query(counting)).rows).toEqual([{ count: 2000 }]);
});

describe('A scope that the role sets by itself', () => {
  test.each(['system', 'system 0', 'partner 1', 'partner', 'system 0 ', 'system  '])(
    'is refused without a signature: %j',
    async (scope) => {
      expect(await seenWith(scope)).toBe(refusal);
      await expect(client.query(`INSERT INTO items (partner_id, name) VALUES (1, 'x')`)).rejects.toThrow(
        refusal,
      );
    },
  );

  test.each(['', 'unit 10', 'all', ' '])('shows nothing where it is none: %j', async (scope) => {
    expect(await seenWith(scope)).toEqual([]);
    expect((await client.query('SELECT FROM settings')).rowCount).toBe(0);
    await expect(client.query(`INSERT INTO items (partner_id, name) VALUES (1, 'x')`)).rejects.toThrow(
      'row-level security',
    );
  });

  test('is refused with what another connection, partner or service signed', async () => {
    const own = await signed(client, partner(1));
    expect(await seenWith(own)).toEqual([1]);
    const [, , signature = ''] = own.split(' ');
    for (const other of ['partner 2', 'partner 01', 'system 1', 'system 0']) {
      expect(await seenWith(`${other} ${signature}`)).toBe(refusal);
    }
    expect(await seenWith(`unit 1 ${signature}`)).toEqual([]);
    await expect(client.query('SELECT FROM boards')).rejects.toThrow(refusal);
    const neighbour = await opened();
    const ofNeighbour = await signed(neighbour, system);
    expect(await seenWith(ofNeighbour)).toBe(refusal);
    // Nor when it is gone.
    await neighbour.end();
    expect(await seenWith(ofNeighbour)).toBe(refusal);
    const elsewhere = new URL(fixture.url);
    elsewhere.username = 'portal_other';
    expect(await seenWith(await signed(client, system, elsewhere.href))).toBe(refusal);
    elsewhere.username = 'portal_fixture';
    elsewhere.password = 'guessed';
    expect(await seenWith(await signed(client, system, elsewhere.href))).toBe(refusal);
  });

  test('does not change the scope in the middle of a statement', async () => {
    const injected = [
      `set_config('app.scope', 'system', true)`,
      `set_config('app.scope', 'system 0 ' || split_part(current_setting('app.scope'), ' ', 3), true)`,
      `set_config('app.scope', 'partner 2', true)`,
    ];
    for (const expression of injected) {
      const rows = await fixture.database
        .transaction(partner(1), (tx) =>
          tx.$queryRawUnsafe<{ id: number }[]>(
            `SELECT i.partner_id AS id, ${expression} FROM items i
             UNION ALL SELECT partner_id, ${expression} FROM items
             UNION ALL SELECT partner_id, '' FROM (SELECT ${expression} OFFSET 0) s, items`,
          ),
        )
        .catch(() => []);
      expect(rows.filter(({ id }) => id !== 1)).toEqual([]);
      const after = fixture.database.transaction(partner(1), async (tx) => {
        await tx.$queryRawUnsafe(`SELECT ${expression}`);
        return tx.item.count();
      });
      await expect(after).rejects.toMatchObject({ code: 'E50301' });
    }
  });

  test('of a transaction ends with it', async () => {
    const signer = await createScopeSigner(client, scopeKeyOf(fixture.url));
    await client.query('BEGIN');
    await client.query(signer(system, 'transaction'));
    expect(await seen()).toEqual([1, 2, 3]);
    await client.query('COMMIT');
    expect(await seen()).toEqual([]);
  });
});

describe('The role of a service', () => {
  test('reads neither the keys nor the signatures of others', async () => {
    await enterScope(client, fixture.url, partner(1));
    await expect(client.query('SELECT * FROM scope.keys')).rejects.toThrow('permission denied');
    await expect(client.query(`UPDATE scope.keys SET ends_at = NULL`)).rejects.toThrow('permission denied');
    // Another transaction of the same role, at rest with its last statement.
    await fixture.database.read(system, async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      const { rows } = await client.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()`,
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ query }) => /system 0|[0-9a-f]{64}/.test(query))).toEqual([]);
    });
    const prepared = await client.query('SELECT statement FROM pg_prepared_statements');
    expect(prepared.rows).toEqual([]);
  });

  test('makes nothing, becomes nobody else, and changes no policy', async () => {
    for (const statement of [
      'CREATE TEMP TABLE mine (id int)',
      'CREATE SCHEMA mine',
      'CREATE TABLE mine (id int)',
      `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      'CREATE EXTENSION dblink',
      `SELECT pg_read_file('PG_VERSION')`,
      `COPY items TO PROGRAM 'cat'`,
      'SET ROLE portal_fixture_owner',
      'SET SESSION AUTHORIZATION portal_fixture_owner',
      'SET session_replication_role = replica',
      'DROP POLICY "system" ON items',
      'ALTER TABLE items NO FORCE ROW LEVEL SECURITY',
      'ALTER FUNCTION scope.genuine(text) STRICT',
      'SELECT scope.guard()',
      'DELETE FROM _prisma_migrations',
    ]) {
      await expect(client.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    }
    await client.query('SET row_security = off');
    await expect(seen()).rejects.toThrow('row-level security');
    const roles = await client.query(
      `SELECT rolname FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER') AND rolname <> current_user`,
    );
    expect(roles.rows).toEqual([]);
  });

  test('finds no values of tenants in the statistics', async () => {
    await withClient(fixture.ownerUrl, (owner) => owner.query('ANALYZE items'));
    await enterScope(client, fixture.url, partner(1));
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stats WHERE tablename IN ('items', 'boards', 'settings')`,
    );
    expect(rows).toEqual([]);
  });
});

test('The owner names its scope without a signature, and needs one', async () => {
  const owner = await opened(fixture.ownerUrl);
  try {
    expect(await seen(owner)).toEqual([]);
    await owner.query(`SET app.scope = 'system'`);
    expect(await seen(owner)).toEqual([1, 2, 3]);
    await owner.query(`SET app.scope = 'partner 2'`);
    expect(await seen(owner)).toEqual([2]);
  } finally {
    await owner.end();
  }
});

describe('Keys', () => {
  const service = `scope_${process.pid}`;
  const provision = (password: string) =>
    provisionDatabase({ adminUrl: inject('postgresAdminUrl'), service, password, ownerPassword: 'owner' });

  test('go with the password: that of before serves for a day, one of long ago no more', async () => {
    const first = await provision('first');
    await migrate({ url: first.ownerUrl, directories: [migrationsDir(fixtureDir)] });
    const connected = await opened(first.url);
    const valid = async (url: string) => {
      await enterScope(connected, url, system);
      return connected.query(`SELECT scope.genuine('system')`).then(
        () => true,
        () => false,
      );
    };
    try {
      expect(await valid(first.url)).toBe(true);
      const second = await provision('second');
      expect([await valid(first.url), await valid(second.url)]).toEqual([true, true]);
      // Back, and to where it was.
      await provision('first');
      expect([await valid(first.url), await valid(second.url)]).toEqual([true, true]);
      await provision('second');
      await withClient(second.ownerUrl, (owner) =>
        owner.query(`UPDATE scope.keys SET ends_at = ends_at - interval '25 hours'`),
      );
      expect([await valid(first.url), await valid(second.url)]).toEqual([false, true]);
      await provision('second');
      await withClient(second.ownerUrl, async (owner) => {
        expect((await owner.query('SELECT FROM scope.keys')).rowCount).toBe(1);
      });
    } finally {
      await connected.end();
    }
  });

  test('are not made from nothing', () => {
    const url = new URL(fixture.url);
    url.password = '';
    expect(() => fixture.open(url.href)).toThrow('no password to sign scopes with');
  });
});

test('When a database is of the version before, then it gets the keys and the policies, and keeps its rows', async () => {
  const service = `scope_before_${process.pid}`;
  const provision = () =>
    provisionDatabase({
      adminUrl: inject('postgresAdminUrl'),
      service,
      password: 'before',
      ownerPassword: 'owner',
    });
  const directories = [migrationsDir(fixtureDir)];
  const { ownerUrl, url } = await provision();
  await migrate({ url: ownerUrl, directories });
  await withClient(ownerUrl, (owner) =>
    owner.query(`
      DROP SCHEMA scope CASCADE;
      DELETE FROM _prisma_migrations WHERE migration_name = '0000_guard';
      ALTER TABLE settings NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;
      CREATE POLICY "tenant" ON items USING (current_setting('app.scope', true) = 'system');
      SET app.scope = 'system';
      INSERT INTO items (partner_id, name) VALUES (1, 'old'), (2, 'old');
      INSERT INTO settings (key, value) VALUES ('old', '')`),
  );

  await provision();
  expect(await migrate({ url: ownerUrl, directories })).toEqual(['0000_guard']);
  await withClient(url, async (role) => {
    await expect(role.query('SELECT * FROM scope.keys')).rejects.toThrow('permission denied');
    expect((await role.query('SELECT FROM settings')).rowCount).toBe(0);
    // As the version before says it.
    await role.query(`SET app.scope = 'system'`);
    await expect(role.query('SELECT FROM items')).rejects.toMatchObject({ code: '57P03' });
    await enterScope(role, url, partner(1));
    expect(await seen(role)).toEqual([1]);
    await enterScope(role, url, system);
    expect(await seen(role)).toEqual([1, 2]);
    expect((await role.query('SELECT FROM settings')).rowCount).toBe(1);
  });
});

test('When a migration makes a table or puts policies of its own, then it stands under those of all', async () => {
  await withClient(fixture.ownerUrl, async (owner) => {
    await owner.query(`
      CREATE TABLE late (partner_id integer NOT NULL);
      CREATE POLICY "tenant" ON late USING (current_setting('app.scope', true) = 'system');
      SELECT scope.guard()`);
    const { rows } = await owner.query(
      `SELECT tablename, string_agg(policyname, ',' ORDER BY policyname) AS policies FROM pg_policies GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { tablename: 'boards', policies: 'partner,system,unit' },
      { tablename: 'items', policies: 'partner,system' },
      { tablename: 'late', policies: 'partner,system' },
      { tablename: 'settings', policies: 'system' },
      { tablename: 'tags', policies: 'partner,system' },
    ]);
    const open = await owner.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(open.rows).toEqual([{ relname: '_prisma_migrations' }]);
  });
});
