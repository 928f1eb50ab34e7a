import {
  fileEvents,
  identityRoutes,
  administratorRoutes as routes,
  tenantEvents,
  twoFactorRoutes,
} from '@portal/contracts';
import { findUnit, listRevocations } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { implement } from '@portal/service-kit';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { newTotpSecret } from '../src/tokens/totp.ts';
import { bearer, sessionOf, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

/** Platform and unit administrators, as others administer them: with tokens that they sign in for. */

let harness: ServiceHarness;
const { admin: signIn, outcome } = signIns(() => harness);
const env = { DEMO: '0', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password };

const another = 'Another-passw0rd';
/** The tenant service knows it; no event has told of it. */
const justMade = 30;
const unit = { name: 'Just made', allocatedLicense: 10, ownerPartnerid: 0, canForceDistributeApp: false };

/** The first administrator, of the platform; one of unit 10 with 63, and one with 31. */
let root: string;
let ofUnit: string;
let ofUnitId: number;
let rootHash: string;

beforeAll(async () => {
  const tenant = implement(findUnit, async ({ body: { unitId } }) => {
    if (unitId !== justMade) throw new AppError('E40401');
    return { ...unit, unitId, revision: 1 };
  });
  harness = await startServiceHarness(identityService, { peers: [...peers(), tenant], env });
  for (const unitId of [10, 20]) await unitCreated(unitId);
  root = await signIn();
  const [first] = await harness.sql<{ hash: string }>('SELECT password_hash AS hash FROM admins');
  rootHash = first?.hash ?? '';
  ofUnitId = await made(routes.createUnitAdmin, { params: { unitId: 10 }, body: person('unit10') });
  ofUnit = await signIn('unit10@example.com', another);
}, 60_000);
afterAll(async () => harness?.stop());

const unitCreated = async (unitId: number) =>
  harness.deliver(tenantEvents.unitCreated, {
    subject: unitId,
    partnerId: null,
    data: { ...unit, unitId, name: `Unit ${unitId}` },
  });

const person = (name: string) => ({ name, email: `${name}@example.com`, password: another });

async function made(
  contract: typeof routes.createUnitAdmin | typeof routes.createAdmin,
  request: object,
  token = root,
): Promise<number> {
  const { body, status } = await harness.call(contract, { ...request, headers: bearer(token) });
  expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
  return body.id;
}

const makePlatform = async (name: string, role = 127) =>
  made(routes.createAdmin, { body: { ...person(name), role } });
const makeInUnit = async (unitId: number, name: string, role = 63) =>
  made(routes.createUnitAdmin, { params: { unitId }, body: { ...person(name), role } });

/** Code and fields of a refusal, or the status where there is none. */
async function refusal(
  contract: Parameters<ServiceHarness['refused']>[0],
  request: object,
  token = root,
): Promise<unknown> {
  const { body, status } = await harness.refused(contract, { ...request, headers: bearer(token) });
  return status < 400 ? status : [body.code, ...body.errors.map(({ field }) => field)];
}

const as = async <C extends Parameters<ServiceHarness['call']>[0]>(
  contract: C,
  request: object,
  token = root,
) => {
  const reply = await harness.call(contract, { ...request, headers: bearer(token) });
  expect([reply.status, reply.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
  return reply.body;
};

const eventsOf = async (type: string, id: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(id)).map(({ data }) => data);

const kinds = [
  ['the platform', routes.createAdmin, {}],
  ['a unit', routes.createUnitAdmin, { params: { unitId: 10 } }],
] as const;

describe.each(kinds)('When an administrator of %s is made', (where, contract, request) => {
  const nameOf = (text: string) => `${text}-${where.replace(' ', '-')}`;
  const body = (more: object = {}) => ({ ...person(nameOf('made')), role: 31, ...more });

  it('then they sign in with the password, it is told, and no mail is sent', async () => {
    const before = (await harness.mails()).length;
    const id = await made(contract, { ...request, body: body() });
    const login = await harness.call(identityRoutes.adminLogin, {
      body: { email: `${nameOf('MADE')}@example.com`.toUpperCase(), password: another },
    });
    const unitId = 'params' in request ? 10 : null;
    expect(login.body).toMatchObject({ role: 31, unitId, outsourcingFlag: unitId !== null });
    const data = { adminId: id, revision: 1, name: nameOf('made'), email: `${nameOf('made')}@example.com` };
    expect(await eventsOf('admin.created', id)).toEqual([{ ...data, role: 31, unitId }]);
    expect((await harness.mails()).length).toBe(before);
    expect((await harness.events('operation.logged')).at(-2)?.data).toMatchObject({
      operation: contract.id,
      accountId: 1,
      targetKind: 'admin',
      targetIds: [id],
      result: '201',
    });
  });

  it('with a role that there is not, then E40002 on role', async () => {
    for (const role of [0, 2, 64, 126, 128, '63', 1.5]) {
      expect([role, await refusal(contract, { ...request, body: body({ role }) })]).toEqual([
        role,
        ['E40002', 'role'],
      ]);
    }
  });

  it('without a name, an address and a password, then E40003 on each', async () => {
    const nothing = { name: ' ', email: '', password: '', role: 31 };
    expect(await refusal(contract, { ...request, body: nothing })).toEqual([
      'E40003',
      'name',
      'email',
      'password',
    ]);
  });

  it('with a name, an address or a password that cannot be, then E40002 on each', async () => {
    const wrong = { name: 'x'.repeat(256), email: 'nobody', password: 'onlyletters', role: 31 };
    expect(await refusal(contract, { ...request, body: wrong })).toEqual([
      'E40002',
      'name',
      'email',
      'password',
    ]);
    expect(await refusal(contract, { ...request, body: body({ name: 'a\nb' }) })).toEqual(['E40002', 'name']);
    const guessable = body({ email: 'passw0rd1@example.com', password: 'passw0rd1' });
    expect(await refusal(contract, { ...request, body: guessable })).toEqual(['E40002', 'password']);
  });

  it('with an address that another has, in whatever part and letters, then E40029 on email', async () => {
    for (const email of ['ADMIN@example.com', 'Unit10@Example.com', `${nameOf('made')}@example.com`]) {
      expect(await refusal(contract, { ...request, body: body({ email }) })).toEqual(['E40029', 'email']);
    }
  });

  it('twice at once with one address, then once', async () => {
    const email = `${nameOf('twice')}@example.com`;
    const replies = await Promise.all(
      [email, email.toUpperCase()].map((one) =>
        refusal(contract, { ...request, body: body({ email: one }) }),
      ),
    );
    expect(replies).toContainEqual(['E40029', 'email']);
    expect(replies).toContainEqual(201);
  });
});

describe('When the role is not told', () => {
  it('then a unit administrator gets 63, and of the platform it is E40003 on role', async () => {
    const id = await made(routes.createUnitAdmin, { params: { unitId: 20 }, body: person('default') });
    const path = { params: { unitId: 20, adminId: id } };
    expect(await as(routes.getUnitAdmin, path)).toMatchObject({ role: 63 });
    expect(await refusal(routes.createAdmin, { body: person('roleless') })).toEqual(['E40003', 'role']);
  });
});

describe('When somebody gives a role', () => {
  it('127 to an administrator of a unit, then E40301, of the platform as well', async () => {
    const request = { params: { unitId: 10 }, body: { ...person('all'), role: 127 } };
    expect(await refusal(routes.createUnitAdmin, request)).toEqual(['E40301']);
    expect(await refusal(routes.createUnitAdmin, request, ofUnit)).toEqual(['E40301']);
    const adminId = await makeInUnit(10, 'raised');
    const raise = { params: { unitId: 10, adminId }, body: { role: 127 } };
    expect(await refusal(routes.updateUnitAdmin, raise)).toEqual(['E40301']);
  });

  it('with a bit that they lack, then E40301', async () => {
    // By the call such a person does not come about; the rule holds all the same.
    await harness.sql(`UPDATE admins SET role = 47 WHERE email = 'unit10@example.com'`);
    const low = await signIn('unit10@example.com', another);
    await harness.sql(`UPDATE admins SET role = 63 WHERE email = 'unit10@example.com'`);
    const request = { params: { unitId: 10 }, body: { ...person('higher'), role: 63 } };
    expect(await refusal(routes.createUnitAdmin, request, low)).toEqual(['E40301']);
    const change = { params: { unitId: 10, adminId: await makeInUnit(10, 'above') }, body: { name: 'x' } };
    expect(await refusal(routes.updateUnitAdmin, change, low)).toEqual(['E40301']);
  });
});

describe('When an administrator of a unit administers', () => {
  it('then those of the own unit: they make, read, change and delete them', async () => {
    const unitId = 10;
    const adminId = await made(
      routes.createUnitAdmin,
      { params: { unitId }, body: { ...person('colleague'), role: 15 } },
      ofUnit,
    );
    const params = { unitId, adminId };
    expect(await as(routes.getUnitAdmin, { params }, ofUnit)).toEqual({
      adminId,
      adminName: 'colleague',
      adminEmail: 'colleague@example.com',
      role: 15,
      twoFactor: false,
      lastLoginAt: null,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    await as(routes.updateUnitAdmin, { params, body: { name: 'Renamed', role: 63 } }, ofUnit);
    const { admins } = await as(routes.listUnitAdmins, { params: { unitId } }, ofUnit);
    expect(admins).toContainEqual(expect.objectContaining({ adminId, adminName: 'Renamed', role: 63 }));
    await as(routes.deleteUnitAdmin, { params }, ofUnit);
    expect(await refusal(routes.getUnitAdmin, { params }, ofUnit)).toEqual(['E40401']);
  });

  it('of another unit or of none, then 404 E40401 on each call, and nothing is changed', async () => {
    const adminId = await makeInUnit(20, 'foreign');
    for (const unitId of [20, 99]) {
      const params = { unitId, adminId };
      const replies = [
        await refusal(routes.listUnitAdmins, { params: { unitId } }, ofUnit),
        await refusal(routes.createUnitAdmin, { params: { unitId }, body: person('intruder') }, ofUnit),
        await refusal(routes.getUnitAdmin, { params }, ofUnit),
        await refusal(routes.updateUnitAdmin, { params, body: { name: 'Taken' } }, ofUnit),
        await refusal(routes.deleteUnitAdmin, { params }, ofUnit),
      ];
      expect(replies).toEqual(Array(5).fill(['E40401']));
    }
    // Nor by the way of their own unit.
    const params = { unitId: 10, adminId };
    expect(await refusal(routes.getUnitAdmin, { params }, ofUnit)).toEqual(['E40401']);
    expect(await refusal(routes.updateUnitAdmin, { params, body: { name: 'x' } }, ofUnit)).toEqual([
      'E40401',
    ]);
    expect(await refusal(routes.deleteUnitAdmin, { params }, ofUnit)).toEqual(['E40401']);
    expect(await harness.sql('SELECT name FROM admins WHERE id = $1', adminId)).toEqual([
      { name: 'foreign' },
    ]);
  });

  it('of the platform, then 403 E40301 on each call', async () => {
    const params = { adminId: 1 };
    const replies = [
      await refusal(routes.listAdmins, {}, ofUnit),
      await refusal(routes.createAdmin, { body: { ...person('up'), role: 63 } }, ofUnit),
      await refusal(routes.getAdmin, { params }, ofUnit),
      await refusal(routes.updateAdmin, { params, body: { name: 'x' } }, ofUnit),
      await refusal(routes.deleteAdmin, { params }, ofUnit),
    ];
    expect(replies).toEqual(Array(5).fill(['E40301']));
  });

  it('without UnitAdministration, then 403 E40301, in their own unit as well', async () => {
    await makeInUnit(10, 'lower', 31);
    const low = await signIn('lower@example.com', another);
    const params = { unitId: 10, adminId: ofUnitId };
    const replies = [
      await refusal(routes.listUnitAdmins, { params: { unitId: 10 } }, low),
      await refusal(routes.createUnitAdmin, { params: { unitId: 10 }, body: person('x') }, low),
      await refusal(routes.getUnitAdmin, { params }, low),
      await refusal(routes.updateUnitAdmin, { params, body: { name: 'x' } }, low),
      await refusal(routes.deleteUnitAdmin, { params }, low),
    ];
    expect(replies).toEqual(Array(5).fill(['E40301']));
  });
});

describe('When a platform administrator without SuperAdministration administers', () => {
  it('then those of every unit, and none of the platform', async () => {
    await makePlatform('sixtythree', 63);
    const token = await signIn('sixtythree@example.com', another);
    for (const unitId of [10, 20]) {
      expect(await refusal(routes.listUnitAdmins, { params: { unitId } }, token)).toBe(200);
    }
    expect(await refusal(routes.listAdmins, {}, token)).toEqual(['E40301']);
    expect(await refusal(routes.deleteAdmin, { params: { adminId: 1 } }, token)).toEqual(['E40301']);
  });
});

describe('When a unit is not known', () => {
  it('then E40401 on each call, and no administrator is made', async () => {
    const params = { unitId: 99 };
    expect(await refusal(routes.listUnitAdmins, { params })).toEqual(['E40401']);
    expect(await refusal(routes.createUnitAdmin, { params, body: person('lost') })).toEqual(['E40401']);
    expect(await refusal(routes.getUnitAdmin, { params: { unitId: 99, adminId: ofUnitId } })).toEqual([
      'E40401',
    ]);
    expect(await harness.sql(`SELECT id FROM admins WHERE email = 'lost@example.com'`)).toEqual([]);
  });

  it('because its event is still under way, then the tenant service is asked, and they are made', async () => {
    const params = { unitId: justMade };
    expect(await as(routes.listUnitAdmins, { params })).toEqual({ admins: [] });
    await made(routes.createUnitAdmin, { params, body: person('early') });
    await unitCreated(justMade);
    expect(await harness.sql('SELECT id FROM units WHERE id = $1', justMade)).toHaveLength(1);
  });

  it('any more, then its administrators are gone, and their tokens are refused', async () => {
    await unitCreated(40);
    const id = await makeInUnit(40, 'left');
    const token = await signIn('left@example.com', another);
    await harness.deliver(tenantEvents.unitDeleted, { subject: 40, partnerId: null, data: { unitId: 40 } });
    await harness.settled();
    expect(await outcome(identityRoutes.validateToken, token)).toBe('E40102');
    expect(await eventsOf('admin.deleted', id)).toEqual([{ adminId: id }]);
    expect(await refusal(routes.createUnitAdmin, { params: { unitId: 40 }, body: person('left') })).toEqual([
      'E40401',
    ]);
  });
});

describe('When the platform administrators are listed', () => {
  it('then with what is told of each, and none of a unit', async () => {
    const { admins, ...page } = await as(routes.listAdmins, { query: { orderKey: 'id', order: 'asc' } });
    expect(page).toMatchObject({ currentPage: 1, totalPage: 1, totalCount: admins.length });
    expect(admins[0]).toEqual({
      id: 1,
      name: 'admin@example.com',
      email: 'admin@example.com',
      role: 127,
      twoFactor: false,
      lastLoginAt: '2026-11-21T09:00:00Z',
      createdAt: '2026-11-21T09:00:00Z',
    });
    expect(admins.map(({ email }) => email)).not.toContain('unit10@example.com');
  });

  it('then in pages, by each key in either order, who never signed in last', async () => {
    await makePlatform('Zoe', 1);
    const first = await as(routes.listAdmins, {
      query: { perPage: 2, page: 2, orderKey: 'id', order: 'asc' },
    });
    expect(first).toMatchObject({ currentPage: 2, totalPage: Math.ceil(first.totalCount / 2) });
    expect(first.admins).toHaveLength(2);
    const sorted = async (orderKey: string, order: string) =>
      (await as(routes.listAdmins, { query: { orderKey, order, perPage: 100 } })).admins;
    for (const key of routes.adminOrderKeys) {
      const up = (await sorted(key, 'asc')).map((row) => row[key]);
      const known = up.filter((value) => value !== null);
      const wanted = [...known].sort((a, b) =>
        typeof a === 'number' ? a - Number(b) : String(a).toLowerCase() < String(b).toLowerCase() ? -1 : 1,
      );
      expect([key, known]).toEqual([key, wanted]);
      const down = (await sorted(key, 'desc')).map((row) => row[key]).filter((value) => value !== null);
      expect([key, down]).toEqual([key, [...wanted].reverse()]);
      expect([key, up.at(-1) === null]).toEqual([key, key === 'lastLoginAt']);
    }
    const wrong = { query: { orderKey: 'passwordHash' } };
    expect(await refusal(routes.listAdmins, wrong)).toEqual(['E40002', 'order_key']);
  });

  it('then by q: the id as a whole, or a part of name or address in any letters; % is a letter', async () => {
    const ids = async (q: string) =>
      (await as(routes.listAdmins, { query: { q, perPage: 100 } })).admins.map(({ id }) => id);
    const zoe = (await ids('ZOE')).at(0) ?? 0;
    expect(await ids(String(zoe))).toContain(zoe);
    expect(await ids('OE@EXAMPLE')).toEqual([zoe]);
    expect(await ids('%')).toEqual([]);
    // Who begins with it comes before who has it somewhere.
    const between = await makePlatform('azoe', 1);
    expect(await ids('zoe')).toEqual([zoe, between]);
    expect(await refusal(routes.listAdmins, { query: { q: 'x'.repeat(256) } })).toEqual(['E40002', 'q']);
  });

  it('then details have the time of the last change, and an unknown one or a unit’s is E40401', async () => {
    expect(await as(routes.getAdmin, { params: { adminId: 1 } })).toMatchObject({
      email: 'admin@example.com',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    for (const adminId of [99_999, ofUnitId]) {
      const params = { adminId };
      expect(await refusal(routes.getAdmin, { params })).toEqual(['E40401']);
      expect(await refusal(routes.updateAdmin, { params, body: { name: 'x' } })).toEqual(['E40401']);
      expect(await refusal(routes.deleteAdmin, { params })).toEqual(['E40401']);
    }
  });

  it('then who has two factors is told, in a unit as well', async () => {
    const platform = await makePlatform('two-factors', 1);
    const inUnit = await makeInUnit(10, 'two-factors-unit', 1);
    for (const [id, unitId] of [
      [platform, null],
      [inUnit, 10],
    ]) {
      await harness.sql(
        `INSERT INTO two_factors (account_kind, account_id, unit_id, secret, enabled_at)
         VALUES ('admin', $1, $2, 'x', now())`,
        id,
        unitId,
      );
    }
    const params = { unitId: 10, adminId: inUnit };
    expect(await as(routes.getAdmin, { params: { adminId: platform } })).toMatchObject({ twoFactor: true });
    expect(await as(routes.getUnitAdmin, { params }, ofUnit)).toMatchObject({ twoFactor: true });
    const { admins } = await as(routes.listUnitAdmins, { params: { unitId: 10 } }, ofUnit);
    expect(admins.filter(({ twoFactor }) => twoFactor).map(({ adminId }) => adminId)).toEqual([inUnit]);
    // Taken away by the call that does it.
    await as(twoFactorRoutes.removeAdminTwoFactor, { params: { adminId: inUnit } });
    expect(await as(routes.getUnitAdmin, { params }, ofUnit)).toMatchObject({ twoFactor: false });
  });
});

describe('When an administrator is changed', () => {
  it('then what is absent stays, an address is not taken, and it is told', async () => {
    const adminId = await makePlatform('changed', 31);
    harness.clock.advance(1_000);
    const body = { name: 'Changed', email: 'other@example.com', password: '' };
    await as(routes.updateAdmin, { params: { adminId }, body });
    expect(await as(routes.getAdmin, { params: { adminId } })).toMatchObject({
      name: 'Changed',
      email: 'changed@example.com',
      role: 31,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:01Z',
    });
    await signIn('changed@example.com', another);
    expect(await eventsOf('admin.updated', adminId)).toEqual([
      { adminId, revision: 2, name: 'Changed', email: 'changed@example.com', role: 31, unitId: null },
    ]);
  });

  it('with what cannot be, then E40002 or E40003 on the field', async () => {
    const params = { adminId: 1 };
    const refused = (body: object) => refusal(routes.updateAdmin, { params, body });
    expect(await refused({ name: ' ' })).toEqual(['E40003', 'name']);
    expect(await refused({ name: 1 })).toEqual(['E40002', 'name']);
    expect(await refused({ role: 64 })).toEqual(['E40002', 'role']);
    expect(await refused({ password: 'short1' })).toEqual(['E40002', 'password']);
    expect(await refused({ password })).toEqual(['E40002', 'password']);
    expect(await refused({ password: 'passw0rd1' })).toEqual(['E40002', 'password']);
  });

  it('to another password, then it lets in, all their sessions end, and they get a mail', async () => {
    const adminId = await makeInUnit(10, 'forgot');
    const old = await signIn('forgot@example.com', another);
    // A lock of wrong ones goes with it.
    const wrong = { email: 'forgot@example.com', password: 'wrong' };
    await Promise.all(
      Array.from({ length: 10 }, () => harness.refused(identityRoutes.adminLogin, { body: wrong })),
    );
    await as(routes.updateUnitAdmin, { params: { unitId: 10, adminId }, body: { password } }, ofUnit);
    expect(await outcome(identityRoutes.validateToken, old)).toBe('E40102');
    await signIn('forgot@example.com', password);
    const mails = (await harness.mails()).map(({ content }) => content);
    expect(mails).toContainEqual(
      expect.objectContaining({ template: 'passwordChanged', to: 'forgot@example.com' }),
    );
    expect((await eventsOf('password.changed', adminId)).length).toBe(1);
    expect(await outcome(identityRoutes.validateToken, ofUnit)).toBe(200);
  });

  it('by themselves to another password, then this session stays and the others end', async () => {
    const adminId = await makePlatform('myself');
    const [here, elsewhere] = [
      await signIn('myself@example.com', another),
      await signIn('myself@example.com', another),
    ];
    await as(routes.updateAdmin, { params: { adminId }, body: { name: 'Me', password } }, here);
    expect(await outcome(identityRoutes.validateToken, here)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, elsewhere)).toBe('E40102');
  });

  it('by themselves while it is changed otherwise, then it is refused, and the other one stands', async () => {
    const adminId = await makePlatform('myself-late');
    const here = await signIn('myself-late@example.com', another);
    const [late] = await Promise.all([
      refusal(routes.updateAdmin, { params: { adminId }, body: { password } }, here),
      changeOnceWaitedFor(adminId),
    ]);
    expect(late).toEqual(['E40102']);
    expect(await harness.sql('SELECT password_hash FROM admins WHERE id = $1', adminId)).toEqual([
      { password_hash: 'another' },
    ]);
  });
});

/** Gives an administrator another password while a call waits for them, which has looked at the one before. */
async function changeOnceWaitedFor(adminId: number): Promise<void> {
  await harness.sql(`
    DO $$
    BEGIN
      PERFORM 1 FROM admins WHERE id = ${adminId} FOR UPDATE;
      FOR look IN 1..500 LOOP
        EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)));
        PERFORM pg_sleep(0.02);
        PERFORM pg_stat_clear_snapshot();
      END LOOP;
      UPDATE admins SET password_hash = 'another' WHERE id = ${adminId};
    END $$`);
}

describe('When the role of an administrator changes', () => {
  it('then it holds at once, in tokens that are out, and in their next ones', async () => {
    const adminId = await makePlatform('mover');
    const token = await signIn('mover@example.com', another);
    const mayList = async (one = token) => outcome(routes.listAdmins, one);
    expect(await mayList()).toBe(200);
    const set = async (role: number) => as(routes.updateAdmin, { params: { adminId }, body: { role } });
    await set(63);
    expect(await mayList()).toBe('E40301');
    expect(await outcome(routes.listUnitAdmins, token, { params: { unitId: 10 } })).toBe(200);
    await set(1);
    expect(await outcome(routes.listUnitAdmins, token, { params: { unitId: 10 } })).toBe('E40301');
    const refreshed = (await as(identityRoutes.refreshToken, {}, token)).accessToken;
    expect(await mayList(refreshed)).toBe('E40301');
    await set(127);
    expect(await mayList()).toBe(200);
    expect(await mayList(refreshed)).toBe(200);
    expect(await mayList((await as(identityRoutes.refreshToken, {}, refreshed)).accessToken)).toBe(200);
    // The session goes on.
    expect(await harness.sql('SELECT role FROM sessions WHERE id = $1', sessionOf(token))).toEqual([
      { role: 127 },
    ]);
  });

  it('then services that start are told, as long as tokens from before live', async () => {
    const adminId = await makePlatform('told');
    await as(routes.updateAdmin, { params: { adminId }, body: { role: 31 } });
    await as(routes.updateAdmin, { params: { adminId }, body: { name: 'Told' } });
    const told = async (since?: Date) => {
      const body = since ? { since: since.toISOString() } : {};
      const reply = await harness.callAs('file', listRevocations, { body });
      return reply.body.roles.filter((role) => role.adminId === adminId);
    };
    expect(await told()).toEqual([{ adminId, role: 31, revision: 3 }]);
    const now = harness.clock.now().getTime();
    expect(await told(new Date(now))).toHaveLength(1);
    expect(await told(new Date(now + 1))).toEqual([]);
    harness.clock.advance(3_600_000);
    expect(await told()).toHaveLength(1);
    harness.clock.advance(61_000);
    expect(await told()).toEqual([]);
    root = await signIn();
    ofUnit = await signIn('unit10@example.com', another);
  });

  it('by themselves to a lower one, then E40301, be they the last or not; the same is no change', async () => {
    const adminId = await makePlatform('humble');
    const token = await signIn('humble@example.com', another);
    const set = (role: number) => refusal(routes.updateAdmin, { params: { adminId }, body: { role } }, token);
    expect(await set(63)).toEqual(['E40301']);
    expect(await set(127)).toBe(200);
    const own = { params: { unitId: 10, adminId: ofUnitId } };
    expect(await refusal(routes.updateUnitAdmin, { ...own, body: { role: 31 } }, ofUnit)).toEqual(['E40301']);
    await refusal(routes.deleteAdmin, { params: { adminId } });
  });
});

describe('When an administrator is deleted', () => {
  it('then nothing of theirs is left, their tokens are refused, and the address is free', async () => {
    const adminId = await makeInUnit(10, 'gone');
    const token = await signIn('gone@example.com', another);
    await as(identityRoutes.sendAdminResetMail, { body: { email: 'gone@example.com' } });
    await harness.settled();
    await harness.sql(
      `INSERT INTO preferences (account_kind, account_id, unit_id, json) VALUES ('admin', $1, 10, '{}')`,
      adminId,
    );
    await harness.sql(
      `INSERT INTO two_factors (account_kind, account_id, unit_id, secret) VALUES ('admin', $1, 10, $2)`,
      adminId,
      newTotpSecret(),
    );
    await harness.sql(
      `INSERT INTO recovery_codes (account_kind, account_id, unit_id, code_hash) VALUES ('admin', $1, 10, 'x')`,
      adminId,
    );
    await harness.sql(
      `INSERT INTO challenges (token_hash, account_kind, account_id, unit_id, generation, expires_at)
       VALUES ('x', 'admin', $1, 10, 0, now())`,
      adminId,
    );
    const tables = await harness.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'account_kind' ORDER BY 1`,
    );
    const left = async () => {
      const counts: Record<string, number> = {};
      for (const { name } of tables) {
        const [row] = await harness.sql<{ count: number }>(
          `SELECT count(*)::integer AS count FROM ${name} WHERE account_kind = 'admin' AND account_id = $1`,
          adminId,
        );
        counts[name] = row?.count ?? -1;
      }
      return counts;
    };
    const all = { challenges: 1, known_devices: 1, password_links: 1, preferences: 1 };
    expect(await left()).toEqual({ ...all, recovery_codes: 1, reset_mails: 1, sessions: 1, two_factors: 1 });

    await as(routes.deleteUnitAdmin, { params: { unitId: 10, adminId } }, ofUnit);
    expect(await outcome(identityRoutes.validateToken, token)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, token)).toBe('E40102');
    const none = Object.fromEntries(tables.map(({ name }) => [name, 0]));
    // Until its token is over, it is known that the session has ended.
    expect(await left()).toEqual({ ...none, sessions: 1 });
    expect(await harness.sql('SELECT id FROM admins WHERE id = $1', adminId)).toEqual([]);
    expect(await eventsOf('admin.deleted', adminId)).toEqual([{ adminId }]);
    const login = { body: { email: 'gone@example.com', password: another } };
    expect((await harness.refused(identityRoutes.adminLogin, login)).body.code).toBe('E40101');
    expect((await harness.events('operation.logged')).map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ operation: 'deleteUnitAdmin', targetIds: [adminId], targetName: 'gone' }),
    );
    await makePlatform('gone', 1);
    harness.clock.advance(3_600_000);
    await harness.runJobs();
    expect(await left()).toEqual(none);
    root = await signIn();
    ofUnit = await signIn('unit10@example.com', another);
  });

  it('by themselves, then E40301, of the last with all rights as well', async () => {
    await harness.sql('DELETE FROM admins WHERE role = 127 AND id <> 1');
    expect(await refusal(routes.deleteAdmin, { params: { adminId: 1 } })).toEqual(['E40301']);
    const own = { params: { unitId: 10, adminId: ofUnitId } };
    expect(await refusal(routes.deleteUnitAdmin, own, ofUnit)).toEqual(['E40301']);
    expect(await outcome(identityRoutes.validateToken, root)).toBe(200);
  });

  it('while they sign in, then they get no session that lives', async () => {
    for (let round = 0; round < 3; round += 1) {
      const adminId = await makePlatform(`racing-${round}`, 1);
      const body = { email: `racing-${round}@example.com`, password: another };
      const [login] = await Promise.all([
        harness.call(identityRoutes.adminLogin, { body }),
        as(routes.deleteAdmin, { params: { adminId } }),
      ]);
      if (login.status === 200) {
        expect(await outcome(identityRoutes.validateToken, login.body.accessToken)).toBe('E40102');
      } else expect(login.status).toBe(401);
    }
  });
});

describe('When two with all rights turn on each other at once', () => {
  const pairs = [
    ['delete', routes.deleteAdmin, undefined],
    ['lower', routes.updateAdmin, { role: 63 }],
  ] as const;

  it.each(pairs)(
    'and %s, then one does, the other gets E40031, and one is left',
    async (_, contract, body) => {
      await harness.sql('DELETE FROM admins WHERE role = 127 AND id <> 1');
      const email = `rival-${contract.id}@example.com`;
      const rival = await makePlatform(email.split('@')[0] ?? '');
      const token = await signIn(email, another);
      const turn = async (adminId: number, by: string) =>
        refusal(contract, { params: { adminId }, ...(body && { body }) }, by);
      const [, ...replies] = await Promise.all([holdUntilBothWait(), turn(rival, root), turn(1, token)]);
      expect(replies).toContainEqual(200);
      expect(replies).toContainEqual(['E40031']);
      const left = await harness.sql<{ id: number }>(
        'SELECT id FROM admins WHERE role = 127 AND unit_id IS NULL',
      );
      expect(left).toHaveLength(1);
      await harness.sql(restore, rootHash);
      root = await signIn();
    },
  );

  it('while a third with all rights is there, then who was deleted first deletes nobody', async () => {
    const [one, two] = [await makePlatform('first-rival'), await makePlatform('second-rival')];
    const tokens = [
      await signIn('first-rival@example.com', another),
      await signIn('second-rival@example.com', another),
    ];
    const turn = async (adminId: number, by = '') => refusal(routes.deleteAdmin, { params: { adminId } }, by);
    const [, ...replies] = await Promise.all([
      holdUntilBothWait(),
      turn(two, tokens[0]),
      turn(one, tokens[1]),
    ]);
    expect(replies).toContainEqual(200);
    expect(replies).toContainEqual(['E40102']);
  });
});

/** Holds whoever has all rights until two calls wait for them, so that both were let in before either has its way. */
async function holdUntilBothWait(): Promise<void> {
  await harness.sql(`
    DO $$
    BEGIN
      PERFORM 1 FROM admins WHERE role = 127 AND unit_id IS NULL FOR UPDATE;
      FOR look IN 1..500 LOOP
        EXIT WHEN 2 <= (SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN (
          SELECT pid FROM pg_stat_activity WHERE datname = current_database()));
        PERFORM pg_sleep(0.02);
        PERFORM pg_stat_clear_snapshot();
      END LOOP;
    END $$`);
}

/** The first administrator as they were. */
const restore = `
  INSERT INTO admins (id, name, email, role, password_hash, created_at, updated_at)
  VALUES (1, 'admin@example.com', 'admin@example.com', 127, $1, now(), now())
  ON CONFLICT (id) DO UPDATE SET role = 127`;

describe('When the stages of an application were halted', () => {
  it('then those who may change the applications of its publisher get a mail, nobody else', async () => {
    await unitCreated(60);
    await made(routes.createUnitAdmin, { params: { unitId: 60 }, body: person('unit60') });
    const reader = { ...person('unit60-reader'), role: 1 };
    await made(routes.createUnitAdmin, { params: { unitId: 60 }, body: reader });
    const mailsAfter = async (unitId: number | null) => {
      const before = (await harness.mails()).length;
      await harness.deliver(fileEvents.fileRolloutHalted, {
        subject: 5,
        partnerId: null,
        data: { ...fileEvents.fileRolloutHalted.example, haltedBy: null, publisher: { unitId } },
      });
      return (await harness.mails()).slice(before).map(({ content }) => content);
    };
    expect(await mailsAfter(60)).toMatchObject([
      { template: 'rolloutHalted', ofApplication: true, to: 'unit60@example.com', byHand: false, version: 2 },
    ]);
    const ofPlatform = (await mailsAfter(null)).map(({ to }) => to);
    expect(ofPlatform).toContain('admin@example.com');
    expect(ofPlatform).not.toContain('unit10@example.com');
    // The stages of a tenant's file are its own.
    const before = (await harness.mails()).length;
    await harness.deliver(fileEvents.fileRolloutHalted, {
      subject: 5,
      partnerId: 1,
      data: fileEvents.fileRolloutHalted.example,
    });
    expect((await harness.mails()).length).toBe(before);
  });
});
