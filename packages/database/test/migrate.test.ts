import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newMigration } from '../src/author.ts';
import {
  assertNoDrift,
  enterScope,
  migrate,
  migrationsDir,
  provisionDatabase,
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
  provisionDatabase({ adminUrl: inject('postgresAdminUrl'), service, password: 'a b/c?@:#' });

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
});

describe('migrating', () => {
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
      await enterScope(client, roleUrl, { kind: 'system' });
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
  test('the fixture has no drift; a change is told and written', async () => {
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
