import { createHash } from 'node:crypto';
import {
  fileEvents,
  limits,
  type RouteRequest,
  signUpRoutes,
  tenantEvents,
  tenantRoutes,
} from '@portal/contracts';
import { confirmSignUp, findPartner, signedUpAdmin, signedUpAdminSeal } from '@portal/contracts/internal';
import { enterScope, withClient } from '@portal/database';
import { adminActor, type ServiceHarness, startServiceHarness, testApiKey } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';
import { signUpRequest } from './sign-up-requests.ts';

/** Companies that sign up by themselves. */

const key = 'the-sign-up-key-of-tests';
const platform = adminActor();
const { activateSignUp, getSignUpSettings, signUpFree, signUpTrial } = signUpRoutes;

let harness: ServiceHarness;
let first: number;
let north: number;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService, {
    env: { SIGNUP_KEY: key, TERMS_URL: 'https://example.com/terms' },
  });
  first = await unit('First');
  north = await unit('North');
});
afterAll(async () => harness.stop());

async function unit(name: string, allocatedLicense = 1_000, ownerPartnerid = 0): Promise<number> {
  const body = { name, allocatedLicense, ownerPartnerid };
  return (await harness.call(tenantRoutes.createUnit, { body }, platform)).body.id;
}

type Trial = RouteRequest<typeof signUpTrial>['body'];
type Given = Partial<Trial>;
const password = 'Orange-boat-42';
const withKey = { 'x-api-key': key };

const trial = async (given: Given = {}, headers: Record<string, string> = withKey) =>
  harness.call(signUpTrial, { body: { ...signUpRequest(), password, ...given } as Trial, headers });
const refusedTrial = async (given: Record<string, unknown> = {}, headers: Record<string, string> = withKey) =>
  harness.refused(signUpTrial, { body: { ...signUpRequest(), password, ...given } as Trial, headers });
const free = async (given: Given = {}) =>
  harness.call(signUpFree, { body: { ...signUpRequest(), ...given } as Trial, headers: withKey });
const refusedFree = async (given: Record<string, unknown> = {}) =>
  harness.refused(signUpFree, { body: { ...signUpRequest(), ...given } as Trial, headers: withKey });

const eventsOf = async (pid: number) =>
  (await harness.events()).filter(
    ({ partnerid, source, type }) => partnerid === pid && source === 'tenant' && type !== 'operation.logged',
  );
async function mailOf(pid: number) {
  return (await harness.mails()).find(({ partnerId }) => partnerId === pid)?.content;
}
async function tokenOf(pid: number): Promise<string> {
  const mail = await mailOf(pid);
  if (mail?.template !== 'signUpActivation') throw new Error('No mail with a link');
  return mail.token;
}
const partnerOf = async (pid: number) =>
  (await harness.call(tenantRoutes.getPartner, { params: { pid } }, platform)).body;
const activated = async (pid: number) =>
  (await harness.callAs('identity', findPartner, { body: { partnerId: pid } })).body.activated;
const activate = async (token: string) => harness.call(activateSignUp, { body: { token } });

describe('When a company signs up for a trial', () => {
  test('then it is there with the plan, in the first unit, and is not usable before the link is followed', async () => {
    const email = 'Trial.One@example.com';
    const ja = { ...withKey, 'accept-language': 'ja' };
    const { body, status } = await trial({ email, companyName: 'One Company' }, ja);
    expect(status).toBe(201);
    expect(body.partnerCode).toMatch(/^\d{8}$/);
    expect(await partnerOf(body.id)).toMatchObject({
      name: 'One Company',
      partnerCode: body.partnerCode,
      unitId: first,
      contractRank: 'trial',
      licenseType: 'user',
      licenseCount: 5,
      email,
      lang: 'ja',
    });
    expect(await activated(body.id)).toBe(false);
    const md5 = createHash('md5').update(body.partnerCode).digest('hex');
    const licence = await harness.refused(tenantRoutes.checkLicence, {
      query: { partnerCode: body.partnerCode, key: md5 },
      headers: { 'x-api-key': testApiKey },
    });
    expectRefusal(licence, 'E40402');
  });

  test('then its company admin is requested, whom the user service alone can read, with a hash', async () => {
    const { body } = await trial(
      { email: 'admin1@example.com', firstName: 'Taro', lastName: 'Sato' },
      { ...withKey, 'accept-language': 'ja' },
    );
    const events = (await eventsOf(body.id)).filter(({ type }) => type !== 'mail.requested');
    expect(events.map(({ type }) => type)).toEqual([
      'partner.created',
      'partner.licence_changed',
      'partner.signed_up',
      'company_admin.requested',
    ]);
    const { sealed } = tenantEvents.companyAdminRequested.data.parse(events[3]?.data);
    const seal = signedUpAdminSeal(body.id);
    const admin = signedUpAdmin.parse(JSON.parse(harness.sealsOf('user').open(sealed, seal)));
    expect(admin).toMatchObject({ name: 'Sato Taro', email: 'admin1@example.com', identity: null });
    expect(admin.passwordHash).toMatch(/^\$argon2id\$/);
    expect(() => harness.sealsOf('identity').open(sealed, seal)).toThrow();
    const everything = JSON.stringify(await eventsOf(body.id));
    for (const secret of [password, 'admin1@example.com', await tokenOf(body.id)]) {
      expect(everything).not.toContain(secret);
    }
  });

  test('then the mail is in the language of the visitor, and so is the company', async () => {
    const request = { firstName: 'Ann', lastName: 'Lee' };
    const { body } = await trial(request, { ...withKey, 'accept-language': 'en' });
    expect(await mailOf(body.id)).toMatchObject({
      template: 'signUpActivation',
      language: 'en',
      name: 'Ann Lee',
      partnerCode: body.partnerCode,
    });
    expect(await partnerOf(body.id)).toMatchObject({ lang: 'en' });
  });

  test('then what was said is kept, shown to administrators and exported', async () => {
    const { body } = await trial({
      email: ' kept@example.com ',
      purpose: 'inspection',
      agreedToTerms: true,
      tel: '+81 (3) 1234-5678',
    });
    const at = '2026-11-21T09:00:00Z';
    expect((await partnerOf(body.id)).signUp).toEqual({
      email: 'kept@example.com',
      firstName: 'Hanako',
      lastName: 'Yamada',
      tel: '+81 (3) 1234-5678',
      purpose: 'inspection',
      agreedToTermsAt: at,
      signedUpAt: at,
      activatedAt: null,
    });
    const short = await trial();
    expect((await partnerOf(short.body.id)).signUp).toMatchObject({ purpose: null, agreedToTermsAt: null });
  });

  test('then the licence log says by whom, and an unknown key, or none, opens nothing', async () => {
    const { body } = await trial();
    const log = await harness.call(
      tenantRoutes.listPartnerLicenceChanges,
      { params: { pid: body.id } },
      platform,
    );
    expect(log.body.licenseUpdatedLogs).toMatchObject([{ changedBy: 'sign-up' }]);
    expectRefusal(await refusedTrial({}, { 'x-api-key': 'wrong' }), 'E40033');
    expectRefusal(await refusedTrial({}, {}), 'E40033');
    expect((await trial({}, { 'x-api-key': testApiKey })).status).toBe(201);
    const lic = { partnerCode: '1', key: 'x' };
    expectRefusal(
      await harness.refused(tenantRoutes.checkLicence, { query: lic, headers: withKey }),
      'E40033',
    );
  });
});

describe('When the link of the mail is followed', () => {
  test('then the company is usable, its term begins, and the link is used up', async () => {
    const { body } = await trial();
    const token = await tokenOf(body.id);
    harness.clock.advance(2 * 3_600_000);
    const { body: reply, status } = await activate(token);
    expect([status, reply]).toEqual([200, { partnerCode: body.partnerCode }]);
    expect(await activated(body.id)).toBe(true);
    const now = harness.clock.now();
    const partner = await partnerOf(body.id);
    expect(partner.signUp?.activatedAt).toBe(`${now.toISOString().slice(0, 19)}Z`);
    const end = new Date(now);
    end.setUTCMonth(end.getUTCMonth() + 1);
    expect(partner.licenseExpiredOn).toBe(`${end.toISOString().slice(0, 19)}Z`);
    const log = await harness.call(
      tenantRoutes.listPartnerLicenceChanges,
      { params: { pid: body.id } },
      platform,
    );
    expect(
      log.body.licenseUpdatedLogs.map(({ after, changedBy }) => [changedBy, Object.keys(after)]),
    ).toEqual([
      ['sign-up', ['licenseExpiredOn']],
      ['sign-up', expect.arrayContaining(['contractRank', 'licenseCount'])],
    ]);
    expectRefusal(await harness.refused(activateSignUp, { body: { token } }), 'E40004');
  });

  test('then of two at once one passes', async () => {
    const { body } = await trial();
    const token = await tokenOf(body.id);
    const answers = await Promise.all([activate(token), activate(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('then after a day it is over, and an unknown one never was', async () => {
    const { body } = await trial();
    const token = await tokenOf(body.id);
    harness.clock.advance(limits.activationLinkLifetime);
    expectRefusal(await harness.refused(activateSignUp, { body: { token } }), 'E40004');
    expectRefusal(await harness.refused(activateSignUp, { body: { token: 'unknown' } }), 'E40004');
    expectRefusal(await harness.refused(activateSignUp, { body: { token: '' } }), 'E40003', 'token');
    expect(await activated(body.id)).toBe(false);
  });

  test('then an end that an administrator has set meanwhile stays', async () => {
    const { body } = await trial();
    const licenseExpiredOn = '2028-01-01T00:00:00Z';
    await harness.call(
      tenantRoutes.updatePartner,
      { params: { pid: body.id }, body: { licenseExpiredOn } },
      platform,
    );
    await activate(await tokenOf(body.id));
    expect((await partnerOf(body.id)).licenseExpiredOn).toBe(licenseExpiredOn);
  });
});

describe('When a company signs up for free', () => {
  test('then it has the free plan, and its admin has yet to choose a password', async () => {
    const { body, status } = await free({ email: 'free1@example.com' });
    expect(status).toBe(201);
    expect(await partnerOf(body.id)).toMatchObject({
      contractRank: 'free',
      licenseCount: 1,
      uapFileLimit: 1,
    });
    const events = await eventsOf(body.id);
    expect(events.map(({ type }) => type)).not.toContain('mail.requested');
    const asked = events.find(({ type }) => type === 'company_admin.requested');
    const { sealed } = tenantEvents.companyAdminRequested.data.parse(asked?.data);
    const admin = JSON.parse(harness.sealsOf('user').open(sealed, signedUpAdminSeal(body.id))) as object;
    expect(admin).toMatchObject({ email: 'free1@example.com', passwordHash: null });
    expect(await activated(body.id)).toBe(false);
  });

  test('then it is activated once its address is proved, and by no other address', async () => {
    const { body } = await free({ email: 'free2@example.com' });
    const confirm = async (email: string) =>
      harness.callAs('identity', confirmSignUp, { body: { partnerId: body.id, email } });
    await confirm('other@example.com');
    expect(await activated(body.id)).toBe(false);
    await confirm('FREE2@example.com');
    expect(await activated(body.id)).toBe(true);
    const { licenseExpiredOn } = await partnerOf(body.id);
    harness.clock.advance(60_000);
    await confirm('free2@example.com');
    expect((await partnerOf(body.id)).licenseExpiredOn).toBe(licenseExpiredOn);
  });
});

describe('When the address of a free sign-up is corrected', () => {
  test('then the admin whom it made activates the company with the other address, and nobody else does', async () => {
    const { body } = await free({ email: 'typo@example.com' });
    const confirm = async (more: { ofSignedUpAdmin?: boolean }) =>
      harness.callAs('identity', confirmSignUp, {
        body: { partnerId: body.id, email: 'right@example.com', ...more },
      });
    await confirm({});
    await confirm({ ofSignedUpAdmin: false });
    expect(await activated(body.id)).toBe(false);
    await confirm({ ofSignedUpAdmin: true });
    expect(await activated(body.id)).toBe(true);
  });
});

describe('When an address has signed up before', () => {
  test('then it gets no second trial, whatever its case and the spaces around it, but a free company', async () => {
    const { body } = await trial({ email: 'once@example.com' });
    expectRefusal(await refusedTrial({ email: ' ONCE@Example.com ' }), 'E40310', 'email');
    expect((await free({ email: 'once@example.com' })).status).toBe(201);
    expectRefusal(await refusedFree({ email: 'Once@example.com' }), 'E40311', 'email');
    // Also when the company is gone.
    await activate(await tokenOf(body.id));
    await harness.call(tenantRoutes.deletePartner, { params: { pid: body.id } }, platform);
    expectRefusal(await refusedTrial({ email: 'once@example.com' }), 'E40310', 'email');
  });

  test('then of two at the same moment one passes, for an address and for a code', async () => {
    const same = await Promise.all([1, 2, 3].map(async () => trial({ email: 'race@example.com' })));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    const codes = await Promise.all([1, 2, 3].map(async () => trial({ partnerCode: '777' })));
    expect(codes.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  test('then one that nobody activates is gone after seven days, and its address and code are free again', async () => {
    const given = { email: 'gone@example.com', partnerCode: '4242' };
    const { body } = await trial(given);
    harness.clock.advance(limits.unactivatedRetention - 1_000);
    await harness.runJobs();
    expectRefusal(await refusedTrial({ email: given.email }), 'E40310', 'email');
    harness.clock.advance(1_000);
    await harness.runJobs();
    const gone = await harness.refused(tenantRoutes.getPartner, { params: { pid: body.id } }, platform);
    expectRefusal(gone, 'E40402');
    expect((await eventsOf(body.id)).map(({ type }) => type)).toContain('partner.deleted');
    const again = await trial(given);
    expect([again.status, again.body.partnerCode]).toEqual([201, '4242']);
  });

  test('then an activated one stays, and an administrator may delete one that is not, whose address is free', async () => {
    const kept = await trial();
    await activate(await tokenOf(kept.body.id));
    const email = 'deleted@example.com';
    const { body } = await trial({ email });
    await harness.call(tenantRoutes.deletePartner, { params: { pid: body.id } }, platform);
    expect((await trial({ email })).status).toBe(201);
    harness.clock.advance(limits.unactivatedRetention);
    await harness.runJobs();
    expect((await partnerOf(kept.body.id)).id).toBe(kept.body.id);
  });

  test('then one that is activated while it is to be deleted keeps what was agreed to, and its address', async () => {
    const email = 'at-last@example.com';
    const { body } = await trial({ email });
    harness.clock.advance(limits.unactivatedRetention);
    await withClient(harness.databaseUrl, async (another) => {
      await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: body.id });
      await another.query('BEGIN');
      await another.query('SELECT FROM partners WHERE partner_id = $1 FOR UPDATE', [body.id]);
      const deleting = harness.runJobs();
      const waiting = 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
      await expect.poll(async () => (await another.query(waiting)).rowCount).toBe(1);
      await another.query('UPDATE sign_ups SET activated_at = now(), delete_after = NULL');
      await another.query('UPDATE partners SET awaits_activation = false');
      await another.query('COMMIT');
      await deleting;
    });
    expect(await harness.sql('SELECT FROM sign_ups WHERE partner_id = $1', body.id)).toHaveLength(1);
    expectRefusal(await refusedTrial({ email }), 'E40310', 'email');
  });
});

describe('When a sign-up names a unit', () => {
  test('then the company is of it, and an unknown one is refused', async () => {
    const { body } = await trial({ outsourcingId: north });
    expect(await partnerOf(body.id)).toMatchObject({ unitId: north });
    expectRefusal(await refusedTrial({ outsourcingId: 99_999 }), 'E40401', 'outsourcingId');
  });

  test('then a full one is refused, and one that is not activated holds its licences', async () => {
    const small = await unit('Small', 6);
    expect((await trial({ outsourcingId: small })).status).toBe(201);
    expectRefusal(await refusedTrial({ outsourcingId: small }), 'E40016', 'outsourcingId');
    expect((await free({ outsourcingId: small })).status).toBe(201);
    expectRefusal(await refusedFree({ outsourcingId: small }), 'E40016', 'outsourcingId');
  });

  test('then the licence ends with that of its owner, where it asks for that', async () => {
    const owner = async (licenseExpiredOn: string | null) => {
      const body = {
        name: 'Owner',
        unitId: first,
        contractRank: 'entry',
        licenseCount: 1,
        licenseExpiredOn,
      } as const;
      return (await harness.call(tenantRoutes.createPartner, { body }, platform)).body.id;
    };
    const ends = await unit('Ends', 100, await owner('2027-05-05T00:00:00Z'));
    const lasts = await unit('Lasts', 100, await owner(null));
    const endOf = async (outsourcingId: number, inheritParentExpiry: boolean) => {
      const { body } = await trial({ outsourcingId, inheritParentExpiry });
      const before = (await partnerOf(body.id)).licenseExpiredOn;
      await activate(await tokenOf(body.id));
      const { licenseExpiredOn } = await partnerOf(body.id);
      expect(licenseExpiredOn).toBe(before);
      return licenseExpiredOn;
    };
    expect(await endOf(ends, true)).toBe('2027-05-05T00:00:00Z');
    expect(await endOf(lasts, true)).toBeNull();
    const planned = await endOf(ends, false);
    expect(planned).not.toBe('2027-05-05T00:00:00Z');
    expect(await endOf(north, true)).toBe(planned);
  });
});

describe('When a field of a sign-up is wrong', () => {
  const long = (length: number) => 'x'.repeat(length);
  test.each<[string, unknown, string]>([
    ['email', undefined, 'E40003'],
    ['email', 'no-address', 'E40002'],
    ['email', 'a@example.com\r\nBcc: b@example.com', 'E40002'],
    ['password', undefined, 'E40003'],
    ['password', 'short1', 'E40002'],
    ['password', 'lettersalone', 'E40002'],
    ['password', 'password123', 'E40002'],
    ['firstName', '', 'E40003'],
    ['firstName', ' ', 'E40003'],
    ['firstName', long(101), 'E40002'],
    ['firstName', 'Taro\r\nBcc: x', 'E40002'],
    ['lastName', undefined, 'E40003'],
    ['lastName', long(101), 'E40002'],
    ['companyName', '', 'E40003'],
    ['companyName', long(256), 'E40002'],
    ['companyName', 'A\nB', 'E40002'],
    ['tel', undefined, 'E40003'],
    ['tel', '1234567', 'E40002'],
    ['tel', '123456789012345678901', 'E40002'],
    ['tel', '03-1234-567a', 'E40002'],
    ['purpose', 'fun', 'E40002'],
    ['agreedToTerms', false, 'E40002'],
    ['partnerCode', 'abc', 'E40002'],
    ['partnerCode', '12 3', 'E40002'],
    ['partnerCode', '1'.repeat(33), 'E40002'],
    ['outsourcingId', -1, 'E40002'],
    ['outsourcingId', '1', 'E40002'],
    ['inheritParentExpiry', 'yes', 'E40002'],
    ['appId', 1.5, 'E40002'],
    ['appId', 4_711, 'E40405'],
  ])('then %s as %j is refused', async (field, value, code) => {
    expectRefusal(await refusedTrial({ [field]: value }), code, field);
    if (field !== 'password') expectRefusal(await refusedFree({ [field]: value }), code, field);
  });

  test('then an application must be published, by the platform or by the unit', async () => {
    const { example } = fileEvents.applicationPublished;
    const told = async (applicationId: number, unitId: number | null) =>
      harness.deliver(fileEvents.applicationPublished, {
        subject: applicationId,
        partnerId: null,
        data: { ...example, applicationId, unitId },
      });
    await told(901, null);
    await told(902, first);
    await told(903, 999);
    for (const appId of [901, 902]) {
      const { body } = await trial({ appId });
      expect((await harness.events('partner.signed_up')).at(-1)?.data).toMatchObject({
        partnerId: body.id,
        applicationId: appId,
      });
    }
    expectRefusal(await refusedTrial({ appId: 903 }), 'E40405', 'appId');
    const data = { applicationId: 901 };
    await harness.deliver(fileEvents.applicationDeleted, { subject: 901, partnerId: null, data });
    expectRefusal(await refusedTrial({ appId: 901 }), 'E40405', 'appId');
  });

  test('then a code that is taken is told on its field, and an empty one is none', async () => {
    const { body } = await trial({ partnerCode: '909090' });
    expect(body.partnerCode).toBe('909090');
    expectRefusal(await refusedTrial({ partnerCode: '909090' }), 'E40014', 'partnerCode');
    expect((await trial({ partnerCode: '' })).body.partnerCode).toMatch(/^\d{8}$/);
  });

  test('then a password that is the own name or address is refused', async () => {
    const own = { email: 'orange.boat42@example.com', password: 'orange.boat42' };
    expectRefusal(await refusedTrial(own), 'E40002', 'password');
  });
});

describe('The settings of the sign-up', () => {
  test('are told to the web client', async () => {
    expect((await harness.call(getSignUpSettings)).body).toEqual({
      signupKey: key,
      termsUrl: 'https://example.com/terms',
    });
  });
});

describe('When sign-up is off', () => {
  let off: ServiceHarness;
  beforeAll(async () => {
    off = await startServiceHarness(tenantService, { env: { DEMO: '1', SIGNUP_KEY: '' } });
  });
  afterAll(async () => off.stop());

  test('then all calls are refused, with the other key too', async () => {
    expect((await off.call(getSignUpSettings)).body).toEqual({ signupKey: null, termsUrl: null });
    for (const apiKey of ['', 'demo-signup-key', testApiKey]) {
      for (const contract of [signUpTrial, signUpFree]) {
        const request = { body: { ...signUpRequest(), password } as Trial, headers: { 'x-api-key': apiKey } };
        expectRefusal(await off.refused(contract, request), 'E40033');
      }
    }
  });
});

describe('When the settings name a unit', () => {
  test('then companies that name none are of it', async () => {
    const other = await startServiceHarness(tenantService, { env: { SIGNUP_KEY: key, SIGNUP_UNIT_ID: '2' } });
    try {
      for (const name of ['One', 'Two']) {
        const body = { name, allocatedLicense: 10 };
        await other.call(tenantRoutes.createUnit, { body }, platform);
      }
      const body = { ...signUpRequest(), password } as Trial;
      const made = await other.call(signUpTrial, { body, headers: withKey });
      const { body: shown } = await other.call(
        tenantRoutes.getPartner,
        { params: { pid: made.body.id } },
        platform,
      );
      expect(shown.unitName).toBe('Two');
    } finally {
      await other.stop();
    }
  });
});
