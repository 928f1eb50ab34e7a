import { generateKeyPairSync } from 'node:crypto';
import { fieldMessages, pushRoutes as routes } from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import { serviceAccountKey } from '@portal/testing/service-account';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  appCertificate,
  type PushHarness,
  startPushHarness,
  type TestPartner,
  trying,
} from './push-harness.ts';

let harness: PushHarness;
/** A certificate and its key; made once, since keys take their time. */
let ios: Awaited<ReturnType<typeof appCertificate>>;
let other: Awaited<ReturnType<typeof appCertificate>>;

beforeAll(async () => {
  harness = await startPushHarness();
  [ios, other] = await Promise.all([appCertificate(), appCertificate({ topic: 'com.example.other' })]);
});
afterAll(async () => harness.stop());

const attempt = trying(() => harness);
const create = async ({ admin, pid }: TestPartner, body: Record<string, unknown>) =>
  attempt(routes.createCertification, { params: { pid }, body: { name: 'App', ...body } }, admin);
const update = async ({ admin, pid }: TestPartner, id: number, body: Record<string, unknown>) =>
  attempt(routes.updateCertification, { params: { pid, id }, body }, admin);
const detail = async ({ admin, pid }: TestPartner, id: number) => {
  const reply = await harness.call(routes.getCertification, { params: { pid, id } }, admin);
  expect(reply.status).toBe(200);
  return reply.body;
};
const secretsOf = async (id: number) => {
  const [row] = await harness.sql<{ api_key: Buffer | null; private_key: Buffer | null }>(
    'SELECT * FROM certification_secrets WHERE certification_id = $1',
    id,
  );
  return [row?.api_key ? 'sealed' : null, row?.private_key ? 'sealed' : null];
};
const told = async (pid: number | null) =>
  (await harness.events())
    .filter(({ partnerid, type }) => partnerid === pid && type.startsWith('certification.'))
    .map(({ data, type }) => [type, data] as const);

/** A notification that uses a certification; null: the operator's. */
const notification = async (pid: number, certificationId: number | null, status = 'waiting') =>
  harness.sql(
    `INSERT INTO notifications (partner_id, title_key, message, target, certification_id, status, due_at, created_at, updated_at)
     VALUES ($1, '', 'm', 'all', $2, $3, now(), now(), now())`,
    pid,
    certificationId,
    status,
  );

describe('When a certification is registered', () => {
  test('then it tells of its parts, and its secrets are sealed', async () => {
    const own = await harness.partner();
    const id = await own.certification({ name: 'Sales', certificationFileName: 'sales.p12', ...ios });
    expect(await detail(own, id)).toEqual({
      id,
      name: 'Sales',
      certificationFileName: 'sales.p12',
      hasApiKey: true,
      projectId: 'demo-project',
      hasCertificate: true,
      topic: 'com.example.app',
      certificateExpiresAt: '2027-11-21T00:00:00Z',
      inUse: false,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    expect(await secretsOf(id)).toEqual(['sealed', 'sealed']);
    expect(await told(own.pid)).toEqual([
      [
        'certification.created',
        {
          certificationId: id,
          revision: 1,
          name: 'Sales',
          android: true,
          ios: true,
          topic: 'com.example.app',
          certificateExpiresAt: '2027-11-21T00:00:00Z',
        },
      ],
    ]);
  });

  test('then one part is enough, and what forms leave empty is absent', async () => {
    const own = await harness.partner();
    const android = await own.certification({
      name: 'Android',
      certificate: '',
      privateKey: '',
      certificationFileName: '',
    });
    expect(await detail(own, android)).toMatchObject({ hasApiKey: true, hasCertificate: false, topic: null });
    expect(await secretsOf(android)).toEqual(['sealed', null]);
    const apple = await own.certification({ name: 'iOS', apiKey: '', ...ios });
    expect(await detail(own, apple)).toMatchObject({
      hasApiKey: false,
      projectId: null,
      hasCertificate: true,
    });
    expect(await secretsOf(apple)).toEqual([null, 'sealed']);
  });

  test.each([{}, { apiKey: '', certificate: '' }, { apiKey: null, certificate: null, privateKey: null }])(
    'without any part %j, then it is E40030',
    async (body) => {
      expect(await create(await harness.partner(), body)).toEqual([400, 'E40030']);
    },
  );

  test('without a name, or with one that is too long, then the name is refused', async () => {
    const own = await harness.partner();
    expect(await create(own, { name: '', apiKey: serviceAccountKey() })).toEqual([400, 'E40003', 'name']);
    expect(await create(own, { name: undefined, apiKey: serviceAccountKey() })).toEqual([
      400,
      'E40003',
      'name',
    ]);
    expect(await create(own, { name: 'x'.repeat(256), apiKey: serviceAccountKey() })).toEqual([
      400,
      'E40002',
      'name',
    ]);
    expect(await create(own, { name: 'x'.repeat(255), apiKey: serviceAccountKey() })).toEqual([
      201,
      undefined,
    ]);
  });

  test('with the name of another of the tenant, ignoring case, then it is E40029 on name; other tenants have their own', async () => {
    const [own, stranger] = [await harness.partner(), await harness.partner()];
    await own.certification({ name: 'Ａpp' });
    expect(await create(own, { name: 'ａPP', apiKey: serviceAccountKey() })).toEqual([400, 'E40029', 'name']);
    expect((await create(stranger, { name: 'Ａpp', apiKey: serviceAccountKey() }))[0]).toBe(201);
  });

  test('by two at the same moment with one name, then one is refused', async () => {
    const own = await harness.partner();
    const both = await Promise.all([1, 2].map(async () => create(own, { apiKey: serviceAccountKey() })));
    expect(both.map(([status]) => status).sort()).toEqual([201, 400]);
  });
});

describe('When the key for Android is', () => {
  test.each([
    ['no JSON', 'secret'],
    ['JSON of something else', '{}'],
    ['JSON that is no object', '[1]'],
    ['of another type', serviceAccountKey({ type: 'authorized_user' })],
    ['without a project', serviceAccountKey({ project_id: undefined })],
    ['of a project that is part of no address', serviceAccountKey({ project_id: '../x' })],
    ['without an account', serviceAccountKey({ client_email: undefined })],
    ['without a private key', serviceAccountKey({ private_key: undefined })],
    ['with a private key that is none', serviceAccountKey({ private_key: 'key' })],
    ['with an elliptic key', serviceAccountKey({ private_key: elliptic() })],
    ['without an address for tokens', serviceAccountKey({ token_uri: undefined })],
    [
      'with an address for tokens of the tenant’s choice',
      serviceAccountKey({ token_uri: 'https://evil.example/token' }),
    ],
    ['with another path at Google', serviceAccountKey({ token_uri: 'https://oauth2.googleapis.com/other' })],
    [
      'with an address that only begins as Google’s',
      serviceAccountKey({ token_uri: 'https://oauth2.googleapis.com/token@evil.example' }),
    ],
  ])('%s, then it is E40002 on api_key', async (_, value) => {
    expect(await create(await harness.partner(), { apiKey: value })).toEqual([400, 'E40002', 'api_key']);
  });

  test('one of the place where pushes go instead, then it is taken', async () => {
    const elsewhere = await startPushHarness({ env: { PUSH_FCM_URL: 'https://fcm.test:8443/x' } });
    try {
      const { admin, pid } = await elsewhere.partner();
      const at = async (uri: string) => {
        const body = { name: uri, apiKey: serviceAccountKey({ token_uri: uri }) };
        return (await elsewhere.call(routes.createCertification, { params: { pid }, body }, admin)).status;
      };
      expect(await at('https://fcm.test:8443/token')).toBe(201);
      expect(await at('https://oauth2.googleapis.com/token')).toBe(201);
      expect(await at('https://fcm.test/token')).toBe(400);
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('When the certificate for iOS is', () => {
  test.each([
    ['no PEM', async () => ({ certificate: 'certificate', privateKey: ios.privateKey })],
    ['with a key that is none', async () => ({ certificate: ios.certificate, privateKey: 'key' })],
    ['with the key of another', async () => ({ certificate: ios.certificate, privateKey: other.privateKey })],
    ['without its key', async () => ({ certificate: ios.certificate })],
    ['a key alone', async () => ({ privateKey: ios.privateKey })],
    ['without an app', async () => appCertificate({ topic: null })],
    ['none for pushes', async () => appCertificate({ extension: '1.2.840.113635.100.6.1.2' })],
  ])('%s, then it is E40002 on certificate', async (_, fields) => {
    expect(await create(await harness.partner(), await fields())).toEqual([400, 'E40002', 'certificate']);
  });

  test.each(['1.2.840.113635.100.6.3.1', '1.2.840.113635.100.6.3.2'])(
    'for pushes by %s, then it is taken',
    async (extension) => {
      expect((await create(await harness.partner(), await appCertificate({ extension })))[0]).toBe(201);
    },
  );

  test('over, then it is taken all the same: it tells its end', async () => {
    const own = await harness.partner();
    const id = await own.certification(await appCertificate({ notAfter: new Date('2026-10-01T00:00:00Z') }));
    expect(await detail(own, id)).toMatchObject({ certificateExpiresAt: '2026-10-01T00:00:00Z' });
  });

  test('sent with a file name that is none, then the file name is refused', async () => {
    const body = { ...ios, certificationFileName: 'a/b.p12' };
    expect(await create(await harness.partner(), body)).toEqual([400, 'E40002', 'certification_file_name']);
  });
});

describe('When a certification is changed', () => {
  test('whose secrets cannot be opened any more, then others take their place', async () => {
    const own = await harness.partner();
    const id = await own.certification({ apiKey: serviceAccountKey(), ...ios });
    await harness.sql(
      'UPDATE certification_secrets SET api_key = $2, private_key = $2 WHERE certification_id = $1',
      id,
      Buffer.alloc(64),
    );
    expect((await update(own, id, { apiKey: serviceAccountKey() }))[0]).toBe(500);
    expect(await update(own, id, { apiKey: serviceAccountKey(), ...other })).toEqual([200, undefined]);
    expect(await update(own, id, { name: 'Opens again' })).toEqual([200, undefined]);
  });

  test('then what is absent stays, and others learn what it is', async () => {
    const own = await harness.partner();
    const id = await own.certification({ certificationFileName: 'a.p12', ...ios });
    harness.clock.advance(60_000);
    expect(await update(own, id, { name: 'Renamed', apiKey: '', certificate: '' })).toEqual([200, undefined]);
    expect(await detail(own, id)).toMatchObject({
      name: 'Renamed',
      certificationFileName: 'a.p12',
      hasApiKey: true,
      hasCertificate: true,
      updatedAt: '2026-11-21T09:01:00Z',
    });
    expect((await told(own.pid)).at(-1)).toEqual([
      'certification.updated',
      expect.objectContaining({
        certificationId: id,
        revision: 2,
        name: 'Renamed',
        android: true,
        ios: true,
      }),
    ]);
  });

  test('with another certificate, then it is what that one says', async () => {
    const own = await harness.partner();
    const id = await own.certification({ certificationFileName: 'a.p12', ...ios });
    expect((await update(own, id, { ...other, certificationFileName: 'b.p12' }))[0]).toBe(200);
    expect(await detail(own, id)).toMatchObject({
      topic: 'com.example.other',
      certificationFileName: 'b.p12',
    });
    // The key that is stored belongs to the other one.
    expect(await update(own, id, { certificate: ios.certificate })).toEqual([400, 'E40002', 'certificate']);
    expect((await update(own, id, { certificate: other.certificate }))[0]).toBe(200);
  });

  test('by the flag or by null, then a part goes with its secret', async () => {
    const own = await harness.partner();
    const id = await own.certification({ certificationFileName: 'a.p12', ...ios });
    expect((await update(own, id, { certificateDeleteFlag: true }))[0]).toBe(200);
    expect(await detail(own, id)).toMatchObject({
      hasApiKey: true,
      hasCertificate: false,
      topic: null,
      certificateExpiresAt: null,
      certificationFileName: null,
    });
    expect(await secretsOf(id)).toEqual(['sealed', null]);
    expect((await update(own, id, { ...ios, apiKey: null }))[0]).toBe(200);
    expect(await detail(own, id)).toMatchObject({ hasApiKey: false, projectId: null, hasCertificate: true });
    expect(await secretsOf(id)).toEqual([null, 'sealed']);
  });

  test('so that nothing is left, then it is E40030, and nothing has changed', async () => {
    const own = await harness.partner();
    const id = await own.certification(ios);
    expect(await update(own, id, { certificateDeleteFlag: true, apiKey: null })).toEqual([400, 'E40030']);
    expect(await detail(own, id)).toMatchObject({ hasApiKey: true, hasCertificate: true });
    const android = await own.certification({ name: 'Android' });
    expect(await update(own, android, { apiKey: null })).toEqual([400, 'E40030']);
  });

  test('to the name of another, then it is E40029 on name; to its own in capitals, it is not', async () => {
    const own = await harness.partner();
    const [id] = [await own.certification({ name: 'one' }), await own.certification({ name: 'two' })];
    expect(await update(own, id, { name: 'TWO' })).toEqual([400, 'E40029', 'name']);
    expect((await update(own, id, { name: 'ONE' }))[0]).toBe(200);
  });

  test('with a wrong key, then it is refused as on creation', async () => {
    const own = await harness.partner();
    const id = await own.certification();
    expect(await update(own, id, { apiKey: '{}' })).toEqual([400, 'E40002', 'api_key']);
    expect(await update(own, id, { certificate: ios.certificate })).toEqual([400, 'E40002', 'certificate']);
  });
});

describe('When a certification is deleted', () => {
  const remove = async ({ admin, pid }: TestPartner, id: number) =>
    attempt(routes.deleteCertification, { params: { pid, id } }, admin);

  test('then its secrets are gone too, and others are told', async () => {
    const own = await harness.partner();
    const id = await own.certification(ios);
    expect(await remove(own, id)).toEqual([200, undefined]);
    expect(await harness.sql('SELECT FROM certifications WHERE id = $1', id)).toEqual([]);
    expect(await harness.sql('SELECT FROM certification_secrets WHERE certification_id = $1', id)).toEqual(
      [],
    );
    expect((await told(own.pid)).at(-1)).toEqual(['certification.deleted', { certificationId: id }]);
    expect(await remove(own, id)).toEqual([404, 'E40401']);
  });

  test.each(['waiting', 'delivering'])(
    'while a notification is %s with it, then it is E40031',
    async (status) => {
      const own = await harness.partner();
      const id = await own.certification();
      await notification(own.pid, id, status);
      expect((await detail(own, id)).inUse).toBe(true);
      expect(await remove(own, id)).toEqual([400, 'E40031']);
    },
  );

  test('after its notifications, then it goes', async () => {
    const own = await harness.partner();
    const id = await own.certification();
    await notification(own.pid, id, 'success');
    await notification(own.pid, id, 'failure');
    expect((await detail(own, id)).inUse).toBe(false);
    expect((await remove(own, id))[0]).toBe(200);
  });
});

describe('When certifications are listed', () => {
  const list = async ({ admin, pid }: TestPartner, query: object) => {
    const { body, status } = await harness.call(routes.listCertifications, { params: { pid }, query }, admin);
    expect(status).toBe(200);
    return body;
  };
  const names = async (own: TestPartner, query: object) =>
    (await list(own, query)).certifications.map(({ name }) => name);

  test('then in pages, by each of their orders, by a part of the name', async () => {
    const own = await harness.partner();
    const b = await own.certification({ name: 'Bus 100%' });
    await own.certification({ name: 'apple' });
    await own.certification({ name: 'Cab' });
    harness.clock.advance(60_000);
    await update(own, b, { apiKey: serviceAccountKey() });
    expect(await list(own, { perPage: 2 })).toMatchObject({ currentPage: 1, totalPage: 2, totalCount: 3 });
    expect(await names(own, {})).toEqual(['Cab', 'apple', 'Bus 100%']);
    expect(await names(own, { orderKey: 'name', order: 'asc' })).toEqual(['apple', 'Bus 100%', 'Cab']);
    expect(await names(own, { orderKey: 'updatedAt' })).toEqual(['Bus 100%', 'Cab', 'apple']);
    expect(await names(own, { perPage: 2, page: 2 })).toEqual(['Bus 100%']);
    expect(await names(own, { name: 'A', order: 'asc' })).toEqual(['apple', 'Cab']);
    expect(await names(own, { name: '0%' })).toEqual(['Bus 100%']);
  });

  test('with all=true, then id and name, sorted by name', async () => {
    const own = await harness.partner();
    const [b, a] = [await own.certification({ name: 'b', ...ios }), await own.certification({ name: 'A' })];
    expect(await list(own, { all: true })).toEqual({
      certifications: [
        { id: a, name: 'A' },
        { id: b, name: 'b' },
      ],
    });
  });

  test('in a file, then it says what each is for, in the zone that was asked for', async () => {
    const own = await harness.partner();
    const a = await own.certification({ name: '=A', ...ios });
    const b = await own.certification({ name: 'B' });
    const { body, headers } = await harness.call(
      routes.exportCertifications,
      { params: { pid: own.pid }, query: { tz: 'Asia/Tokyo' } },
      own.admin,
    );
    expect(headers['content-disposition']).toContain('certifications.csv');
    expect(parse(String(body), { bom: true, columns: true })).toMatchObject([
      {
        id: String(a),
        name: "'=A",
        android: '1',
        ios: '1',
        topic: 'com.example.app',
        certificate_expires_at: '2027-11-21 09:00:00',
      },
      { id: String(b), name: 'B', android: '1', ios: '0', topic: '', certificate_expires_at: '' },
    ]);
  });
});

describe('Who may', () => {
  test('admins change them; who sends pushes lists the names alone; developers, users and players nothing', async () => {
    const own = await harness.partner();
    const id = await own.certification();
    const params = { pid: own.pid, id };
    const { sender } = own;
    expect((await attempt(routes.listCertifications, { params, query: { all: true } }, sender))[0]).toBe(200);
    const forbidden = [403, 'E40301'];
    expect(await attempt(routes.listCertifications, { params }, sender)).toEqual(forbidden);
    expect(await attempt(routes.getCertification, { params }, sender)).toEqual(forbidden);
    expect(await attempt(routes.deleteCertification, { params }, sender)).toEqual(forbidden);
    expect(await attempt(routes.updateCertification, { params, body: { name: 'x' } }, sender)).toEqual(
      forbidden,
    );
    expect(await attempt(routes.exportCertifications, { params }, sender)).toEqual(forbidden);
    expect(await attempt(routes.readP12, { body: { p12: 'AA==' } }, sender)).toEqual(forbidden);
    const developer = partnerActor({ partnerId: own.pid, role: 16 });
    expect(await attempt(routes.listCertifications, { params, query: { all: true } }, developer)).toEqual(
      forbidden,
    );
    const player = playerActor({ partnerId: own.pid, accountId: 3 });
    expect(await attempt(routes.listCertifications, { params }, player)).toEqual(forbidden);
    expect(await attempt(routes.listCertifications, { params }, adminActor())).toEqual([401, 'E40102']);
  });

  test.each(['free', 'trial', 'entry', 'standard'] as const)(
    'a tenant of rank %s has none of its own: E40304',
    async (contractRank) => {
      const own = await harness.partner({ contractRank });
      const refused = [403, 'E40304'];
      const params = { pid: own.pid, id: 1 };
      expect(await attempt(routes.listCertifications, { params, query: { all: true } }, own.admin)).toEqual(
        refused,
      );
      expect(await create(own, { apiKey: serviceAccountKey() })).toEqual(refused);
      expect(await attempt(routes.getCertification, { params }, own.admin)).toEqual(refused);
      expect(await update(own, 1, {})).toEqual(refused);
      expect(await attempt(routes.deleteCertification, { params }, own.admin)).toEqual(refused);
      expect(await attempt(routes.exportCertifications, { params }, own.admin)).toEqual(refused);
      expect(await attempt(routes.readP12, { body: { p12: 'AA==' } }, own.admin)).toEqual(refused);
    },
  );

  test('ids of another tenant are answered as ones that do not exist', async () => {
    const [own, stranger] = [await harness.partner(), await harness.partner()];
    const id = await stranger.certification();
    const [made] = await harness.sql<{ id: number }>('SELECT max(id) + 1000 AS id FROM certifications');
    for (const unknown of [id, Number(made?.id)]) {
      const params = { pid: own.pid, id: unknown };
      expect(await attempt(routes.getCertification, { params }, own.admin)).toEqual([404, 'E40401']);
      expect(await update(own, unknown, { name: 'x' })).toEqual([404, 'E40401']);
      expect(await attempt(routes.deleteCertification, { params }, own.admin)).toEqual([404, 'E40401']);
    }
    const params = { pid: stranger.pid, id };
    expect(await attempt(routes.getCertification, { params }, own.admin)).toEqual([404, 'E40402']);
  });

  test('administrators with GroupAdministration read those of the tenants of their unit', async () => {
    const own = await harness.partner({ unitId: 7 });
    await own.certification({ name: 'Seen' });
    const params = { pid: own.pid };
    const seenBy = async (role: number, unitId: number | null) =>
      attempt(routes.listPartnerCertifications, { params }, adminActor({ role, unitId }));
    expect(await seenBy(15, 7)).toEqual([200, undefined]);
    expect(await seenBy(15, null)).toEqual([200, undefined]);
    expect(await seenBy(7, 7)).toEqual([403, 'E40301']);
    expect(await seenBy(15, 8)).toEqual([403, 'E40305']);
    expect(
      await attempt(routes.listPartnerCertifications, { params: { pid: 99_999 } }, adminActor()),
    ).toEqual([404, 'E40402']);
    expect(await attempt(routes.listPartnerCertifications, { params }, own.admin)).toEqual([401, 'E40102']);
    const { body } = await harness.call(routes.listPartnerCertifications, { params }, adminActor());
    expect(body.certifications).toMatchObject([{ name: 'Seen', hasApiKey: true }]);
  });
});

describe('The certification of the operator', () => {
  const operators = {
    get: routes.getOperatorCertification,
    create: routes.createOperatorCertification,
    update: routes.updateOperatorCertification,
  };
  const root = adminActor();

  it('is not there until it is made, and is the only one', async () => {
    expect(await attempt(operators.get, {}, root)).toEqual([404, 'E40401']);
    expect(await attempt(operators.update, { body: { apiKey: serviceAccountKey() } }, root)).toEqual([
      404,
      'E40401',
    ]);
    expect(await attempt(operators.create, { body: {} }, root)).toEqual([400, 'E40030']);
    expect(await attempt(operators.create, { body: { apiKey: '{}' } }, root)).toEqual([
      400,
      'E40002',
      'api_key',
    ]);
    const made = await harness.call(operators.create, { body: { apiKey: serviceAccountKey() } }, root);
    expect(made.status).toBe(201);
    const { body } = await harness.call(operators.get, {}, root);
    expect(body).toEqual({
      id: made.body.id,
      certificationFileName: null,
      hasApiKey: true,
      projectId: 'demo-project',
      hasCertificate: false,
      topic: null,
      certificateExpiresAt: null,
      inUse: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await attempt(operators.create, { body: { apiKey: serviceAccountKey() } }, root)).toEqual([
      400,
      'E40032',
    ]);
    expect((await told(null)).at(-1)).toEqual([
      'certification.created',
      expect.objectContaining({ certificationId: made.body.id, name: null, android: true, ios: false }),
    ]);
  });

  it('is changed as those of tenants are', async () => {
    expect(
      (await attempt(operators.update, { body: { ...ios, certificationFileName: 'o.p12' } }, root))[0],
    ).toBe(200);
    expect((await harness.call(operators.get, {}, root)).body).toMatchObject({
      hasApiKey: true,
      topic: 'com.example.app',
      certificationFileName: 'o.p12',
    });
    expect(await attempt(operators.update, { body: { certificate: other.certificate } }, root)).toEqual([
      400,
      'E40002',
      'certificate',
    ]);
    expect((await attempt(operators.update, { body: { certificateDeleteFlag: true } }, root))[0]).toBe(200);
    expect(await attempt(operators.update, { body: { apiKey: null } }, root)).toEqual([400, 'E40030']);
    expect((await told(null)).at(-1)?.[0]).toBe('certification.updated');
  });

  it('is in use while a notification of any tenant waits without one of its own', async () => {
    const own = await harness.partner();
    await notification(own.pid, null);
    expect((await harness.call(operators.get, {}, root)).body.inUse).toBe(true);
  });

  it('is for administrators with SuperAdministration, and nobody else', async () => {
    const unit = adminActor({ role: 63, unitId: 1 });
    for (const actor of [adminActor({ role: 63 }), unit]) {
      expect(await attempt(operators.get, {}, actor)).toEqual([403, 'E40301']);
      expect(await attempt(operators.create, { body: {} }, actor)).toEqual([403, 'E40301']);
      expect(await attempt(operators.update, { body: {} }, actor)).toEqual([403, 'E40301']);
      expect(await attempt(routes.readP12, { body: { p12: 'AA==' } }, actor)).toEqual([403, 'E40301']);
    }
    expect(await attempt(operators.get, {}, partnerActor())).toEqual([401, 'E40102']);
  });

  it('is none of a tenant: no list, no id', async () => {
    const own = await harness.partner();
    const { body } = await harness.call(operators.get, {}, root);
    expect(
      await attempt(routes.getCertification, { params: { pid: own.pid, id: body.id } }, own.admin),
    ).toEqual([404, 'E40401']);
    const list = await harness.call(routes.listCertifications, { params: { pid: own.pid } }, own.admin);
    expect(list.body.certifications).toEqual([]);
  });
});

test('The refusals of keys and certificates say what is to be given', () => {
  for (const key of ['serviceAccount', 'pushCertificate', 'invalidP12', 'wrongP12Password'] as const)
    expect(Object.values(fieldMessages[key]).every((text) => text.length > 10)).toBe(true);
});

function elliptic(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
