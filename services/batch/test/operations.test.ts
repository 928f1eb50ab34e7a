import {
  adminRoleBits,
  type EventData,
  operationEvents,
  operationRoutes,
  tenantEvents,
  userEvents,
} from '@portal/contracts';
import {
  adminActor,
  partnerActor,
  playerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchService } from '../src/service.ts';

/** The operation log as the screen asks for it. */

const { listAllOperationLogs, listOperationLogs } = operationRoutes;
type Logged = EventData<typeof operationEvents.operationLogged>;
const example: Logged = { ...operationEvents.operationLogged.example, accountKind: 'account' };
let harness: ServiceHarness;
let count = 0;

/** An entry, a second after the one before. */
async function log(partnerId: number | null, data: Partial<Logged>): Promise<void> {
  count += 1;
  const at = new Date(Date.UTC(2026, 10, 21, 9, 0, count)).toISOString();
  await harness.deliver(operationEvents.operationLogged, {
    subject: example.requestId,
    partnerId,
    data: { ...example, at, ...data },
  });
}

beforeAll(async () => {
  harness = await startServiceHarness(batchService);
  const { example: user } = userEvents.userCreated;
  const { example: partner } = tenantEvents.partnerCreated;
  for (const partnerId of [1, 2]) {
    await harness.deliver(tenantEvents.partnerCreated, {
      subject: partnerId,
      partnerId,
      data: { ...partner, partnerId, unitId: partnerId },
    });
  }
  const people = [
    { partnerId: 1, userId: 1, name: '山田 太郎', email: 'Taro@example.com', loginUserId: null },
    { partnerId: 1, userId: 2, name: 'Hana 100%', email: null, loginUserId: 'hana' },
    { partnerId: 2, userId: 9, name: 'Stranger', email: null, loginUserId: 'stranger' },
  ];
  for (const { partnerId, ...person } of people) {
    await harness.deliver(userEvents.userCreated, {
      subject: person.userId,
      partnerId,
      data: { ...user, ...person },
    });
  }
  await log(1, {
    accountId: 1,
    operation: 'createGroup',
    targetKind: 'group',
    targetIds: [3],
    targetName: 'Sales',
  });
  await log(1, {
    accountId: 1,
    operation: 'deleteGroup',
    targetKind: 'group',
    targetIds: [3],
    targetName: 'Sales',
    result: 'E40027',
  });
  await log(1, {
    accountId: 2,
    operation: 'deleteUsers',
    targetKind: 'user',
    targetIds: [2, 3],
    targetName: null,
    result: '200',
  });
  await log(1, {
    accountId: 1,
    operation: 'updateUser',
    targetKind: 'user',
    targetIds: [2],
    targetName: null,
    result: '200',
  });
  await log(1, {
    accountKind: null,
    accountId: null,
    role: null,
    operation: 'partnerLogin',
    login: 'Mistyped',
    result: 'E40101',
    targetKind: undefined,
    targetIds: undefined,
    targetName: undefined,
  });
  await log(2, {
    accountId: 9,
    operation: 'createGroup',
    targetKind: 'group',
    targetIds: [3],
    targetName: 'Theirs',
  });
  await log(null, {
    accountKind: 'admin',
    accountId: 5,
    operation: 'adminLogin',
    targetKind: 'admin',
    targetIds: [5],
    targetName: null,
    result: 'E50001',
  });
});
afterAll(async () => harness.stop());

async function operationsOf(query: Record<string, unknown> = {}): Promise<string[]> {
  const { body, status } = await harness.call(
    listOperationLogs,
    { params: { pid: 1 }, query },
    partnerActor(),
  );
  expect(status).toBe(200);
  return body.operationLogs.map(({ operation }) => operation);
}

describe('The operation log of a tenant', () => {
  test('has its entries alone, newest first, with who, what and what became of it', async () => {
    const { body } = await harness.call(
      listOperationLogs,
      { params: { pid: 1 }, headers: { 'accept-language': 'ja' } },
      partnerActor(),
    );
    expect(body.next).toBeNull();
    expect(body.operationLogs.map(({ code, target, text, who }) => [who, target, text, code])).toEqual([
      [
        { kind: null, id: null, name: null, login: 'Mistyped' },
        { kind: null, id: null, name: null },
        expect.stringMatching(/^ログインが拒否されました: ./),
        'E40101',
      ],
      [
        { kind: 'user', id: 1, name: '山田 太郎', login: 'Taro@example.com' },
        { kind: 'user', id: 2, name: 'Hana 100%' },
        'ユーザーの編集',
        null,
      ],
      [
        { kind: 'user', id: 2, name: 'Hana 100%', login: 'hana' },
        { kind: 'user', id: null, name: null },
        'ユーザーの削除',
        null,
      ],
      [
        { kind: 'user', id: 1, name: '山田 太郎', login: 'Taro@example.com' },
        { kind: 'group', id: 3, name: 'Sales' },
        'グループの削除が拒否されました: グループにユーザーが所属しています。',
        'E40027',
      ],
      [expect.anything(), { kind: 'group', id: 3, name: 'Sales' }, 'グループの作成', null],
    ]);
  });

  test('speaks the language of the caller', async () => {
    const headers = { 'accept-language': 'en' };
    const { body } = await harness.call(
      listOperationLogs,
      { params: { pid: 1 }, query: { operation: 'deleteGroup' }, headers },
      partnerActor(),
    );
    expect(body.operationLogs.map(({ text }) => text)).toEqual([
      'Deletion of a group refused: The group has users.',
    ]);
  });

  test.each([
    ['a part of the name, ignoring case', { q: 'HANA' }, ['deleteUsers']],
    ['a part of the login, ignoring case', { q: 'taro@EX' }, ['updateUser', 'deleteGroup', 'createGroup']],
    ['what somebody unknown typed', { q: 'mist' }, ['partnerLogin']],
    ['a percent sign as a letter', { q: '0%' }, ['deleteUsers']],
    ['an underscore as a letter', { q: 'h_na' }, []],
    ['somebody of another tenant', { q: 'Stranger' }, []],
    ['several operations', { operation: 'createGroup,updateUser' }, ['updateUser', 'createGroup']],
    ['what succeeded', { result: 'ok' }, ['updateUser', 'deleteUsers', 'createGroup']],
    ['what was refused', { result: 'refused' }, ['partnerLogin', 'deleteGroup']],
    ['a kind of target', { targetKind: 'group' }, ['deleteGroup', 'createGroup']],
    ['one target, among many too', { targetKind: 'user', targetId: 2 }, ['updateUser', 'deleteUsers']],
    ['from a time on', { start: '2026-11-21T09:00:04Z' }, ['partnerLogin', 'updateUser']],
    ['before a time', { end: '2026-11-21T09:00:03Z' }, ['deleteGroup', 'createGroup']],
  ])('is filtered by %s', async (_, query, operations) => {
    expect(await operationsOf(query)).toEqual(operations);
  });

  test('is read page by page, each entry once', async () => {
    const seen: string[] = [];
    const pageAfter = async (after: string | null): Promise<string | null> => {
      const query = { perPage: 2, ...(after !== null && { after }) };
      const { body } = await harness.call(listOperationLogs, { params: { pid: 1 }, query }, partnerActor());
      seen.push(...body.operationLogs.map(({ operation }) => operation));
      return body.next;
    };
    const second = await pageAfter(await pageAfter(null));
    expect(await pageAfter(second)).toBeNull();
    expect(seen).toEqual(['partnerLogin', 'updateUser', 'deleteUsers', 'deleteGroup', 'createGroup']);
  });

  test('stays true where very many people are meant', async () => {
    const { example: user } = userEvents.userCreated;
    for (let first = 1_000; first <= 2_000; first += 500) {
      const people = Array.from({ length: 500 }, (_, index) => ({
        ...user,
        userId: first + index,
        name: 'Crowd',
      }));
      await harness.deliver(userEvents.usersCreated, {
        subject: first,
        partnerId: 1,
        data: { partnerId: 1, people },
      });
    }
    await log(1, { accountId: 1_500, operation: 'updateGroup', result: '200' });
    expect(await operationsOf({ q: 'crowd' })).toEqual(['updateGroup']);
  });

  test.each([
    ['q', { q: 'x'.repeat(256) }],
    ['operation', { operation: 'createGroup;drop' }],
    ['result', { result: 'maybe' }],
    ['after', { after: 'yesterday' }],
    ['target_kind', { targetKind: 'planet' }],
    ['target_id', { targetId: 0 }],
    ['start', { start: 'yesterday' }],
    ['per_page', { perPage: 101 }],
  ])('refuses a wrong %s', async (field, query) => {
    const { body, status } = await harness.refused(
      listOperationLogs,
      { params: { pid: 1 }, query: query as object },
      partnerActor(),
    );
    expect([status, body.code, body.errors.map((error) => error.field)]).toEqual([400, 'E40002', [field]]);
  });

  test('is for its company admins, and for administrators of partners who reach it', async () => {
    const asked = { params: { pid: 1 } };
    const developer = partnerActor({ role: 2 });
    expect((await harness.refused(listOperationLogs, asked, developer)).body.code).toBe('E40301');
    expect((await harness.refused(listOperationLogs, asked, playerActor({ accountId: 1 }))).body.code).toBe(
      'E40301',
    );
    const reads = async (actor: ReturnType<typeof adminActor>) => {
      const { body } = await harness.call(listOperationLogs, { ...asked, query: { perPage: 100 } }, actor);
      return new Set(body.operationLogs.map(({ target }) => target.name));
    };
    const { body } = await harness.call(
      listOperationLogs,
      { ...asked, query: { perPage: 100 } },
      partnerActor(),
    );
    const own = new Set(body.operationLogs.map(({ target }) => target.name));
    expect(own).toContain('Sales');
    expect(await reads(adminActor())).toEqual(own);
    expect(await reads(adminActor({ role: adminRoleBits.partnerAdministration, unitId: 1 }))).toEqual(own);
    const without = adminActor({ role: 127 - adminRoleBits.partnerAdministration });
    expect((await harness.refused(listOperationLogs, asked, without)).body.code).toBe('E40301');
    const ofOtherUnit = adminActor({ unitId: 2 });
    expect((await harness.refused(listOperationLogs, asked, ofOtherUnit)).body.code).toBe('E40402');
    const other = partnerActor({ partnerId: 2 });
    expect((await harness.refused(listOperationLogs, asked, other)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('The operation log of administrators', () => {
  const all = async (actor: ReturnType<typeof adminActor>) => {
    const { body } = await harness.call(listAllOperationLogs, { query: { perPage: 100 } }, actor);
    return new Set(body.operationLogs.map(({ operation, target }) => `${operation} ${target.name}`));
  };

  test('has the entries of everyone for the platform', async () => {
    const seen = await all(adminActor());
    expect(seen).toContain('adminLogin null');
    expect(seen).toContain('createGroup Sales');
    expect(seen).toContain('createGroup Theirs');
  });

  test('has those of its partners for a unit', async () => {
    const seen = await all(adminActor({ unitId: 2, adminId: 7 }));
    expect(seen).toEqual(new Set(['createGroup Theirs']));
  });

  test('says that something failed for no fault of the caller', async () => {
    const { body } = await harness.call(
      listAllOperationLogs,
      { query: { operation: 'adminLogin' }, headers: { 'accept-language': 'ja' } },
      adminActor(),
    );
    expect(body.operationLogs[0]?.text).toMatch(/^管理者のログインに失敗しました: ./);
  });

  test('is not for administrators without the right', async () => {
    expect((await harness.refused(listAllOperationLogs, {}, adminActor({ role: 1 }))).body.code).toBe(
      'E40301',
    );
    expect((await harness.refused(listAllOperationLogs, {}, partnerActor())).body.code).toBe('E40102');
  });
});
