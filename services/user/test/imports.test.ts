import { createPasswordQueue } from '@portal/accounts';
import { userEvents, userRoutes } from '@portal/contracts';
import { changeAccountPassword, openUserImport } from '@portal/contracts/internal';
import { ofPartner } from '@portal/service-kit';
import { partnerActor } from '@portal/testing';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PrismaClient } from '../src/data/generated/client.ts';
import { userEventRows } from '../src/data/import-changes.ts';
import { pieces } from '../src/data/import-plan.ts';
import { csv, importsOf } from './import-harness.ts';
import { password, startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let partner: TestPartner;
let imports: ReturnType<typeof importsOf>;

async function newPartner(contract: Parameters<UserHarness['partner']>[0] = {}) {
  partner = await harness.partner(contract);
  imports = importsOf(harness, partner);
  return partner;
}

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const usersOf = async (pid: number) =>
  harness.sql<{ id: number; name: string; email: string | null; login_user_id: string | null; json: string }>(
    'SELECT * FROM accounts WHERE partner_id = $1 AND is_user ORDER BY id',
    pid,
  );
const namesOf = async (pid: number) => (await usersOf(pid)).map(({ name }) => name);
const groupsOf = async (pid: number) =>
  harness.sql('SELECT account_id, group_id FROM memberships WHERE partner_id = $1 ORDER BY 1, 2', pid);
const eventsOf = async (pid: number) => (await harness.events()).filter(({ partnerid }) => partnerid === pid);
const signOutsOf = async (pid: number) =>
  (await eventsOf(pid))
    .filter(({ type }) => type === 'users.signed_out')
    .map(({ data }) => Object(data).people);
/** The results of the imports of a tenant, as whoever began them is told. */
const endsOf = async (pid: number) =>
  (await eventsOf(pid)).filter(({ type }) => type === 'import.ended').map(({ data }) => Object(data).result);
const stagedOf = async (pid: number) => harness.sql('SELECT 1 FROM import_rows WHERE partner_id = $1', pid);

describe('When a file of users is imported', () => {
  it('then they are made, changed and deleted, with their groups, events and counts', async () => {
    const { pid, group, user } = await newPartner();
    const sales = await group('Sales');
    const field = await group('Field');
    const changed = await user({ name: 'Old', loginUserId: 'jiro', password, groupIds: [sales] });
    const same = await user({ name: 'Same', loginUserId: 'same', password, json: '{}' });
    const gone = await user({ name: 'Gone', email: 'gone@example.com' });
    const before = (await eventsOf(pid)).length;

    const done = await imports.run(
      csv(
        `Taro,,taro,${password},"{""a"":1}","${sales},${field}",0`,
        `Hanako,hanako@example.com,,,"{\r\n""a"":2}",,0`,
        '',
        `New,,JIRO,,,${field},0`,
        'Same,,same,,{},,0',
        ',GONE@example.com,,,,,1',
      ),
    );

    expect(done).toMatchObject({
      status: 'complete',
      phase: null,
      progress: 1,
      lineErrors: [],
      errorCount: 0,
      createUpdateCount: 4,
      createCount: 2,
      updateCount: 1,
      unchangedCount: 1,
      deleteCount: 1,
      failure: null,
    });
    const users = await usersOf(pid);
    expect(users).toMatchObject([
      {
        id: changed,
        name: 'New',
        name_key: 'new',
        login_user_id: 'JIRO',
        login_user_id_key: 'jiro',
        json: null,
      },
      { id: same, name: 'Same' },
      {
        name: 'Taro',
        login_user_id: 'taro',
        json: '{"a":1}',
        role: 0,
        is_user: true,
        created_at: expect.any(Date),
      },
      { name: 'Hanako', email: 'hanako@example.com', password_hash: null, json: '{\r\n"a":2}' },
    ]);
    const taro = users[2]?.id;
    const hanako = users[3]?.id;
    expect(await groupsOf(pid)).toEqual([
      { account_id: changed, group_id: field },
      { account_id: taro, group_id: sales },
      { account_id: taro, group_id: field },
    ]);
    const told = (await eventsOf(pid)).slice(before).map(({ type, data }) => ({ type, data }));
    const ofUsers = [
      {
        type: 'users.created',
        data: {
          partnerId: pid,
          people: [
            {
              userId: taro,
              revision: 1,
              name: 'Taro',
              email: null,
              loginUserId: 'taro',
              role: 0,
              isUser: true,
              groupIds: [sales, field],
              hasPassword: true,
            },
            expect.objectContaining({ userId: hanako, hasPassword: false }),
          ],
        },
      },
      {
        type: 'users.updated',
        data: {
          partnerId: pid,
          people: [
            expect.objectContaining({
              userId: changed,
              revision: 2,
              groupIds: [field],
              hasPassword: true,
              endsSessions: false,
            }),
          ],
        },
      },
      { type: 'users.deleted', data: { partnerId: pid, people: [{ userId: gone }] } },
      {
        type: 'users.signed_out',
        data: { importId: expect.any(Number), people: [{ userId: gone }] },
      },
    ];
    expect(told.slice(0, -2)).toEqual(expect.arrayContaining(ofUsers));
    expect(told).toHaveLength(ofUsers.length + 2);
    const counts = { createCount: 2, updateCount: 1, deleteCount: 1 };
    expect(told.slice(-2)).toEqual([
      { type: userEvents.usersImported.type, data: { importId: done.id, ...counts } },
      {
        type: userEvents.importEnded.type,
        data: {
          importId: done.id,
          openedBy: expect.any(Number),
          result: 'applied',
          errorCount: 0,
          ...counts,
        },
      },
    ]);
    expect(await stagedOf(pid)).toEqual([]);
  });

  it('then they sign in with their passwords', async () => {
    const { pid } = await newPartner();
    await imports.run(csv(`Taro,,taro,${password},,,0`));
    const [taro] = await harness.sql<{ password_hash: string }>(
      'SELECT password_hash FROM accounts WHERE partner_id = $1',
      pid,
    );
    expect(await createPasswordQueue().inBackground.matches(taro?.password_hash ?? null, password)).toBe(
      true,
    );
  });

  it.each([
    ['applied', { preview: false }, { status: 'complete', createCount: 1, updateCount: 1 }],
    ['checked', { preview: true }, { status: 'checked', createCount: 1, updateCount: 1 }],
  ])('then a check that takes longer than a turn is made once, until it is %s', async (_, options, end) => {
    const { pid, user } = await newPartner();
    await user({ name: 'Old', loginUserId: 'old', password });
    await harness.sql(`CREATE FUNCTION check_slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM user_imports WHERE partner_id = ${pid} AND phase = 'checking') THEN PERFORM pg_sleep(3.1); END IF;
      RETURN NULL;
    END $$`);
    await harness.sql(
      'CREATE TRIGGER check_slowly AFTER UPDATE OF action ON import_rows FOR EACH STATEMENT EXECUTE FUNCTION check_slowly()',
    );
    try {
      const file = csv('Old,,old,An0ther-one,,,0', `New,,new,${password},,,0`);
      expect(await imports.run(file, options)).toMatchObject(end);
    } finally {
      await harness.sql('DROP FUNCTION check_slowly CASCADE');
    }
  });

  it('then importing it once more changes nothing, and tells nobody', async () => {
    const { pid, group } = await newPartner();
    const file = csv(`Taro,,taro,${password},,${await group('Sales')},0`, 'Hanako,h@example.com,,,,,0');
    await imports.run(file);
    const users = await usersOf(pid);
    const events = (await eventsOf(pid)).length;
    expect(await imports.run(file)).toMatchObject({ createCount: 0, updateCount: 0, unchangedCount: 2 });
    expect(await usersOf(pid)).toEqual(users);
    expect((await eventsOf(pid)).slice(events).map(({ type }) => type)).toEqual([
      'users.imported',
      'import.ended',
    ]);
  });

  it('then an event tells of five hundred people at most, and of fewer who are in very many groups', async () => {
    const { pid } = await newPartner();
    const importId = await imports.open();
    await harness.sql(
      `INSERT INTO import_rows (import_id, partner_id, line, name, name_key, group_ids, deletes, account_id, action)
       SELECT $1, $2, n, 'Name', 'name', CASE WHEN n > 1000 THEN ARRAY(SELECT generate_series(1, 1000)) ELSE '{}' END,
         false, n, 'create'
       FROM generate_series(1, 1200) n`,
      importId,
      pid,
    );
    const { text, values } = userEventRows({ id: importId, partnerId: pid, sendMails: true }, 'create');
    const events = await harness.sql<{ data: unknown }>(text, ...values);
    const sizes = events.map(({ data }) => userEvents.usersCreated.data.parse(data).people.length);
    expect(sizes.slice(0, 2)).toEqual([500, 500]);
    expect(sizes.length).toBe(4);
    for (const { data } of events) expect(JSON.stringify(data).length).toBeLessThan(500_000);
  });

  it('then no time is spent on lines without rows, of which a file may have very many', async () => {
    const { pid } = await newPartner();
    const id = await imports.open();
    await harness.sql(
      `INSERT INTO import_rows (import_id, partner_id, line, name, name_key, group_ids, deletes)
       SELECT $1, $2, line, 'Name', 'name', '{}', false FROM unnest(ARRAY[2, 400000]) line`,
      id,
      pid,
    );
    const found = await harness
      .openDatabase(PrismaClient)
      .transaction(ofPartner(pid), async (db) => pieces(db, { id, partnerId: pid }));
    expect(found).toEqual([
      [0, 19_999],
      [400_000, 419_999],
    ]);
  });

  it('then a new password ends the sessions of its user', async () => {
    const { pid, user } = await newPartner();
    const id = await user({ name: 'Taro', loginUserId: 'taro', password });
    await imports.run(csv('Taro,,taro,Another-pass-1,,,0'));
    expect((await eventsOf(pid)).find(({ type }) => type === 'users.updated')?.data).toMatchObject({
      people: [{ userId: id, endsSessions: true }],
    });
    expect(await signOutsOf(pid)).toEqual([[{ userId: id, generation: 1, passwordChanged: true }]]);
  });

  it('then a new password of whoever began it leaves the session in which they did', async () => {
    const { pid, user } = await newPartner();
    const [own, other] = [
      await user({ name: 'A', loginUserId: 'a', password }),
      await user({ name: 'B', loginUserId: 'b', password }),
    ];
    const body = { partnerId: pid, openedBy: own, openedIn: 'own-session', preview: false };
    const { importId } = (await harness.callAs('file', openUserImport, { body })).body;
    await imports.arrive(importId, csv('A,,a,Another-pass-1,,,0', 'B,,b,Another-pass-1,,,0'));
    await imports.settled(importId);
    expect(await signOutsOf(pid)).toEqual([
      [
        { userId: own, generation: 1, passwordChanged: true, keptSessionId: 'own-session' },
        { userId: other, generation: 1, passwordChanged: true },
      ],
    ]);
  });

  it('then the devices of whom it deletes are freed', async () => {
    const { pid, user } = await newPartner();
    const id = await user({ loginUserId: 'taro' });
    await harness.sql(
      `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
       VALUES ($1, 'd1', $2, '', 'ios', '1', '1', now())`,
      pid,
      id,
    );
    await imports.run(csv(',,taro,,,,1'));
    // No registration is named, so that all of them end: a deleted user cannot sign in again.
    expect((await eventsOf(pid)).find(({ type }) => type === 'device.removed')?.data).toEqual({
      userId: id,
      uuid: 'd1',
    });
    expect(await harness.sql('SELECT 1 FROM devices WHERE partner_id = $1', pid)).toEqual([]);
  });

  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['Shift-JIS', (text: string) => iconv.encode(text, 'cp932')],
  ])('then it may be written in %s', async (_, encode) => {
    const { pid } = await newPartner();
    const names = ['山田 太郎', '髙橋～①', 'ﾔﾏﾀﾞ'];
    const rows = names.map((name, i) => `${name},user${i}@example.com,,,,,0`);
    expect(await imports.run(encode(csv(...rows)))).toMatchObject({ createCount: 3 });
    expect(await namesOf(pid)).toEqual(names);
  });

  it('then line ends may be of any kind, and the header may say anything', async () => {
    const { pid } = await newPartner();
    await imports.run('名前\nA,a@example.com,,,,,0\r\nB,b@example.com,,,,,0\rC,c@example.com,,,,,0');
    expect(await namesOf(pid)).toEqual(['A', 'B', 'C']);
  });

  it('then cells that were kept from being formulas are as they were', async () => {
    const { pid } = await newPartner();
    await imports.run(csv("'=1+1,'-a@example.com,,,,,0", "'+81,,'-b,Passw0rd-1,,,0"));
    expect(await usersOf(pid)).toMatchObject([
      { name: '=1+1', email: '-a@example.com' },
      { name: '+81', login_user_id: '-b' },
    ]);
  });

  it('then licences that it frees are enough for those it takes', async () => {
    const { pid, user } = await newPartner({ licenseCount: 2 });
    await user({ name: 'A', loginUserId: 'a' });
    await user({ name: 'B', loginUserId: 'b' });
    await imports.run(csv('C,c@example.com,,,,,0', ',,a,,,,1'));
    expect(await namesOf(pid)).toEqual(['B', 'C']);
  });

  it('then licences that count devices are not asked for', async () => {
    const { pid } = await newPartner({ licenseType: 'device', licenseCount: 0 });
    await imports.run(csv('A,a@example.com,,,,,0'));
    expect(await namesOf(pid)).toEqual(['A']);
  });
});

describe('While an import waits for others who change the people of its company', () => {
  it('then it says that it is being applied', async () => {
    const { pid } = await newPartner();
    const others = harness
      .sql(
        `WITH held AS MATERIALIZED (SELECT 1 FROM partners WHERE partner_id = $1 FOR UPDATE)
         SELECT pg_sleep(60) FROM held`,
        pid,
      )
      .catch((error: Error) => error.message);
    const id = await imports.open();
    await imports.arrive(id, csv('New,,new,Passw0rd-new,,,0'));

    await vi.waitFor(async () => expect(await imports.status(id)).toMatchObject({ phase: 'applying' }), {
      timeout: 20_000,
      interval: 100,
    });
    expect(await imports.status(id)).toMatchObject({ status: 'processing', progress: 0 });

    await harness.sql(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'WITH held%' AND state = 'active'`,
    );
    expect(await others).toContain('user request');
    expect(await imports.settled(id)).toMatchObject({ status: 'complete', createCount: 1 });
  });
});

describe('When the database has seen few users and rows', () => {
  it('then imports of many are planned for as many as there are', async () => {
    const { user } = await newPartner();
    await user({ name: 'First', email: 'first@example.com' });
    await imports.run(csv('First anew,first@example.com,,,,,0'), { preview: true });
    await harness.sql('ANALYZE import_rows, accounts');

    await newPartner();
    const count = 20_000;
    const rows = (name: string) =>
      Array.from({ length: count }, (_, i) => `${name} ${i},person-${i}@example.com,,,,,0`);
    // A plan for a few looks at each of them for each of them, and is broken off.
    expect(await imports.run(csv(...rows('Person')))).toMatchObject({ createCount: count });
    expect(await imports.run(csv(...rows('Member')))).toMatchObject({ updateCount: count });
  }, 60_000);
});

describe('When lines are wrong', () => {
  it('then every one is told, in the language of the reader, and nothing is applied', async () => {
    const { pid, actor } = await newPartner();
    const before = (await eventsOf(pid)).length;
    const wrong = csv(
      'Fine,fine@example.com,,,,,0',
      ',no,,,{,x,',
      '"Two\nlines",,,,,,0',
      'Eight,e@example.com,,,,,0,',
      'Nul\u0000,n@example.com,,,,,0',
    );
    const done = await imports.run(wrong);
    expect(done).toMatchObject({ status: 'complete', errorCount: 10, createCount: 0, createUpdateCount: 0 });
    expect(done.lineErrors.map(({ code, field, line }) => `${line} ${field} ${code}`)).toEqual([
      '3 delete_flag E40002',
      '3 email E40002',
      '3 group_ids E40002',
      '3 json E40002',
      '3 name E40003',
      '4 email E40006',
      '4 login_user_id E40006',
      '4 name E40002',
      '6 csv E40002',
      '7 name E40002',
    ]);
    expect(done.lineErrors.at(-2)?.message).toBe('Columns needed: 7; columns found: 8.');
    const inJapanese = await imports.status(done.id, 'ja');
    expect(inJapanese.lineErrors.at(-2)?.message).toBe('7列必要ですが、8列あります。');
    expect(await usersOf(pid)).toEqual([]);
    expect(await stagedOf(pid)).toEqual([]);
    // But whoever began it is told.
    expect((await eventsOf(pid)).length).toBe(before + 1);
    expect(await endsOf(pid)).toEqual(['refused']);

    const request = { params: { pid }, query: { batchProcessId: done.id } };
    const { body } = await harness.call(
      userRoutes.exportUserImportErrors,
      { ...request, headers: { 'accept-language': 'ja' } },
      actor,
    );
    const rows: string[][] = parse(body, { bom: true });
    expect(rows).toHaveLength(11);
    expect(rows.at(-2)).toEqual(['6', 'csv', 'E40002', '7列必要ですが、8列あります。']);
    expect((await eventsOf(pid)).at(-1)?.data).toMatchObject({ operation: 'exportUserImportErrors' });
  });

  const cases: [string, string[], string][] = [
    [
      'the same address twice',
      ['A,a@example.com,,,,,0', 'B,A@EXAMPLE.com,,,,,0'],
      '3 email E40002 It is the same user as in line 2.',
    ],
    [
      'the same login id twice',
      [`A,,a,${password},,,0`, ',,A,,,,1'],
      '3 login_user_id E40002 It is the same user as in line 2.',
    ],
    [
      'groups that are not there',
      ['A,a@example.com,,,,"99999,0,99998",0'],
      '2 group_ids E40404 There is no group with this ID: 0, 99998, 99999',
    ],
    [
      'the group of everyone',
      ['A,a@example.com,,,,0,0'],
      '2 group_ids E40404 There is no group with this ID: 0',
    ],
    [
      'an id beyond all ids',
      ['A,a@example.com,,,,999999999999,0'],
      '2 group_ids E40404 There is no group with this ID: 2147483647',
    ],
    ['nobody to delete', [',,nobody,,,,1'], '2 login_user_id E40403 Not found.'],
    ['a new login id without a password', ['A,,a,,,,0'], '2 password E40007 This field is required.'],
    ['a company admin', ['A,admin@example.com,,,,,0'], '2 email E40029 It is already in use.'],
    ['a company admin to delete', [',admin@example.com,,,,,1'], '2 email E40403 Not found.'],
    ['a header that is a row', [], '1 csv E40002 The first line is not a header.'],
  ];
  it.each(cases)('then %s is refused', async (_, rows, expected) => {
    const { pid } = await newPartner();
    await harness.sql(
      `INSERT INTO accounts (partner_id, name, name_key, email, email_key, role, is_user,
         max_device_count_limited_flag, max_device_count, created_at, updated_at)
       VALUES ($1, 'Admin', 'admin', 'admin@example.com', 'admin@example.com', 268435456, false, false, 0, now(), now())`,
      pid,
    );
    const file = rows.length > 0 ? csv(...rows) : 'A,a@example.com,,,,,0\nB,b@example.com,,,,,0';
    const { lineErrors, status } = await imports.run(file);
    expect(status).toBe('complete');
    expect(lineErrors.map(({ code, field, line, message }) => `${line} ${field} ${code} ${message}`)).toEqual(
      [expected],
    );
    expect(await usersOf(pid)).toEqual([]);
  });

  it('then too few licences are told once, on the first line that no longer fits', async () => {
    const { pid, user } = await newPartner({ licenseCount: 3 });
    await user({ name: 'There', loginUserId: 'there' });
    await user({ name: 'Gone', loginUserId: 'gone' });
    const file = csv(
      'Changed,,there,,,,0',
      ...['a', 'b', 'c', 'd'].map((name) => `${name},${name}@example.com,,,,,0`),
      ',,gone,,,,1',
    );
    const { id, ...done } = await imports.run(file);
    expect(done).toMatchObject({
      status: 'complete',
      errorCount: 1,
      createCount: 0,
      mailCount: 0,
      licences: { needed: 3, left: 1 },
      lineErrors: [
        {
          line: 5,
          field: 'csv',
          code: 'E40008',
          message: 'There are too few licenses: 3 needed, 1 free, 2 short.',
        },
      ],
    });
    expect((await imports.status(id, 'ja')).lineErrors[0]?.message).toBe(
      'ライセンスが2件不足しています（必要: 3件、空き: 1件）。',
    );
    expect(await namesOf(pid)).toEqual(['There', 'Gone']);
  });

  it('then a company with more users than licences may still exchange them', async () => {
    const { pid, user } = await newPartner({ licenseCount: 2 });
    await user({ name: 'A', loginUserId: 'a' });
    await user({ name: 'B', loginUserId: 'b' });
    await harness.sql('UPDATE partners SET license_count = 1 WHERE partner_id = $1', pid);
    const exchanged = await imports.run(csv('C,c@example.com,,,,,0', ',,a,,,,1'));
    expect(exchanged).toMatchObject({ createCount: 1, licences: { needed: 0, left: 0 } });
    const more = await imports.run(csv('D,d@example.com,,,,,0'));
    expect(more).toMatchObject({
      lineErrors: [{ line: 2, code: 'E40008' }],
      licences: { needed: 1, left: 0 },
    });
    expect(await namesOf(pid)).toEqual(['B', 'C']);
  });

  it('then the last admin stays', async () => {
    const { pid, user } = await newPartner();
    await user({ name: 'A', loginUserId: 'a', role: 268_435_456 });
    await user({ name: 'B', loginUserId: 'b', role: 268_435_456 });
    const { lineErrors } = await imports.run(csv(',,a,,,,1', ',,b,,,,1'));
    expect(lineErrors.map(({ code, line }) => `${line} ${code}`)).toEqual(['2 E40031', '3 E40031']);
    await imports.run(csv(',,a,,,,1'));
    expect(await namesOf(pid)).toEqual(['B']);
  });

  it('then whoever began it stays', async () => {
    const { pid, user } = await newPartner();
    const own = await user({ name: 'A', loginUserId: 'a', role: 268_435_456 });
    await user({ name: 'B', loginUserId: 'b', role: 268_435_456 });
    const body = { partnerId: pid, openedBy: own, preview: false };
    const { importId } = (await harness.callAs('file', openUserImport, { body })).body;
    await imports.arrive(importId, csv(',,a,,,,1'));
    const { lineErrors } = await imports.settled(importId, 'ja');
    expect(lineErrors).toEqual([
      { line: 2, field: 'csv', code: 'E40031', message: 'ご自身のアカウントは削除できません。' },
    ]);
    expect(await namesOf(pid)).toEqual(['A', 'B']);
  });

  it('then of very many the first are shown, and all can be had', async () => {
    const { pid, actor } = await newPartner();
    const rows = Array.from({ length: 2500 }, (_, i) => `u,u${i}@example.com,,,,99999,0`);
    const { errorCount, id, lineErrors } = await imports.run(csv(...rows));
    expect([errorCount, lineErrors.length]).toEqual([2500, 100]);
    const request = { params: { pid }, query: { batchProcessId: id } };
    const { body } = await harness.call(userRoutes.exportUserImportErrors, request, actor);
    expect(parse(body, { bom: true })).toHaveLength(2501);
    expect(await usersOf(pid)).toEqual([]);
  });
});

describe('When a file is none that can be imported', () => {
  const utf8 = csv('山田太郎,a@example.com,,,,,0');
  const shiftJis = iconv.encode('山田太郎,b@example.com,,,,,0\r\n', 'cp932');
  const cases: [string, string | Buffer, string, number | null][] = [
    ['one without a byte', '', 'csvEmpty', null],
    ['one of an empty line', '\n', 'csvEmpty', null],
    ['a header alone', csv(), 'csvEmpty', null],
    ['an image', Buffer.from('89504e470d0a1a0a0000000d49484452ff00ff', 'hex'), 'csvEncoding', null],
    ['UTF-16', Buffer.from(`\uFEFF${csv('A,a@example.com,,,,,0')}`, 'utf16le'), 'csvEncoding', null],
    ['one in two encodings', Buffer.concat([Buffer.from(utf8), shiftJis]), 'csvEncoding', null],
    [
      'one in two encodings the other way round',
      Buffer.concat([shiftJis, Buffer.from(utf8)]),
      'csvEncoding',
      null,
    ],
    [
      'half of a surrogate pair in UTF-8, which Shift-JIS would read as something else',
      Buffer.concat([
        Buffer.from(csv()),
        Buffer.from('eda080', 'hex'),
        Buffer.from(',,login-1,Passw0rdx,,,0\n'),
      ]),
      'csvEncoding',
      null,
    ],
    [
      'one with a quote that is never closed',
      csv('A,a@example.com,,,,,0', '"B,b@example.com,,,,,0', 'C'),
      'csvQuote',
      3,
    ],
    ['one with a quote inside of a cell', csv('A "x",a@example.com,,,,,0'), 'csvQuote', 2],
    [
      'one with a record that never ends',
      csv('A,a@example.com,,,,,0', 'x'.repeat(600_000)),
      'csvRecordTooLong',
      3,
    ],
  ];
  const messages: Record<string, [string, string]> = {
    csvEmpty: ['The CSV file has no row of a user.', 'CSVファイルにユーザーの行がありません。'],
    csvEncoding: [
      'The encoding cannot be told. Save the file in UTF-8 or Shift-JIS.',
      '文字コードを判別できません。UTF-8またはShift-JISで保存してください。',
    ],
    csvQuote: [
      'A quotation mark (") is out of place. The file cannot be read as CSV.',
      '引用符（"）の使い方が正しくありません。CSVとして読み込めません。',
    ],
    csvRecordTooLong: [
      'A line is too long. It may not be a CSV file.',
      '1行が長すぎます。CSVファイルではない可能性があります。',
    ],
  };

  it.each(cases)('then %s fails with the reason', async (_, file, reason, line) => {
    const { pid } = await newPartner();
    const failed = await imports.run(file);
    expect(failed).toMatchObject({ status: 'failed', errorCount: 0, lineErrors: [] });
    expect(failed.failure).toEqual({ message: messages[reason]?.[0], line });
    const { failure } = await imports.status(failed.id, 'ja');
    expect(failure?.message).toBe(messages[reason]?.[1]);
    expect(await endsOf(pid)).toEqual(['failed']);
    expect(await usersOf(pid)).toEqual([]);
    expect(await stagedOf(pid)).toEqual([]);
  });

  it('then one that is gone fails, and another can be imported at once', async () => {
    const { pid } = await newPartner();
    const id = await imports.open();
    await harness.storage.delete(await imports.arrive(id, 'x'));
    // The worker may have been quicker than the deletion: either way nothing was imported.
    expect((await imports.settled(id)).status).toBe('failed');
    await imports.run(csv('A,a@example.com,,,,,0'));
    expect(await namesOf(pid)).toEqual(['A']);
  });
});

describe('When an import is to be looked at first', () => {
  it('then a password that is the user’s already is counted as no change', async () => {
    const { pid, actor } = await newPartner();
    const [same, other] = ['A,,a,Passw0rd-a,,,0', 'B,,b,Passw0rd-b,,,0'];
    await imports.run(csv(same, other));
    const file = csv(same, other.replace('Passw0rd-b', 'An0ther-b'), 'C,,c,Passw0rd-c,,,0');
    const counts = { createCount: 1, updateCount: 1, unchangedCount: 1, deleteCount: 0 };
    const checked = await imports.run(file, { preview: true });
    expect(checked).toMatchObject({ status: 'checked', ...counts });
    const body = { batchProcessId: checked.id };
    await harness.call(userRoutes.applyUserImport, { params: { pid }, body }, actor);
    expect(await imports.settled(checked.id)).toMatchObject({ status: 'complete', ...counts });
  });

  it('then it tells what it would do, and does it on the word', async () => {
    const { pid, actor, user } = await newPartner();
    await user({ name: 'A', loginUserId: 'a' });
    const checked = await imports.run(csv('B,b@example.com,,,,,0', 'A2,,a,,,,0'), { preview: true });
    expect(checked).toMatchObject({ status: 'checked', createCount: 1, updateCount: 1, deleteCount: 0 });
    expect(await namesOf(pid)).toEqual(['A']);

    const body = { batchProcessId: checked.id };
    expect((await harness.call(userRoutes.applyUserImport, { params: { pid }, body }, actor)).status).toBe(
      200,
    );
    expect(await imports.settled(checked.id)).toMatchObject({ status: 'complete', createCount: 1 });
    expect(await namesOf(pid)).toEqual(['A2', 'B']);
    const again = await harness.refused(userRoutes.applyUserImport, { params: { pid }, body }, actor);
    expect(again.body.code).toBe('E40034');
  });

  /** The word that a checked import is to be applied, and what came of it. */
  async function applied({ pid, actor }: TestPartner, batchProcessId: number) {
    const request = { params: { pid }, body: { batchProcessId } };
    expect((await harness.call(userRoutes.applyUserImport, request, actor)).status).toBe(200);
    return imports.settled(batchProcessId);
  }

  it('then what has become wrong meanwhile is told, and nothing is applied', async () => {
    const partner = await newPartner();
    const { pid, actor, user } = partner;
    const id = await user({ name: 'A', loginUserId: 'a' });
    const checked = await imports.run(csv('B,b@example.com,,,,,0', 'A2,,a,,,,0'), { preview: true });
    await harness.call(userRoutes.deleteUsers, { params: { pid }, body: { ids: [id] } }, actor);
    expect(await applied(partner, checked.id)).toMatchObject({
      status: 'complete',
      lineErrors: [{ line: 3, field: 'password', code: 'E40007' }],
      createCount: 0,
      updateCount: 0,
    });
    expect(await usersOf(pid)).toEqual([]);
  });

  const changes: [string, (own: TestPartner, id: number) => Promise<unknown>][] = [
    [
      'somebody is deleted whom it would change',
      ({ actor, pid }, id) =>
        harness.call(userRoutes.deleteUsers, { params: { pid }, body: { ids: [id] } }, actor),
    ],
    ['somebody is there whom it would make', ({ user }) => user({ name: 'New', email: 'new@example.com' })],
    [
      'somebody is otherwise whom it would leave as they are',
      ({ actor, pid }, id) =>
        harness.call(userRoutes.updateUser, { params: { pid, id: id + 1 }, body: { name: 'Else' } }, actor),
    ],
    [
      'somebody has another password who had the one of the file',
      ({ pid }, id) =>
        harness.callAs('identity', changeAccountPassword, {
          params: { id: id + 1 },
          body: { partnerId: pid, password: 'An0ther-one' },
        }),
    ],
    [
      'somebody has another password of whom it would change the name alone',
      ({ pid }, id) =>
        harness.callAs('identity', changeAccountPassword, {
          params: { id },
          body: { partnerId: pid, password: 'An0ther-one' },
        }),
    ],
    [
      'somebody has joined a group of whom it would change the name alone',
      async ({ actor, group, pid }, id) => {
        const body = { groupIds: [await group('Sales')] };
        return harness.call(userRoutes.updateUser, { params: { pid, id }, body }, actor);
      },
    ],
  ];
  it.each(changes)('then nothing is applied on the word when %s meanwhile', async (_, change) => {
    const partner = await newPartner();
    const { pid, user } = partner;
    const id = await user({ name: 'Changed', loginUserId: 'changed', password });
    expect(await user({ name: 'Same', loginUserId: 'same', password })).toBe(id + 1);
    const file = csv(
      'New,new@example.com,,,,,0',
      `Anew,,changed,${password},,,0`,
      `Same,,same,${password},,,0`,
    );
    const counts = { createCount: 1, updateCount: 1, unchangedCount: 1, deleteCount: 0 };
    const checked = await imports.run(file, { preview: true });
    expect(checked).toMatchObject({ status: 'checked', ...counts });
    await change(partner, id);
    const toldOf = async () => (await eventsOf(pid)).filter(({ type }) => type.startsWith('user'));
    const before = [await usersOf(pid), await toldOf()];

    const refused = await applied(partner, checked.id);
    expect(refused).toMatchObject({
      status: 'failed',
      failure: {
        message: expect.stringContaining('Users have changed since the file was checked'),
        line: null,
      },
      createUpdateCount: 0,
      deleteCount: 0,
      errorCount: 0,
    });
    expect((await imports.status(checked.id, 'ja')).failure?.message).toContain('ユーザーが変更されたため');
    expect([await usersOf(pid), await toldOf()]).toEqual(before);
    expect(await stagedOf(pid)).toEqual([]);

    // Checked again it tells what is true now, and does that.
    const again = await imports.run(file, { preview: true });
    const { createCount, deleteCount, unchangedCount, updateCount } = again;
    expect(await applied(partner, again.id)).toMatchObject({
      status: 'complete',
      ...{ createCount, deleteCount, unchangedCount, updateCount },
    });
  });

  it('then a word that comes before the stage is lost in a crash is kept all the same', async () => {
    const partner = await newPartner();
    const { pid, user } = partner;
    await user({ name: 'Same', loginUserId: 'same', password });
    const file = csv(`Same,,same,${password},,,0`, `New,,new,${password},,,0`);
    const { id } = await imports.run(file, { preview: true });
    await harness.sql('DELETE FROM import_rows WHERE import_id = $1', id);
    expect(await applied(partner, id)).toMatchObject({
      status: 'complete',
      createCount: 1,
      unchangedCount: 1,
      updateCount: 0,
    });
    expect(await namesOf(pid)).toEqual(['Same', 'New']);
  });

  it('then it can be cancelled, and nothing of it stays', async () => {
    const { pid, actor } = await newPartner();
    const { id } = await imports.run(csv('B,b@example.com,,,,,0'), { preview: true });
    const request = { params: { pid }, body: { batchProcessId: id } };
    expect((await harness.call(userRoutes.cancelUserImport, request, actor)).status).toBe(200);
    expect(await imports.status(id)).toMatchObject({
      status: 'failed',
      failure: { message: 'The import was cancelled.' },
    });
    expect(await stagedOf(pid)).toEqual([]);
    const again = await harness.refused(userRoutes.cancelUserImport, request, actor);
    expect(again.body.code).toBe('E40034');
  });
});

describe('When another import is opened', () => {
  it('then one without its file gives way, and its file comes to nothing', async () => {
    const { pid } = await newPartner();
    const first = await imports.open();
    const second = await imports.open();
    await imports.arrive(first, csv('First,a@example.com,,,,,0'));
    expect(await imports.status(first)).toMatchObject({
      status: 'failed',
      failure: { message: 'It was given up because another import was begun.' },
    });
    await imports.arrive(second, csv('Second,a@example.com,,,,,0'));
    await imports.settled(second);
    expect(await namesOf(pid)).toEqual(['Second']);
  });

  it('then it is refused with E40010 while one is under way', async () => {
    const { actor, pid } = await newPartner();
    const id = await imports.open();
    await harness.sql(`UPDATE user_imports SET status = 'ready' WHERE id = $1`, id);
    const body = { partnerId: pid, openedBy: actor.id, preview: false };
    expect((await harness.callAs('file', openUserImport, { body })).body).toMatchObject({ code: 'E40010' });
  });

  it('then of two at one moment one is refused', async () => {
    const { actor, pid } = await newPartner();
    const body = { partnerId: pid, openedBy: actor.id, preview: false };
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => harness.callAs('file', openUserImport, { body })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await harness.sql('SELECT 1 FROM user_imports WHERE partner_id = $1 AND live', pid)).toHaveLength(
      1,
    );
  });
});

describe('When a worker dies', () => {
  it('then another one takes the import from the beginning, once its lease is over', async () => {
    const { pid } = await newPartner();
    const id = await imports.open();
    // A worker claimed it, staged a row and died.
    await harness.sql(`UPDATE user_imports SET status = 'failed', live = NULL WHERE id = $1`, id);
    const objectKey = await imports.arrive(id, csv('A,a@example.com,,,,,0', 'B,b@example.com,,,,,0'));
    await harness.sql(
      `INSERT INTO import_rows (import_id, partner_id, line, name, name_key, email, email_key, group_ids, deletes)
       VALUES ($1, $2, 2, 'Half', 'half', 'a@example.com', 'a@example.com', '{}', false)`,
      id,
      pid,
    );
    await harness.sql(
      `UPDATE user_imports SET status = 'ready', live = true, object_key = $2, size = 100 WHERE id = $1`,
      id,
      objectKey,
    );
    await harness.sql(
      `INSERT INTO messaging.task (queue, id, partner_id, payload, attempts, added_at, due_at, lease)
       VALUES ('import-small-files', $1::integer, $2, jsonb_build_object('id', $1::integer, 'partnerId', $2::integer), 1,
         $3::timestamptz, $3::timestamptz + interval '60 s', gen_random_uuid())`,
      id,
      pid,
      harness.clock.now(),
    );
    expect((await imports.status(id)).status).toBe('processing');
    harness.clock.advance(61_000);
    expect(await imports.settled(id)).toMatchObject({ status: 'complete', createCount: 2 });
    expect(await namesOf(pid)).toEqual(['A', 'B']);
  });

  it('then one of the version before is taken over', async () => {
    const { pid } = await newPartner();
    const id = await imports.open();
    await harness.sql(`UPDATE user_imports SET status = 'failed', live = NULL WHERE id = $1`, id);
    const objectKey = await imports.arrive(id, csv('A,a@example.com,,,,,0'));
    await harness.sql(
      `UPDATE user_imports SET status = 'ready', live = true, object_key = $2, size = 100, attempt = 1, leased_until = $3
       WHERE id = $1`,
      id,
      objectKey,
      harness.clock.now(),
    );
    expect(await imports.settled(id)).toMatchObject({ status: 'complete', createCount: 1 });
    expect(await namesOf(pid)).toEqual(['A']);
    // The worker that had it has lost it, and no worker of the earlier version claims it again.
    const [left] = await harness.sql('SELECT attempt, leased_until FROM user_imports WHERE id = $1', id);
    expect(left).toEqual({ attempt: 2, leased_until: null });
  });

  it('then what it had staged whole is not read again', async () => {
    const { pid, actor } = await newPartner();
    const { id } = await imports.run(csv('A,a@example.com,,,,,0'), { preview: true });
    const [{ object_key: key } = { object_key: '' }] = await harness.sql<{ object_key: string }>(
      'SELECT object_key FROM user_imports WHERE id = $1',
      id,
    );
    await harness.storage.delete(key);
    await harness.call(userRoutes.applyUserImport, { params: { pid }, body: { batchProcessId: id } }, actor);
    expect(await imports.settled(id)).toMatchObject({ status: 'complete', createCount: 1 });
  });

  it('then rows that a crash of the database has lost are read again', async () => {
    const { pid, actor } = await newPartner();
    const { id } = await imports.run(csv('A,a@example.com,,,,,0'), { preview: true });
    await harness.sql('DELETE FROM import_rows WHERE import_id = $1', id);
    await harness.call(userRoutes.applyUserImport, { params: { pid }, body: { batchProcessId: id } }, actor);
    expect(await imports.settled(id)).toMatchObject({ status: 'complete', createCount: 1 });
    expect(await namesOf(pid)).toEqual(['A']);
  });
});

describe('An import', () => {
  it('is its tenant’s alone, and an admin’s', async () => {
    const { pid, actor } = await newPartner();
    const { id } = await imports.run(csv('A,a@example.com,,,,,0'), { preview: true });
    const { pid: otherPid, actor: stranger } = await harness.partner();
    const query = { batchProcessId: id };
    const body = query;
    for (const [route, request] of [
      [userRoutes.getUserImport, { query }],
      [userRoutes.exportUserImportErrors, { query }],
      [userRoutes.listUserImportChanges, { query }],
      [userRoutes.applyUserImport, { body }],
      [userRoutes.cancelUserImport, { body }],
    ] as const) {
      const foreign = await harness.refused(route, { params: { pid: otherPid }, ...request }, stranger);
      expect([route.id, foreign.body.code]).toEqual([route.id, 'E40401']);
      const developer = partnerActor({ partnerId: pid, role: 16 });
      const refused = await harness.refused(route, { params: { pid }, ...request }, developer);
      expect([route.id, refused.body.code]).toEqual([route.id, 'E40301']);
    }
    const unnamed = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/${pid}/users/csv/status`,
      actor,
    });
    expect(unnamed.body).toMatchObject({ code: 'E40003', errors: [{ field: 'batch_process_id' }] });
  });

  it('keeps passwords sealed on its stage, and its file no longer than it needs', async () => {
    const { pid } = await newPartner();
    const id = await imports.open(true);
    const key = await imports.arrive(id, csv(`A,,a,${password},,,0`));
    await imports.settled(id);
    const [row] = await harness.sql<{ sealed_password: string }>(
      'SELECT sealed_password FROM import_rows WHERE partner_id = $1',
      pid,
    );
    expect(row?.sealed_password).toEqual(expect.any(String));
    expect(row?.sealed_password).not.toContain(password);
    const { actor } = partner;
    await harness.call(userRoutes.applyUserImport, { params: { pid }, body: { batchProcessId: id } }, actor);
    await imports.settled(id);
    await expect.poll(async () => harness.storage.head(key)).toBeUndefined();
  });
});
