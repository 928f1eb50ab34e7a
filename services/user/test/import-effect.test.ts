import { limits, userEvents, userRoutes } from '@portal/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { csv, importsOf } from './import-harness.ts';
import { password, startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** What an import will do is shown before it is applied, and stays to be read afterwards. */

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
beforeEach(async () => newPartner());

const preview = async (...rows: string[]) => imports.run(csv(...rows), { preview: true });

type ChangesQuery = { kind?: 'created' | 'changed' | 'deleted'; q?: string; page?: number; perPage?: number };
async function changes(batchProcessId: number, query: ChangesQuery = {}) {
  const request = { params: { pid: partner.pid }, query: { batchProcessId, ...query } };
  return (await harness.call(userRoutes.listUserImportChanges, request, partner.actor)).body;
}
const namesOf = async (...asked: Parameters<typeof changes>) =>
  (await changes(...asked)).changes.map(({ name }) => name);

async function refusedChanges(query: string) {
  const url = `/v1/partner/partners/${partner.pid}/users/csv/changes?${query}`;
  const { body, status } = await harness.raw({ method: 'GET', url, actor: partner.actor });
  return [status, body.code, body.errors?.[0]?.field];
}

async function refusedApply(batchProcessId: number, body: object = {}) {
  const reply = await harness.raw({
    method: 'POST',
    url: `/v1/partner/partners/${partner.pid}/users/csv/apply`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ batch_process_id: batchProcessId, ...body }),
    actor: partner.actor,
  });
  return [reply.status, reply.body.code, reply.body.errors?.[0]?.field];
}

const people = async () =>
  harness.sql<{ name: string }>('SELECT * FROM accounts WHERE partner_id = $1 ORDER BY id', partner.pid);
const told = async (type: string) =>
  (await harness.events(type)).filter(({ partnerid }) => partnerid === partner.pid).map(({ data }) => data);
const keptChanges = async (importId: number) =>
  (await harness.sql('SELECT 1 FROM import_changes WHERE import_id = $1', importId)).length;

describe('When an import is checked', () => {
  it('then its numbers tell of people, mails and licences', async () => {
    await newPartner({ licenseCount: 10 });
    await partner.user({ name: 'Gone', loginUserId: 'gone' });
    await partner.user({ name: 'Old', loginUserId: 'old' });
    await partner.user({ name: 'Same', loginUserId: 'same' });
    const checked = await preview(
      'A,a@example.com,,,,,0',
      'B,b@example.com,,,,,0',
      `C,,c,${password},,,0`,
      'New,,old,,,,0',
      'Same,,same,,,,0',
      ',,gone,,,,1',
    );
    expect(checked).toMatchObject({
      status: 'checked',
      createCount: 3,
      updateCount: 1,
      unchangedCount: 1,
      deleteCount: 1,
      mailCount: 2,
      unmailedCount: 0,
      licences: { needed: 2, left: 7 },
    });
    await imports.apply(checked.id, { deleteCount: 1 });
    expect(await imports.status(checked.id)).toMatchObject({
      status: 'complete',
      mailCount: 2,
      licences: { needed: 2, left: 5 },
    });
  });

  it('then licences are null where users take none, and what is needed is never less than nothing', async () => {
    await partner.user({ loginUserId: 'gone' });
    expect((await preview(',,gone,,,,1')).licences).toEqual({ needed: 0, left: 999_999 });
    await newPartner({ licenseType: 'device', licenseCount: 0 });
    expect((await preview('A,a@example.com,,,,,0')).licences).toBeNull();
  });

  it('then it tells by line of each who is created, changed and deleted, and from what to what', async () => {
    const sales = await partner.group('Sales');
    const field = await partner.group('Field');
    const old = { name: 'Old', loginUserId: 'jiro', password, json: '{"a":1}', groupIds: [sales] };
    const changed = await partner.user(old);
    const renewed = await partner.user({ name: 'Renewed', loginUserId: 'renewed', password });
    await partner.user({ name: 'Same', loginUserId: 'same', password });
    const gone = await partner.user({ name: 'Gone', email: 'Gone@example.com' });

    const { id } = await preview(
      `Taro,,taro,${password},"{""b"":2}","${sales},${field}",0`,
      'Hanako,hanako@example.com,,,,,0',
      `New,,JIRO,,,"${field},${sales}",0`,
      'Renewed,,renewed,An0ther-one,,,0',
      `Same,,same,${password},,,0`,
      ',gone@example.com,,,,,1',
    );
    const created = [
      {
        line: 2,
        kind: 'created',
        name: 'Taro',
        loginId: 'taro',
        fields: [
          { field: 'name', before: null, after: 'Taro' },
          { field: 'login_user_id', before: null, after: 'taro' },
          { field: 'password', before: null, after: null },
          { field: 'json', before: null, after: '{"b":2}' },
          { field: 'group_ids', before: null, after: `${sales},${field}` },
        ],
      },
      {
        line: 3,
        kind: 'created',
        name: 'Hanako',
        loginId: 'hanako@example.com',
        fields: [
          { field: 'name', before: null, after: 'Hanako' },
          { field: 'email', before: null, after: 'hanako@example.com' },
        ],
      },
    ];
    const others = [
      {
        line: 4,
        kind: 'changed',
        id: changed,
        name: 'Old',
        loginId: 'jiro',
        fields: [
          { field: 'name', before: 'Old', after: 'New' },
          { field: 'login_user_id', before: 'jiro', after: 'JIRO' },
          { field: 'json', before: '{"a":1}', after: null },
          { field: 'group_ids', before: `${sales}`, after: `${sales},${field}` },
        ],
      },
      {
        line: 5,
        kind: 'changed',
        id: renewed,
        name: 'Renewed',
        loginId: 'renewed',
        fields: [{ field: 'password', before: null, after: null }],
      },
      { line: 7, kind: 'deleted', id: gone, name: 'Gone', loginId: 'Gone@example.com', fields: [] },
    ];
    expect(await changes(id)).toEqual({
      currentPage: 1,
      totalPage: 1,
      totalCount: 5,
      changes: [...created.map((row) => ({ ...row, id: null })), ...others],
    });

    await imports.apply(id, { deleteCount: 1 });
    const ids = (await people()).slice(-2).map((person) => Object(person).id);
    expect((await changes(id)).changes).toEqual([
      ...created.map((row, i) => ({ ...row, id: ids[i] })),
      ...others,
    ]);
  });

  it('then a long value is cut, but compared as a whole', async () => {
    const json = (end: string) => `"${'x'.repeat(limits.importValueMaxLength)}${end}"`;
    await partner.user({ name: 'Long', loginUserId: 'long', json: json('a') });
    const { id } = await preview(`Long,,long,,"${json('b').replaceAll('"', '""')}",,0`);
    const cut = `"${'x'.repeat(limits.importValueMaxLength - 1)}…`;
    expect((await changes(id)).changes[0]?.fields).toEqual([{ field: 'json', before: cut, after: cut }]);
  });

  it('then the changes are found by kind and by what somebody looks for, in pages', async () => {
    await partner.user({ name: 'Was Suzuki', loginUserId: 'suzuki' });
    const gone = await partner.user({ name: 'Gone', loginUserId: 'gone' });
    const { id } = await preview(
      'Ito 100%,ito@example.com,,,,,0',
      'Mr. Ito,other@example.com,,,,,0',
      'Is Kato,,suzuki,,,,0',
      ',,gone,,,,1',
      'Sato,sato@example.com,,,,,0',
    );
    expect(await namesOf(id, { kind: 'created' })).toEqual(['Ito 100%', 'Mr. Ito', 'Sato']);
    expect(await namesOf(id, { kind: 'changed' })).toEqual(['Was Suzuki']);
    expect(await namesOf(id, { kind: 'deleted' })).toEqual(['Gone']);
    // The name that somebody gets, that which they had, and the login.
    for (const q of ['KATO', 'was s', 'zuki']) expect(await namesOf(id, { q })).toEqual(['Was Suzuki']);
    expect(await namesOf(id, { q: String(gone) })).toEqual(['Gone']);
    expect(await namesOf(id, { q: '%' })).toEqual(['Ito 100%']);
    expect(await namesOf(id, { q: 'a%o' })).toEqual([]);
    expect(await namesOf(id, { q: 'ito', kind: 'deleted' })).toEqual([]);
    // What begins with it comes first.
    expect(await namesOf(id, { q: 'o' })).toEqual(['Mr. Ito', 'Ito 100%', 'Was Suzuki', 'Gone', 'Sato']);
    expect(await namesOf(id, { q: 'o', page: 2, perPage: 2 })).toEqual(['Was Suzuki', 'Gone']);
    expect(await namesOf(id, { q: 'o', page: 3, perPage: 2 })).toEqual(['Sato']);
    expect(await changes(id, { page: 3, perPage: 2 })).toMatchObject({
      currentPage: 3,
      totalPage: 3,
      totalCount: 5,
      changes: [{ name: 'Sato' }],
    });
    expect(await namesOf(id, { page: 4, perPage: 2 })).toEqual([]);
  });
});

describe('The changes of an import', () => {
  it('are told of one without a preview too, once it is applied', async () => {
    const id = await imports.open();
    expect(await refusedChanges(`batch_process_id=${id}`)).toEqual([400, 'E40034', undefined]);
    await imports.arrive(id, csv('A,a@example.com,,,,,0'));
    await imports.settled(id);
    const [person] = await people();
    expect((await changes(id)).changes).toMatchObject([
      { kind: 'created', id: Object(person).id, name: 'A', fields: [{ before: null, after: 'A' }, {}] },
    ]);
  });

  it('are refused of one whose lines are wrong, and for what cannot be asked', async () => {
    const wrong = await imports.run(csv('A,no address,,,,,0'));
    expect(await refusedChanges(`batch_process_id=${wrong.id}`)).toEqual([400, 'E40034', undefined]);
    const { id } = await preview('A,a@example.com,,,,,0');
    const cases: [string, number, string, string | undefined][] = [
      ['', 400, 'E40003', 'batch_process_id'],
      ['batch_process_id=x', 400, 'E40002', 'batch_process_id'],
      [`batch_process_id=${id + 1000}`, 404, 'E40401', undefined],
      [`batch_process_id=${id}&kind=kept`, 400, 'E40002', 'kind'],
      [`batch_process_id=${id}&q=${'x'.repeat(256)}`, 400, 'E40002', 'q'],
      [`batch_process_id=${id}&per_page=101`, 400, 'E40002', 'per_page'],
    ];
    for (const [query, ...answer] of cases)
      expect([query, ...(await refusedChanges(query))]).toEqual([query, ...answer]);
  });

  it('stay as long as the import is known, and go with it', async () => {
    const { id } = await preview('A,a@example.com,,,,,0');
    await imports.apply(id);
    await imports.open();
    expect(await namesOf(id)).toEqual(['A']);
    harness.clock.advance(limits.importErrorRetention + 1);
    await vi.waitFor(
      async () => {
        harness.clock.advance(600_000);
        await harness.runJobs();
        expect(await refusedChanges(`batch_process_id=${id}`)).toEqual([404, 'E40401', undefined]);
      },
      { timeout: 15_000, interval: 100 },
    );
    expect(await keptChanges(id)).toBe(0);
  });

  it('of large imports are let go earlier, but never those of the last one', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.push((await imports.run(csv(`${name},${name}@example.com,,,,,0`))).id);
    }
    const [first = 0, second = 0, last = 0] = ids;
    await vi.waitFor(
      async () =>
        expect(
          await harness.sql(
            'SELECT 1 FROM user_imports WHERE partner_id = $1 AND object_key IS NOT NULL',
            partner.pid,
          ),
        ).toEqual([]),
      { timeout: 15_000 },
    );
    const large = async (id: number, count: number) =>
      harness.sql('UPDATE user_imports SET change_count = $2 WHERE id = $1', id, count);
    await large(second, limits.importChangesKept - 1);
    await imports.open();
    expect([await keptChanges(first), await keptChanges(second), await keptChanges(last)]).toEqual([0, 1, 1]);
    await large(last, limits.importChangesKept + 1);
    await imports.open();
    expect([await keptChanges(second), await keptChanges(last)]).toEqual([0, 1]);
    expect(await refusedChanges(`batch_process_id=${second}`)).toEqual([404, 'E40401', undefined]);
    expect(await namesOf(last)).toEqual(['c']);
  });
});

describe('When a checked import is to be applied', () => {
  it('then whoever has somebody deleted says how many, and a wrong number leaves it checked', async () => {
    await partner.user({ name: 'A', loginUserId: 'a' });
    await partner.user({ name: 'B', loginUserId: 'b' });
    const { id } = await preview(',,a,,,,1', 'C,c@example.com,,,,,0');
    expect(await refusedApply(id)).toEqual([400, 'E40003', 'delete_count']);
    for (const count of [0, 2]) {
      expect(await refusedApply(id, { delete_count: count })).toEqual([400, 'E40034', 'delete_count']);
    }
    for (const count of [-1, 1.5, '1']) {
      expect(await refusedApply(id, { delete_count: count })).toEqual([400, 'E40002', 'delete_count']);
    }
    expect(await refusedApply(id, { delete_count: 1, send_mails: 'no' })).toEqual([
      400,
      'E40002',
      'send_mails',
    ]);
    expect(await imports.status(id)).toMatchObject({ status: 'checked', deleteCount: 1 });
    expect(await imports.apply(id, { deleteCount: 1 })).toMatchObject({ status: 'complete', deleteCount: 1 });
    expect((await people()).map(({ name }) => name)).toEqual(['B', 'C']);
    expect(await refusedApply(id, { delete_count: 1 })).toEqual([400, 'E40034', undefined]);
  });

  it('then a number is refused where nobody is deleted, except none', async () => {
    const { id } = await preview('C,c@example.com,,,,,0');
    expect(await refusedApply(id, { delete_count: 1 })).toEqual([400, 'E40034', 'delete_count']);
    expect(await imports.apply(id, { deleteCount: 0 })).toMatchObject({ status: 'complete', createCount: 1 });
  });

  it('then of two at once one is refused, and it happens once', async () => {
    await partner.user({ name: 'A', loginUserId: 'a' });
    const { id } = await preview(',,a,,,,1', 'C,c@example.com,,,,,0');
    const answers = await Promise.all(
      Array.from({ length: 2 }, async () => refusedApply(id, { delete_count: 1 })),
    );
    expect(answers.map(([status, code]) => `${status} ${code ?? ''}`).sort()).toEqual(['200 ', '400 E40034']);
    await imports.settled(id);
    expect((await people()).map(({ name }) => name)).toEqual(['C']);
    expect(await told(userEvents.usersImported.type)).toHaveLength(1);
  });

  it('then it does nothing to somebody who has come in the place of the one who was shown', async () => {
    const shown = await partner.user({ name: 'Shown', loginUserId: 'a' });
    const { id } = await preview(',,a,,,,1');
    const request = { params: { pid: partner.pid }, body: { ids: [shown] } };
    await harness.call(userRoutes.deleteUsers, request, partner.actor);
    await partner.user({ name: 'Another', loginUserId: 'a' });
    expect(await imports.apply(id, { deleteCount: 1 })).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining('Users have changed') },
      deleteCount: 0,
      mailCount: 0,
    });
    expect((await people()).map(({ name }) => name)).toEqual(['Another']);
  });
});

describe('When the set-up mails are left out', () => {
  const files = ['New,new@example.com,,,,,0', `Login,,login,${password},,,0`];
  const peopleTold = async () =>
    (await told(userEvents.usersCreated.type)).flatMap(
      (data) => userEvents.usersCreated.data.parse(data).people,
    );
  const mailedAt = async () => {
    const rows = `SELECT name, setup_mail_sent_at AS at FROM accounts WHERE partner_id = $1 ORDER BY name DESC`;
    return (await harness.sql(rows, partner.pid)).map(({ at, name }) => [name, at]);
  };

  it('then whoever mails is told so, and the import tells who got none', async () => {
    const { id } = await preview(...files);
    expect(await imports.apply(id, { sendMails: false })).toMatchObject({
      status: 'complete',
      createCount: 2,
      mailCount: 0,
      unmailedCount: 1,
    });
    expect(await peopleTold()).toMatchObject([
      { name: 'New', hasPassword: false, setupMail: false },
      { name: 'Login', hasPassword: true },
    ]);
    expect((await peopleTold())[1]).not.toHaveProperty('setupMail');
    expect(await mailedAt()).toEqual([
      ['New', null],
      ['Login', null],
    ]);

    // What is told of them later may be heard earlier.
    const newcomer = Number(Object((await people())[0]).id);
    const update = { params: { pid: partner.pid, id: newcomer }, body: { name: 'Renamed' } };
    await harness.call(userRoutes.updateUser, update, partner.actor);
    expect((await told(userEvents.userUpdated.type)).at(-1)).toMatchObject({
      name: 'Renamed',
      setupMail: false,
    });
    await imports.run(csv('Again,new@example.com,,,,,0'));
    expect((await told(userEvents.usersUpdated.type)).at(-1)).toMatchObject({
      people: [{ name: 'Again', setupMail: false }],
    });

    // They can be sent then.
    const selection = { filter: { passwordState: 'none' as const }, expectedCount: 1 };
    const sent = await harness.call(
      userRoutes.sendSetupMails,
      { params: { pid: partner.pid }, body: selection },
      partner.actor,
    );
    expect(sent.body).toEqual({ count: 1, skipped: 0 });
  });

  it('then nobody is told so otherwise', async () => {
    const { id } = await preview(...files);
    expect(await imports.apply(id)).toMatchObject({ mailCount: 1, unmailedCount: 0 });
    for (const person of await peopleTold()) expect(person).not.toHaveProperty('setupMail');
    expect(await mailedAt()).toEqual([
      ['New', expect.any(Date)],
      ['Login', null],
    ]);
  });
});

describe('When nobody applies a checked import', () => {
  it('then it ends by itself after a day, and another may begin at any time', async () => {
    const { id } = await preview('A,a@example.com,,,,,0');
    harness.clock.advance(limits.importRetention - 60_000);
    await harness.runJobs();
    expect((await imports.status(id)).status).toBe('checked');
    await vi.waitFor(
      async () => {
        harness.clock.advance(600_000);
        await harness.runJobs();
        expect(await imports.status(id)).toMatchObject({
          status: 'failed',
          failure: { message: 'The import was cancelled.' },
        });
      },
      { timeout: 15_000, interval: 100 },
    );
    expect(await harness.sql('SELECT 1 FROM import_rows WHERE import_id = $1', id)).toEqual([]);

    const next = await preview('B,b@example.com,,,,,0');
    const another = await imports.open();
    expect((await imports.status(next.id)).failure?.message).toBe(
      'It was given up because another import was begun.',
    );
    await imports.arrive(another, csv('C,c@example.com,,,,,0'));
    expect(await imports.settled(another)).toMatchObject({ status: 'complete', createCount: 1 });
  });
});
