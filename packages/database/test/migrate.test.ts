import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newMigration } from '../src/author.ts';
import {
  assertMigrated,
  assertNoDrift,
  enterScope,
  migrate,
  migrationsDir,
  provisionDatabase,
  serviceUrl,
  withClient,
} from '../src/index.ts';
import { fixtureDir } from './fixture.ts';

let dir: string;
let count = 0;
let service: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'portal-migrate-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
beforeEach(() => {
  service = `migrate_${process.pid}_${++count}`;
});

const provision = () =>
  provisionDatabase({
    adminUrl: inject('postgresAdminUrl'),
    service,
    password: 'a b/c?@:#',
    ownerPassword: 'the owner',
  });

async function directory(migrations: Record<string, string>): Promise<string> {
  const made = await mkdtemp(join(dir, 'set-'));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(made, name));
    await writeFile(join(made, name, 'migration.sql'), sql);
  }
  return made;
}

describe('provisioning', () => {
  test('by several instances at once, and again, makes one database that others may not enter', async () => {
    const [first, ...others] = await Promise.all([provision(), provision(), provision()]);
    const again = await provision();
    for (const other of [...others, again]) expect(other).toEqual(first);
    await withClient(first?.url ?? '', async (client) => {
      const { rows } = await client.query(
        'SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user',
      );
      expect(rows).toEqual([
        { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false },
      ]);
    });
    const mine = new URL(first?.url ?? '');
    service = `${service}_other`;
    const foreign = new URL((await provision()).url);
    foreign.pathname = mine.pathname;
    await expect(withClient(foreign.href, (client) => client.query('SELECT 1'))).rejects.toThrow(
      'permission denied',
    );
  });

  test('gives a service a password that opens neither its owner nor anything of another service', async () => {
    const adminUrl = inject('postgresAdminUrl');
    const of = (name: string) =>
      provisionDatabase({
        adminUrl,
        service: name,
        password: `${name} role`,
        ownerPassword: `${name} owner`,
      });
    const [mine, other] = await Promise.all([of(service), of(`${service}_other`)]);
    const enter = (url: string, password: string) => {
      const changed = new URL(url);
      changed.password = encodeURIComponent(password);
      return withClient(changed.href, async (client) => (await client.query('SELECT 1')).rowCount);
    };
    expect(await enter(mine.url, `${service} role`)).toBe(1);
    for (const url of [mine.ownerUrl, other.url, other.ownerUrl])
      await expect(enter(url, `${service} role`)).rejects.toThrow('password authentication failed');
    // Nor does it lead to the owner from within.
    await withClient(mine.url, async (client) => {
      await expect(client.query(`SET ROLE portal_${service}_owner`)).rejects.toThrow('permission denied');
      await expect(client.query('CREATE TABLE mine (id int)')).rejects.toThrow('permission denied');
      await expect(client.query('CREATE ROLE portal_more')).rejects.toThrow('permission denied');
    });
  });

  test('keeps what else an address says, such as how TLS is checked', () => {
    expect(serviceUrl('postgresql://db.example.com:5432/?sslmode=verify-full', 'file', 'a b')).toBe(
      'postgresql://portal_file:a%20b@db.example.com:5432/portal_file?sslmode=verify-full',
    );
  });

  test('gives the roles of a database of before the passwords that are new', async () => {
    const adminUrl = inject('postgresAdminUrl');
    const before = await provisionDatabase({
      adminUrl,
      service,
      password: 'shared',
      ownerPassword: 'shared',
    });
    const after = await provisionDatabase({ adminUrl, service, password: 'role', ownerPassword: 'owner' });
    for (const url of [before.url, before.ownerUrl])
      await expect(withClient(url, async () => undefined)).rejects.toThrow('password authentication failed');
    for (const url of [after.url, after.ownerUrl]) await withClient(url, async () => undefined);
  });
});

describe('migrating', () => {
  test('a service sees whether its database has had its migrations, and has none of the rights to apply them', async () => {
    const { ownerUrl, url } = await provision();
    const first = await directory({ '20260101000000_a': 'CREATE TABLE a (id int);' });
    const next = await directory({
      '20260102000000_b': 'CREATE TABLE b (id int);',
      '20260103000000_c': 'CREATE TABLE c (id int);',
    });
    await expect(assertMigrated({ url, directories: [first] })).rejects.toThrow('0000_guard');
    await expect(migrate({ url, directories: [first] })).rejects.toThrow('permission denied');
    await migrate({ url: ownerUrl, directories: [first] });
    await assertMigrated({ url, directories: [first] });
    await expect(assertMigrated({ url, directories: [first, next] })).rejects.toThrow(
      'it lacks the migration 20260102000000_b and 1 more',
    );
    await migrate({ url: ownerUrl, directories: [first, next] });
    // The version before goes on with what a newer one has added.
    await assertMigrated({ url, directories: [first] });
  });

  test('applies several directories in the order of names, once, by one of many instances', async () => {
    const { ownerUrl: url, url: roleUrl } = await provision();
    const a = await directory({
      '20260101000000_first': 'CREATE TABLE public.log (id serial PRIMARY KEY, line text);',
      '20260103000000_third': `
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.log (line) VALUES ('a;b'); RETURN NULL; END; $$;
        INSERT INTO public.log (line) VALUES ('third; still');`,
    });
    const b = await directory({
      '20260102000000_second': `CREATE SCHEMA messaging; CREATE TABLE messaging.outbox (id serial PRIMARY KEY);
        INSERT INTO public.log (line) VALUES ('second');`,
    });
    const results = await Promise.all([1, 2, 3].map(() => migrate({ url, directories: [a, b] })));
    expect(results.flat()).toEqual([
      '0000_guard',
      '20260101000000_first',
      '20260102000000_second',
      '20260103000000_third',
    ]);
    expect(await migrate({ url, directories: [b, a] })).toEqual([]);
    await withClient(roleUrl, async (client) => {
      await enterScope(client, roleUrl, { kind: 'system', why: 'test' });
      expect((await client.query('SELECT line FROM log ORDER BY id')).rows).toEqual([
        { line: 'second' },
        { line: 'third; still' },
      ]);
      await client.query('INSERT INTO messaging.outbox DEFAULT VALUES');
    });
  });

  test('a failure leaves nothing of its migration, and the next start tries again', async () => {
    const { ownerUrl: url } = await provision();
    const set = await directory({
      '20260101000000_good': 'CREATE TABLE good (id int);',
      '20260102000000_bad': 'CREATE TABLE half (id int); SELECT 1 / 0;',
    });
    await expect(migrate({ url, directories: [set] })).rejects.toThrow(
      /20260102000000_bad.*division by zero/s,
    );
    await writeFile(join(set, '20260102000000_bad', 'migration.sql'), 'CREATE TABLE half (id int);');
    expect(await migrate({ url, directories: [set] })).toEqual(['20260102000000_bad']);
  });

  test('an applied migration that was edited is refused', async () => {
    const { ownerUrl: url } = await provision();
    const set = await directory({ '20260101000000_a': 'CREATE TABLE a (id int);' });
    await migrate({ url, directories: [set] });
    await writeFile(join(set, '20260101000000_a', 'migration.sql'), 'CREATE TABLE a (id bigint);');
    await expect(migrate({ url, directories: [set] })).rejects.toThrow('was edited after it was applied');
  });
});

describe('authoring', () => {
  test('the fixture has no drift; a change is reported and written', async () => {
    await assertNoDrift(fixtureDir);
    const copy = join(dir, 'service');
    await cp(join(fixtureDir, 'prisma'), join(copy, 'prisma'), { recursive: true });
    const schemaFile = join(copy, 'prisma', 'schema.prisma');
    const schema = await readFile(schemaFile, 'utf8');
    await writeFile(
      schemaFile,
      `${schema}\nmodel Note {\n  id Int @id @default(autoincrement())\n  partnerId Int @map("partner_id")\n  @@map("notes")\n}\n`,
    );
    await expect(assertNoDrift(copy)).rejects.toThrow('CREATE TABLE "notes"');
    const file = await newMigration(copy, 'notes', new Date('2026-02-03T04:05:06Z'));
    expect(await readdir(migrationsDir(copy))).toContain('20260203040506_notes');
    expect(await readFile(file ?? '', 'utf8')).toContain('CREATE TABLE "notes"');
    await assertNoDrift(copy);
    expect(await newMigration(copy, 'nothing', new Date())).toBeUndefined();
  });
});
