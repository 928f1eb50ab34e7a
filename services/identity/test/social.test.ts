import { limits, mediaOf, socialRoutes, userEvents } from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { type ServiceHarness, startServiceHarness, testApiKey } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityService } from '../src/service.ts';
import {
  accessToken,
  clientId,
  type Lies,
  type LyingProvider,
  startLyingProvider,
} from './lying-provider.ts';
import { peers } from './peers.ts';

/** Sign-in and sign-up with an account at an identity provider, which may lie. */

const publicUrl = 'http://localhost:8080';
const key = 'the-sign-up-key-of-tests';
let harness: ServiceHarness;
let provider: LyingProvider;
/** What the tenant service was given of each sign-up. */
const signedUp: string[] = [];
/** Which password and role are in force, each time that it is asked for. */
const generations: number[] = [];

beforeAll(async () => {
  provider = await startLyingProvider(() => harness.clock.now());
  harness = await startServiceHarness(identityService, {
    env: {
      DEMO: '1',
      PUBLIC_URL: publicUrl,
      SIGNUP_KEY: key,
      GOOGLE_ISSUER: provider.issuer,
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: 'secret',
    },
    peers: peers({
      generation: () => generations.shift() ?? 0,
      async onSignUp(identity) {
        signedUp.push(identity);
        await link(12, identity);
        return { id: 1, partnerCode: '1000' };
      },
    }),
  });
});
afterAll(async () => {
  await harness.stop();
  await provider.stop();
});

/** What the user service tells of the company admin who is made for a sign-up. */
const link = async (userId: number, identity: string) =>
  harness.deliver(userEvents.userCreated, {
    subject: userId,
    partnerId: 1,
    data: {
      userId,
      revision: 1,
      name: 'Company admin',
      email: 'partner@example.com',
      loginUserId: null,
      role: 268_435_456,
      isUser: false,
      groupIds: [],
      hasPassword: false,
      signUp: { identity },
    },
  });

const state = 'gAbCdEf1234';
const page = `${publicUrl}/partner/login`;
/** Sends browsers to the identity provider that a tenant has named, and there they take the fragment along. */
const ssoOfEvil = '/v1/user/login/sso?partner_code=evil&agent=a/1&redirect_url=http://localhost:8080/';

async function authorize(query: Record<string, string> = {}, name = 'google') {
  const search = new URLSearchParams({ state, redirect_url: page, ...query });
  const { body, headers, status } = await harness.raw({
    method: 'GET',
    url: `/v1/oauth2/${name}/authorize?${search}`,
  });
  return { status, code: body?.code, field: body?.errors?.[0]?.field, location: String(headers['location']) };
}

/** A browser at the provider: what it was sent there with. */
async function begin() {
  const { location, status } = await authorize();
  expect(status).toBe(302);
  const url = new URL(location);
  return { url, state: url.searchParams.get('state') ?? '', nonce: url.searchParams.get('nonce') ?? '' };
}

async function comeBack(query: Record<string, string>) {
  const { body, headers, status } = await harness.raw({
    method: 'GET',
    url: `/v1/oauth2/callback?${new URLSearchParams(query)}`,
  });
  if (status !== 302) return { status, code: body.code, fragment: new URLSearchParams(), at: '' };
  const url = new URL(String(headers['location']));
  return {
    status,
    code: undefined,
    fragment: new URLSearchParams(url.hash.slice(1)),
    at: url.origin + url.pathname,
  };
}

let codes = 0;
/** Goes the whole way, with a provider that lies so. */
async function goAndReturn(lies: Lies | ((nonce: string) => Lies) = {}) {
  const flow = await begin();
  const told = typeof lies === 'function' ? lies(flow.nonce) : { nonce: flow.nonce, ...lies };
  provider.answers(told);
  codes += 1;
  return { ...(await comeBack({ state: flow.state, code: `code-${codes}` })), flow };
}

/** A nonce of this installation, as every browser gets one. */
const freshNonce = async () => (await begin()).nonce;

const validate = async (body: { accessToken: string; idToken?: string | null }) =>
  harness.refused(socialRoutes.validateIdentity, { body });

const fields = {
  email: 'visitor@example.com',
  firstName: 'Hanako',
  lastName: 'Yamada',
  companyName: 'Social Company',
  tel: '03-1234-5678',
  accessToken,
  identityProvider: 'google',
} as const;
const signUp = async (given: object, apiKey = key) =>
  harness.refused(socialRoutes.signUpSocial, {
    body: { ...fields, ...given },
    headers: { 'x-api-key': apiKey },
  });

describe('When a browser goes to a provider', () => {
  test('then it takes a state, a nonce and a challenge along, and comes back to the page with the tokens', async () => {
    const { at, flow, fragment } = await goAndReturn();
    expect(flow.url.origin + flow.url.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(flow.url.searchParams)).toMatchObject({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: `${publicUrl}/v1/oauth2/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(flow.url.searchParams.get('scope')?.split(' ')).toContain('openid');
    expect(provider.asked()?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(at).toBe(page);
    expect(Object.fromEntries(fragment)).toEqual({
      access_token: accessToken,
      id_token: expect.any(String),
      expiry: '600',
      state,
    });
  });

  test.each([
    ['a page elsewhere', { redirect_url: 'https://evil.example/' }, 'redirect_url'],
    ['a page that only looks like one here', { redirect_url: `${publicUrl}.evil.example/` }, 'redirect_url'],
    ['a name in the address', { redirect_url: 'http://a:b@localhost:8080/' }, 'redirect_url'],
    ['a call, some of which lead elsewhere', { redirect_url: `${publicUrl}${ssoOfEvil}` }, 'redirect_url'],
    ['the same, escaped', { redirect_url: `${publicUrl}${ssoOfEvil.replace('v', '%76')}` }, 'redirect_url'],
    ['the state of another provider', { state: 'mAbCdEf1234' }, 'state'],
    ['a state of another form', { state: 'g-short' }, 'state'],
  ])('then %s is refused', async (_, query, field) => {
    expect(await authorize(query)).toMatchObject({ status: 400, code: 'E40002', field });
  });

  test('then whatever sends browsers on is no page to come back to', async () => {
    for (const { path } of allRoutes.filter(({ response }) => mediaOf(response).kind === 'redirect')) {
      expect(await authorize({ redirect_url: publicUrl + path }), path).toMatchObject({ code: 'E40002' });
    }
  });

  test('then a provider that is not set up, or unknown, is not there', async () => {
    for (const name of ['microsoft', 'other']) {
      expect(await authorize({ state: 'mAbCdEf1234' }, name)).toMatchObject({ status: 404, code: 'E40401' });
    }
    const { body } = await harness.call(socialRoutes.listIdentityProviders);
    expect(body).toEqual({ providers: ['google'] });
  });
});

describe('When a browser comes back', () => {
  test('with a state that nobody waits with, used or over, then it is refused', async () => {
    const { flow } = await goAndReturn();
    expect(await comeBack({ state: flow.state, code: 'another' })).toMatchObject({
      status: 400,
      code: 'E40004',
    });
    expect(await comeBack({ state: 'unknown', code: 'x' })).toMatchObject({ status: 400, code: 'E40004' });
    const late = await begin();
    harness.clock.advance(limits.identityFlowLifetime);
    expect(await comeBack({ state: late.state, code: 'x' })).toMatchObject({ status: 400, code: 'E40004' });
  });

  test('with a code that was used, or with the refusal of the provider, then the page is told', async () => {
    const [one, two] = [await begin(), await begin()];
    provider.answers({ nonce: one.nonce });
    expect((await comeBack({ state: one.state, code: 'once' })).fragment.has('access_token')).toBe(true);
    provider.answers({ nonce: two.nonce });
    const again = await comeBack({ state: two.state, code: 'once' });
    expect(Object.fromEntries(again.fragment)).toEqual({ error: 'E40102', state });
    const three = await begin();
    const refused = await comeBack({ state: three.state, error: 'access_denied' });
    expect(Object.fromEntries(refused.fragment)).toEqual({ error: 'E40102', state });
  });

  test('twice at once, then one gets the tokens', async () => {
    const flow = await begin();
    provider.answers({ nonce: flow.nonce });
    const both = await Promise.all(
      ['at-once-1', 'at-once-2'].map((code) => comeBack({ state: flow.state, code })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([302, 400]);
  });

  test.each<[string, Lies]>([
    ['a wrong key', { otherKey: true }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another-portal' } }],
    ['several audiences and the party of another', { claims: { aud: [clientId, 'x'], azp: 'x' } }],
    ['an access token of another id_token', { hashed: 'another-token' }],
    ['an id_token that is over', { claims: { exp: Math.floor(Date.parse('2026-11-21T08:00:00Z') / 1000) } }],
    ['no id_token', { withoutIdToken: true }],
    ['the nonce of another', { nonce: 'another' }],
  ])('with %s, then the page is told that it is not valid', async (_, lies) => {
    const { fragment } = await goAndReturn(lies);
    expect(Object.fromEntries(fragment)).toEqual({ error: 'E40102', state });
  });
});

describe('When tokens are posted', () => {
  test('of an account that belongs to nobody, then it is refused as a wrong sign-in', async () => {
    const idToken = await provider.idToken({ nonce: await freshNonce(), claims: { sub: 'nobody' } });
    const { body, status } = await validate({ accessToken, idToken });
    expect([status, body.code]).toEqual([401, 'E40101']);
  });

  test.each<[string, Lies]>([
    ['a wrong key', { otherKey: true }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another-portal' } }],
    ['an access token of another id_token', { hashed: 'another-token' }],
    ['an id_token that is over', { claims: { exp: Math.floor(Date.parse('2026-11-21T08:00:00Z') / 1000) } }],
    ['a nonce that this portal never made', { nonce: 'invented' }],
    ['no nonce', { claims: { nonce: undefined } }],
  ])('with %s, then they are not valid', async (_, lies) => {
    const idToken = await provider.idToken({ nonce: await freshNonce(), ...lies });
    const { body, status } = await validate({ accessToken, idToken });
    expect([status, body.code]).toEqual([401, 'E40102']);
    const refused = await signUp({ idToken });
    expect([refused.status, refused.body.code]).toEqual([401, 'E40102']);
  });

  test('that are no tokens at all, then they are not valid', async () => {
    for (const idToken of ['a', 'a.b.c', `${'x'.repeat(100)}.y.z`]) {
      expect((await validate({ accessToken, idToken })).body.code).toBe('E40102');
    }
  });

  test('as an access token alone, then the issuer says for whom it made it', async () => {
    provider.introspects('for-another', { active: true, client_id: 'another', sub: 'subject-1' });
    provider.introspects('over', { active: false });
    provider.introspects('for-us', { active: true, client_id: clientId, sub: 'nobody' });
    expect((await validate({ accessToken: 'for-another' })).body.code).toBe('E40102');
    expect((await validate({ accessToken: 'over' })).body.code).toBe('E40102');
    expect((await validate({ accessToken: 'unknown' })).body.code).toBe('E40102');
    expect((await validate({ accessToken: 'for-us' })).body.code).toBe('E40101');
  });
});

describe('When somebody signs up with their account', () => {
  test.each<[string, object]>([
    ['that is not proved', { email_verified: false }],
    ['of which nothing is said', { email_verified: undefined }],
    ['that only Microsoft may speak for', { email_verified: undefined, xms_edov: true }],
  ])('with an address %s, then it is refused', async (_, claims) => {
    const idToken = await provider.idToken({
      nonce: await freshNonce(),
      claims: { sub: 'unproved', ...claims },
    });
    const { body, status } = await signUp({ idToken });
    expect([status, body.code]).toEqual([403, 'E40301']);
    expect(signedUp).toEqual([]);
  });

  test('with another address in the form, or a wrong key, then it is refused', async () => {
    const idToken = await provider.idToken({ nonce: await freshNonce() });
    const { body, status } = await signUp({ idToken, email: 'other@example.com' });
    expect([status, body.code, body.errors.map(({ field }) => field)]).toEqual([400, 'E40002', ['email']]);
    expect((await signUp({ idToken }, 'wrong')).body.code).toBe('E40033');
    expect(signedUp).toEqual([]);
  });

  test('then they sign in with it at once, and it signs nobody else up', async () => {
    const idToken = await provider.idToken({ nonce: await freshNonce() });
    const { body, status } = await harness.call(socialRoutes.signUpSocial, {
      body: { ...fields, idToken, email: 'Visitor@example.com' },
      headers: { 'x-api-key': testApiKey },
    });
    expect([status, body]).toEqual([201, { id: 1, partnerCode: '1000' }]);
    expect(signedUp).toHaveLength(1);
    // Nobody else can read which account it is.
    expect(signedUp[0]).not.toContain('subject-1');

    const login = await harness.call(socialRoutes.validateIdentity, { body: { accessToken, idToken } });
    expect(login.status).toBe(200);
    expect(login.body).toMatchObject({ partner: { id: 1, partnerCode: '1000' }, user: { id: 12 } });
    const again = await signUp({ idToken });
    expect([again.status, again.body.code]).toEqual([403, 'E40312']);
    expect(signedUp).toHaveLength(1);
  });

  test('while their password or role changes, then the sign-in begins anew, and is refused the second time', async () => {
    const idToken = await provider.idToken({ nonce: await freshNonce() });
    const login = async () => {
      const { body, status } = await validate({ accessToken, idToken });
      return status === 200 ? status : body.code;
    };
    generations.push(0, 1, 1, 1);
    expect(await login()).toBe(200);
    generations.push(1, 2, 2, 3);
    expect(await login()).toBe('E40101');
    expect(generations).toEqual([]);
  });

  test('then no second factor is asked for, whether they have one or their company requires it', async () => {
    const idToken = await provider.idToken({ nonce: await freshNonce() });
    const login = async () => {
      const { body, status } = await harness.call(socialRoutes.validateIdentity, {
        body: { accessToken, idToken },
      });
      return [status, body.twoFactorSetup];
    };
    await harness.sql('INSERT INTO security_settings (partner_id, two_factor_required) VALUES (1, true)');
    expect(await login()).toEqual([200, false]);
    await harness.sql(
      `INSERT INTO two_factors (account_kind, account_id, partner_id, secret, enabled_at)
       VALUES ('account', 12, 1, '', now())`,
    );
    expect(await login()).toEqual([200, false]);
    expect(await harness.sql('SELECT count(*)::integer AS count FROM challenges')).toEqual([{ count: 0 }]);
    expect(await harness.sql('SELECT DISTINCT two_factor_setup AS setup FROM sessions')).toEqual([
      { setup: false },
    ]);
  });

  test('then the link goes with their account here', async () => {
    const idToken = await provider.idToken({ nonce: await freshNonce() });
    const data = { userId: 12 };
    await harness.deliver(userEvents.userDeleted, { subject: 12, partnerId: 1, data });
    expect((await validate({ accessToken, idToken })).body.code).toBe('E40101');
  });
});
