import { setTimeout as sleep } from 'node:timers/promises';
import { companyAdminRoutes, fieldMessages, fileEvents, userRoutes } from '@portal/contracts';
import { requireTwoAdmins, verifyLogin } from '@portal/contracts/internal';
import { enterScope, withClient } from '@portal/database';
import { type Actor, adminActor, partnerActor } from '@portal/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, importsOf } from './import-harness.ts';
import { password, startUserHarness, stateOf, type TestPartner, type UserHarness } from './user-harness.ts';

const adminBit = 268_435_456;
let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const accountsOf = async (pid: number) =>
  harness.sql('SELECT * FROM accounts WHERE partner_id = $1 ORDER BY id', pid);
const told = async (pid: number) =>
  (await harness.events()).filter(
    ({ partnerid, type }) => partnerid === pid && /^(user|device)\./.test(type) && type !== 'user.signed_out',
  );
const signOuts = async (pid: number) =>
  (await harness.events('user.signed_out'))
    .filter(({ partnerid }) => partnerid === pid)
    .map(({ data }) => data);

const create = async ({ pid, actor }: Pick<TestPartner, 'pid' | 'actor'>, body: Record<string, unknown>) =>
  harness.refused(
    companyAdminRoutes.createCompanyAdmin,
    { params: { pid }, body: { name: 'An admin', email: 'a@example.com', ...body } },
    actor,
  );
const madeBy = async (own: TestPartner, body: Record<string, unknown>) => {
  const reply = await harness.call(
    companyAdminRoutes.createCompanyAdmin,
    { params: { pid: own.pid }, body: { name: 'An admin', email: 'a@example.com', ...body } },
    own.actor,
  );
  expect(reply.status).toBe(201);
  return reply.body.id;
};
const edit = async (
  { pid }: TestPartner,
  adminId: number,
  body: object,
  actor: Actor = partnerActor({ partnerId: pid, accountId: 1_000_001 }),
) => harness.refused(companyAdminRoutes.updateCompanyAdmin, { params: { pid, adminId }, body }, actor);
const remove = async (
  { pid }: TestPartner,
  ids: number[],
  actor: Actor = partnerActor({ partnerId: pid, accountId: 1_000_000 }),
) => harness.refused(companyAdminRoutes.deleteCompanyAdmins, { params: { pid }, body: { ids } }, actor);
const list = async (own: TestPartner, query: object = {}) => {
  const reply = await harness.call(
    companyAdminRoutes.listCompanyAdmins,
    { params: { pid: own.pid }, query },
    own.actor,
  );
  expect(reply.status).toBe(200);
  return reply.body;
};
const names = async (own: TestPartner, query: object) =>
  (await list(own, query)).admins.map(({ name }) => name);

const refusal = ({ status, body }: Awaited<ReturnType<typeof create>>) => [
  status,
  body.code,
  ...body.errors.map(({ field }) => field),
];

const mayEnter = async (pid: number, email: string, withPassword: string) =>
  (await harness.callAs('identity', verifyLogin, { body: { partnerId: pid, email, password: withPassword } }))
    .status === 200;

describe('When a company admin is created', () => {
  it('then they sign in, take no licence, are no user, and are told of', async () => {
    const own = await harness.partner({ licenseCount: 0 });
    const id = await madeBy(own, { name: 'Boss', email: 'Boss@example.com', password });
    expect(await accountsOf(own.pid)).toMatchObject([{ id, role: adminBit, is_user: false }]);
    expect(await mayEnter(own.pid, 'boss@example.com', password)).toBe(true);
    const users = await harness.call(userRoutes.listUsers, { params: { pid: own.pid } }, own.actor);
    expect(users.body).toMatchObject({ users: [] });
    expect(await told(own.pid)).toMatchObject([
      {
        type: 'user.created',
        subject: String(id),
        data: { userId: id, name: 'Boss', role: adminBit, isUser: false, hasPassword: true },
      },
    ]);
  });

  it('then their name is of one line', async () => {
    const own = await harness.partner();
    for (const name of ['a\n=1+1', 'a\u2028b', 'a\u202Eb']) {
      expect(refusal(await create(own, { name }))).toEqual([400, 'E40002', 'name']);
    }
  });

  it.each([undefined, null, ''])('then one with the password %j chooses it by a mail', async (none) => {
    const own = await harness.partner();
    await madeBy(own, none === undefined ? {} : { password: none });
    expect(await accountsOf(own.pid)).toMatchObject([{ password_hash: null }]);
    expect(await told(own.pid)).toMatchObject([{ data: { email: 'a@example.com', hasPassword: false } }]);
  });

  it('then with create_user_flag they are a user as well and take a licence', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    const id = await madeBy(own, { createUserFlag: true });
    const users = await harness.call(userRoutes.listUsers, { params: { pid: own.pid } }, own.actor);
    expect(users.body).toMatchObject({ users: [{ id, role: adminBit }] });
    const second = await create(own, { email: 'b@example.com', createUserFlag: true });
    expect(refusal(second)).toEqual([400, 'E40008']);
    expect((await create(own, { email: 'b@example.com' })).status).toBe(201);
    expect(await accountsOf(own.pid)).toHaveLength(2);
  });

  it('then of many at once no more than the licences become users', async () => {
    const own = await harness.partner({ licenseCount: 3 });
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create(own, { email: `n${n}@example.com`, createUserFlag: true })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400, 400, 400]);
  });

  it.each([
    [{ name: '' }, [400, 'E40003', 'name'], 'required'],
    [{ email: '' }, [400, 'E40003', 'email'], 'required'],
    [{ email: 'nobody' }, [400, 'E40002', 'email'], 'email'],
    [{ password: 'short' }, [400, 'E40002', 'password'], 'password8char'],
    [{ email: 'Taken@example.com' }, [400, 'E40029', 'email'], 'notUnique'],
  ] as const)('then %j is refused in both languages', async (body, expected, key) => {
    const own = await harness.partner();
    await madeBy(own, { email: 'taken@example.com' });
    for (const language of ['ja', 'en'] as const) {
      const reply = await harness.raw({
        method: 'POST',
        url: `/v1/partner/partners/${own.pid}/admins`,
        headers: { 'accept-language': language },
        payload: JSON.stringify({ name: 'An admin', email: 'a@example.com', ...body }),
        actor: own.actor,
      });
      expect(refusal(reply)).toEqual(expected);
      expect(reply.body.errors[0]?.message).toBe(fieldMessages[key][language]);
    }
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });
});

describe('When company admins are listed', () => {
  it('then filters, order and pages hold, and plain users are not among them', async () => {
    const own = await harness.partner();
    await madeBy(own, { name: 'Bea', email: 'bea@example.com' });
    await madeBy(own, { name: 'adam', email: 'adam@other.example' });
    const third = await own.user({ name: 'Carl', loginUserId: 'carl-x', role: adminBit | 1 });
    await own.user({ name: 'Plain', role: 17 });

    expect(await list(own, { orderKey: 'name', order: 'asc', perPage: 2 })).toMatchObject({
      currentPage: 1,
      totalPage: 2,
      totalCount: 3,
      admins: [{ name: 'adam', email: 'adam@other.example', createUserFlag: false }, { name: 'Bea' }],
    });
    expect(await names(own, { orderKey: 'name', order: 'asc', perPage: 2, page: 2 })).toEqual(['Carl']);
    expect(await names(own, { name: 'BE' })).toEqual(['Bea']);
    expect(await names(own, { email: '@OTHER' })).toEqual(['adam']);
    expect(await names(own, { email: 'carl' })).toEqual(['Carl']);
    // The search box: an id as a whole, else a name or a login, first what begins with it.
    expect(await names(own, { q: 'A', order: 'asc' })).toEqual(['adam', 'Bea', 'Carl']);
    expect(await names(own, { q: 'ea', order: 'asc' })).toEqual(['Bea']);
    expect(await names(own, { q: 'l-X' })).toEqual(['Carl']);
    expect(await names(own, { q: String(third) })).toEqual(['Carl']);
    expect(await names(own, { q: 'a', email: '@example' })).toEqual(['Bea']);
    for (const q of ['%', '_', 'plain']) expect(await names(own, { q })).toEqual([]);
    // Who has no address comes last, whichever way.
    expect(await names(own, { orderKey: 'email', order: 'desc' })).toEqual(['Bea', 'adam', 'Carl']);
    const detail = await harness.call(
      companyAdminRoutes.getCompanyAdmin,
      { params: { pid: own.pid, adminId: third } },
      own.actor,
    );
    expect(detail.body).toMatchObject({ email: null, loginUserId: 'carl-x', createUserFlag: true });
  });

  it('then a user without the admin bit is none', async () => {
    const own = await harness.partner();
    const plain = await own.user({ role: 17 });
    const get = await harness.refused(
      companyAdminRoutes.getCompanyAdmin,
      { params: { pid: own.pid, adminId: plain } },
      own.actor,
    );
    expect(refusal(get)).toEqual([404, 'E40401']);
    expect(refusal(await edit(own, plain, { name: 'x' }))).toEqual([404, 'E40401']);
    expect(refusal(await remove(own, [plain]))).toEqual([404, 'E40401']);
  });
});

describe('When a company admin is changed', () => {
  it('then what is absent stays, and sessions go on', async () => {
    const own = await harness.partner();
    const id = await madeBy(own, { password });
    expect((await edit(own, id, { name: 'Renamed', password: '' })).status).toBe(200);
    expect(await accountsOf(own.pid)).toMatchObject([{ name: 'Renamed', email: 'a@example.com' }]);
    expect(await mayEnter(own.pid, 'a@example.com', password)).toBe(true);
    expect((await told(own.pid)).at(-1)).toMatchObject({
      type: 'user.updated',
      data: { name: 'Renamed', endsSessions: false },
    });
  });

  it('while an import that has found them as a user is applied, then it is changed after that', async () => {
    const own = await harness.partner();
    const id = await madeBy(own, { email: 'before@example.com', createUserFlag: true });
    const imports = importsOf(harness, own);
    const { changed, imported } = await withClient(harness.databaseUrl, async (another) => {
      await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: own.pid });
      // What it writes between its look at the users and their changes.
      await another.query('BEGIN');
      await another.query('LOCK TABLE import_changes IN EXCLUSIVE MODE');
      const imported = imports.run(csv('Imported,before@example.com,,,,,0'));
      // It holds the partner then. The look at it lets go of it at once.
      const isApplied = async () => {
        await another.query('SAVEPOINT look');
        const free = await another.query('SELECT 1 FROM partners FOR UPDATE SKIP LOCKED');
        await another.query('ROLLBACK TO look');
        return free.rowCount === 0;
      };
      await expect.poll(isApplied, { timeout: 20_000 }).toBe(true);
      await sleep(500);
      const changed = edit(own, id, { email: 'after@example.com' });
      await sleep(500);
      await another.query('COMMIT');
      return { changed, imported };
    });
    expect((await imported).updateCount).toBe(1);
    expect((await changed).status).toBe(200);
    expect(await accountsOf(own.pid)).toMatchObject([
      { name: 'Imported', email: 'after@example.com', email_key: 'after@example.com' },
    ]);
  });

  it('then a new password ends their sessions, but not the one it was changed in', async () => {
    const own = await harness.partner();
    const id = await madeBy(own, { password });
    expect((await edit(own, id, { password: 'An0ther-one' })).status).toBe(200);
    expect(await mayEnter(own.pid, 'a@example.com', 'An0ther-one')).toBe(true);
    expect((await told(own.pid)).at(-1)?.data).toMatchObject({ endsSessions: true });

    const self = partnerActor({ partnerId: own.pid, accountId: id });
    expect((await edit(own, id, { password: 'Third-0ne' }, self)).status).toBe(200);
    await edit(own, id, { name: 'Another name' }, self);
    expect(await signOuts(own.pid)).toEqual([
      { userId: id, generation: 1, passwordChanged: true },
      { userId: id, generation: 2, passwordChanged: true, keptSessionId: expect.any(String) },
    ]);
  });

  it.each([
    [{ email: 'other@example.com' }, [400, 'E40029', 'email']],
    [{ email: '' }, [400, 'E40003', 'email']],
    [{ password: 'nope' }, [400, 'E40002', 'password']],
    [{ password }, [400, 'E40002', 'password']],
    [{ name: '\u0000' }, [400, 'E40002', 'name']],
  ])('then %j is refused', async (body, expected) => {
    const own = await harness.partner();
    const id = await madeBy(own, { password });
    await madeBy(own, { email: 'other@example.com' });
    expect(refusal(await edit(own, id, body))).toEqual(expected);
    expect((await accountsOf(own.pid))[0]).toMatchObject({ name: 'An admin', email: 'a@example.com' });
  });

  it('then one who signs in with an id gets no address', async () => {
    const own = await harness.partner();
    const id = await own.user({ role: adminBit });
    expect(refusal(await edit(own, id, { email: 'x@example.com' }))).toEqual([400, 'E40009', 'email']);
    expect((await edit(own, id, { password: 'An0ther-one' })).status).toBe(200);
  });
});

describe('When company admins are deleted', () => {
  it('then their devices are freed and the deletion is told, all or none', async () => {
    const own = await harness.partner();
    const [first, second] = [
      await madeBy(own, {}),
      await madeBy(own, { email: 'b@example.com', createUserFlag: true }),
    ];
    await harness.signInWith({ uuid: 'of-admin' }, { partnerId: own.pid, accountId: second });

    expect(refusal(await remove(own, [second, 999_999]))).toEqual([404, 'E40401']);
    expect(await accountsOf(own.pid)).toHaveLength(2);
    expect((await remove(own, [second])).status).toBe(200);
    expect((await accountsOf(own.pid)).map(({ id }) => id)).toEqual([first]);
    expect((await told(own.pid)).slice(-2)).toMatchObject([
      { type: 'device.removed', subject: 'of-admin' },
      { type: 'user.deleted', subject: String(second) },
    ]);
    expect(await signOuts(own.pid)).toEqual([{ userId: second }]);
  });

  it('then the last one stays, and so does oneself', async () => {
    const own = await harness.partner();
    const [first, second] = [await madeBy(own, {}), await madeBy(own, { email: 'b@example.com' })];
    const self = partnerActor({ partnerId: own.pid, accountId: first });
    expect(refusal(await remove(own, [first], self))).toEqual([400, 'E40031', 'ids']);
    expect(refusal(await remove(own, [first, second]))).toEqual([400, 'E40031', 'ids']);
    expect((await remove(own, [second], self)).status).toBe(200);
    expect(refusal(await remove(own, [first]))).toEqual([400, 'E40031', 'ids']);
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });

  it('then of two who delete each other at once one stays', async () => {
    const own = await harness.partner();
    const ids = [await madeBy(own, {}), await madeBy(own, { email: 'b@example.com' })];
    const replies = await Promise.all(
      ids.map((id, n) => remove(own, [id], partnerActor({ partnerId: own.pid, accountId: ids[1 - n] ?? 0 }))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });

  it('then nobody takes the role of an admin from themselves', async () => {
    const own = await harness.partner();
    await madeBy(own, {});
    const id = await own.user({ role: adminBit });
    const self = partnerActor({ partnerId: own.pid, accountId: id });
    const lower = async (actor: Actor) =>
      harness.refused(userRoutes.updateUser, { params: { pid: own.pid, id }, body: { role: 0 } }, actor);
    expect(refusal(await lower(self))).toEqual([400, 'E40031', 'role']);
    expect((await lower(own.actor)).status).toBe(200);
  });
});

describe('When what one admin changes is approved by another', () => {
  const needTwo = async ({ pid: partnerId }: TestPartner) =>
    harness.callAs('file', requireTwoAdmins, { body: { partnerId, at: harness.clock.now().getTime() } });
  const request = { approvalId: 8, fileId: 5, name: 'Tour', requestedByName: 'First' } as const;
  const decided = async (
    { pid }: TestPartner,
    what: 'restore' | 'settings',
    state: 'approved' | 'declined',
  ) =>
    harness.deliver(fileEvents.approvalDecided, {
      subject: 8,
      partnerId: pid,
      data: { ...request, requestedBy: 1, what, state, decidedBy: 2, comment: null },
    });

  it('then a company has two who can sign in, until it is approved that it needs them no more', async () => {
    const own = await harness.partner();
    const first = await madeBy(own, {});
    expect((await needTwo(own)).body).toMatchObject({
      code: 'E40034',
      errors: [{ field: 'approval_required' }],
    });
    const second = await madeBy(own, { email: 'b@example.com' });
    expect((await needTwo(own)).status).toBe(200);
    expect(refusal(await remove(own, [second]))).toEqual([400, 'E40031', 'ids']);
    const third = await own.user({ role: adminBit });
    expect((await remove(own, [second])).status).toBe(200);
    const lower = async (role: number) =>
      harness.refused(
        userRoutes.updateUser,
        { params: { pid: own.pid, id: third }, body: { role } },
        own.actor,
      );
    expect(refusal(await lower(0))).toEqual([400, 'E40031', 'role']);
    await decided(own, 'restore', 'approved');
    await decided(own, 'settings', 'declined');
    expect(refusal(await lower(0))).toEqual([400, 'E40031', 'role']);
    await decided(own, 'settings', 'approved');
    expect((await lower(0)).status).toBe(200);
    expect(refusal(await remove(own, [first]))).toEqual([400, 'E40031', 'ids']);
  });

  it('then every admin but who asks gets a mail that waits for them', async () => {
    const own = await harness.partner();
    const first = await madeBy(own, {});
    await madeBy(own, { name: 'Second', email: 'b@example.com' });
    await own.user({ email: 'user@example.com' });
    const before = (await harness.mails()).length;
    await harness.deliver(fileEvents.approvalRequested, {
      subject: 8,
      partnerId: own.pid,
      data: { ...request, requestedBy: first, what: 'restore', expiresAt: '2026-12-08T00:00:00Z' },
    });
    const mails = (await harness.mails()).slice(before);
    expect(mails).toHaveLength(1);
  });
});

describe('When admins.csv is asked for', () => {
  it('then it holds them all, in the zone that is asked for, with formulas as text', async () => {
    const own = await harness.partner();
    const id = await madeBy(own, { name: '=Boss, "the"' });
    const { status, headers, body } = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/${own.pid}/admins/csv?tz=UTC`,
      actor: own.actor,
    });
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toContain('admins.csv');
    expect(parse(String(body), { bom: true, columns: true })).toEqual([
      {
        id: String(id),
        name: '\'=Boss, "the"',
        email: 'a@example.com',
        login_user_id: '',
        create_user_flag: '0',
        created_at: expect.stringMatching(/^2026-11-21 09:00:0/),
        updated_at: expect.stringMatching(/^2026-11-21 09:00:0/),
        last_login_at: '',
      },
    ]);
    await madeBy(own, { name: 'Other', email: 'other@example.com' });
    for (const query of ['q=OTHER', 'name=oth', 'email=other']) {
      const url = `/v1/partner/partners/${own.pid}/admins/csv?${query}`;
      const filtered = await harness.raw({ method: 'GET', url, actor: own.actor });
      expect(parse(String(filtered.body), { bom: true, columns: true })).toMatchObject([{ name: 'Other' }]);
    }
    const unknown = `/v1/partner/partners/${own.pid}/admins/csv?tz=SystemV/PST8`;
    const refused = await harness.raw({ method: 'GET', url: unknown, actor: own.actor });
    expect([refused.body.code, refused.body.errors[0]?.field]).toEqual(['E40002', 'tz']);
  });
});

describe('When an administrator of the platform manages the admins of a partner', () => {
  it('then the five calls do the same', async () => {
    const own = await harness.partner({ unitId: 7 });
    const params = { pid: own.pid };
    const actor = adminActor({ role: 31, unitId: 7 });
    const body = { name: 'Boss', email: 'boss@example.com', password };
    const made = await harness.call(companyAdminRoutes.createPartnerAdmin, { params, body }, actor);
    expect(made.status).toBe(201);
    const record = { pid: own.pid, adminId: made.body.id };
    const change = { params: record, body: { name: 'Chief' } };
    expect((await harness.call(companyAdminRoutes.updatePartnerAdmin, change, actor)).status).toBe(200);
    const got = await harness.call(companyAdminRoutes.getPartnerAdmin, { params: record }, actor);
    expect(got.body).toMatchObject({ name: 'Chief' });
    const listed = await harness.call(companyAdminRoutes.listPartnerAdmins, { params }, actor);
    expect(listed.body).toMatchObject({ totalCount: 1 });
    const csv = await harness.call(companyAdminRoutes.exportPartnerAdmins, { params }, actor);
    expect(csv.body).toContain('Chief');
    const deletion = { params, body: { ids: [made.body.id] } };
    const last = await harness.refused(companyAdminRoutes.deletePartnerAdmins, deletion, actor);
    expect(refusal(last)).toEqual([400, 'E40031', 'ids']);
  });

  it('then a partner of another unit is refused, and one that nobody knows does not exist', async () => {
    const own = await harness.partner({ unitId: 7 });
    const adminId = await madeBy(own, {});
    const actor = adminActor({ role: 63, unitId: 8 });
    const params = { pid: own.pid, adminId };
    const body = { name: 'x', email: 'x@example.com', ids: [adminId] };
    for (const contract of [
      companyAdminRoutes.listPartnerAdmins,
      companyAdminRoutes.createPartnerAdmin,
      companyAdminRoutes.getPartnerAdmin,
      companyAdminRoutes.updatePartnerAdmin,
      companyAdminRoutes.deletePartnerAdmins,
      companyAdminRoutes.exportPartnerAdmins,
    ]) {
      const foreign = await harness.refused(contract, { params, ...(contract.body && { body }) }, actor);
      expect(refusal(foreign)).toEqual([403, 'E40305']);
    }
    const unknown = { params: { pid: 987_654 } };
    const nobody = await harness.refused(companyAdminRoutes.listPartnerAdmins, unknown, adminActor());
    expect(refusal(nobody)).toEqual([404, 'E40402']);
    expect(await accountsOf(own.pid)).toMatchObject([{ name: 'An admin' }]);
  });

  it('then one that no event has told of yet is asked for', async () => {
    harness.unheardPartners.set(77, stateOf(77));
    const reply = await harness.call(
      companyAdminRoutes.listPartnerAdmins,
      { params: { pid: 77 } },
      adminActor({ role: 16 }),
    );
    expect([reply.status, reply.body]).toMatchObject([200, { totalCount: 0 }]);
  });

  it('then lower roles and the tokens of tenants are refused', async () => {
    const own = await harness.partner();
    const params = { pid: own.pid };
    const lower = await harness.refused(
      companyAdminRoutes.listPartnerAdmins,
      { params },
      adminActor({ role: 15 }),
    );
    expect(refusal(lower)).toEqual([403, 'E40301']);
    const tenant = await harness.refused(companyAdminRoutes.listPartnerAdmins, { params }, own.actor);
    expect(refusal(tenant)).toEqual([401, 'E40102']);
    for (const role of [1, 16, 17]) {
      const actor = partnerActor({ partnerId: own.pid, role });
      expect(refusal(await create({ pid: own.pid, actor }, {}))).toEqual([403, 'E40301']);
    }
  });
});
