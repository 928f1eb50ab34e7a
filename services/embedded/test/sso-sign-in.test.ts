import { createHash, randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { demoPassword, type Reply, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import {
  algorithms,
  assertionOf,
  honest,
  type Keys,
  newKeys,
  ofResponse,
  posted,
  redirected,
  responseOf,
  type Said,
  signedXml,
} from '@portal/testing/saml-provider';
import { partOf, wrapped } from '@portal/testing/saml-wrapping';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

/** Signing in and out by way of an identity provider, over the gateway and all services, with a provider that may lie. */

let product: Product;
let admin: string;
let keys: Keys;
let foreign: Keys;
const issuer = 'https://idp.example.com/metadata';
const patience = { timeout: 15_000, interval: 200 };
const pid = 1;
const at = `/v1/partner/partners/${pid}`;
const listener = 'http://127.0.0.1:51234/callback';

const metadataOf = ({ certificate }: Keys, { entityId = issuer, post = false } = {}) =>
  Buffer.from(
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/slo"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${post ? 'POST' : 'Redirect'}" Location="https://idp.example.com/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`,
  ).toString('base64');

beforeAll(async () => {
  [keys, foreign] = await Promise.all([newKeys(), newKeys()]);
  product = await startProduct({ LOG_LEVEL: 'warn' });
  admin = await signIn(product, '1000', 'partner@example.com');
  const body = { metadata: metadataOf(keys), group_attribute: 'groups' };
  expect(await send(product, 'POST', `${at}/sso`, { token: admin, body })).toMatchObject({ status: 201 });
}, 120_000);
afterAll(() => product?.remove());

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** What a call without JSON answers. */
async function visit(path: string, form?: Record<string, string>) {
  const reply = await fetch(product.url + path, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const text = await reply.text();
  const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined;
  return {
    status: reply.status,
    location: reply.headers.get('location') ?? '',
    text,
    code,
    headers: reply.headers,
  };
}

const asked = (more: Record<string, string | undefined> = {}) => {
  const query = {
    partner_code: '1000',
    agent: 'test-player/1.0',
    redirect_url: listener,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
  return new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
};

function requestIn(location: string): { id: string; text: string } {
  const packed = new URL(location).searchParams.get('SAMLRequest') ?? '';
  const text = inflateRawSync(Buffer.from(packed, 'base64')).toString();
  return { id: / ID="([^"]+)"/.exec(text)?.[1] ?? '', text };
}

async function begin(more: Record<string, string | undefined> = {}): Promise<string> {
  const { location, status, text } = await visit(`/v1/user/login/sso?${asked(more)}`);
  expect([status, text]).toEqual([302, '']);
  return requestIn(location).id;
}

const saying = (requestId: string, nameId: string, more: Partial<Said> = {}): Said => ({
  issuer,
  audience: `${product.url}/v1/user/login/sso/metadata/1000`,
  acsUrl: `${product.url}/v1/user/login/sso/acs`,
  requestId,
  now: Date.now(),
  nameId,
  ...more,
});

const accept = async (response: string, more: Record<string, string> = {}) =>
  visit('/v1/user/login/sso/acs', { SAMLResponse: posted(response), ...more });

const answerIn = (location: string) => {
  const { searchParams } = new URL(location);
  return { code: searchParams.get('code'), error: searchParams.get('error') };
};

/** A code for who the provider says that it is. */
async function codeFor(
  nameId: string,
  more: Partial<Said> = {},
  asking: Record<string, string | undefined> = {},
) {
  const said = saying(await begin(asking), nameId, more);
  const { location } = await accept(honest(said, { keys }));
  return answerIn(location);
}

const redeem = async (code: string | null, more: Record<string, unknown> = {}) =>
  send(product, 'POST', '/v1/user/login/sso/token', {
    body: { code, code_verifier: verifier, platform: { uuid: `sso-${code?.slice(0, 8)}` }, ...more },
  });

const users = async (): Promise<
  { id: number; loginUserId: string; email: string; groups: { name: string }[] }[]
> => {
  const { body } = await send(product, 'GET', `${at}/users?per_page=100`, { token: admin });
  return body.users as never;
};
const setting = async () => (await send(product, 'GET', `${at}/sso`, { token: admin })).body;

describe('When a player signs in at the identity provider', () => {
  test('then who is known gets a session with their device, and groups as the provider says', async () => {
    const { code } = await codeFor('taro', { attributes: { groups: ['Sales', 'No such group'] } });
    expect(code).toMatch(/^[\w-]{43}$/);
    const { body, status } = await redeem(code);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      partner: { partnerCode: '1000' },
      user: { loginUserId: 'taro', groups: [{ name: 'Sales' }] },
    });
    const own = await send(product, 'GET', '/v1/user/files', { token: String(body.accessToken) });
    expect(own.status).toBe(200);
    expect((await setting()).lastLoginAt).toEqual(expect.any(String));
  });

  test('then who is new becomes a user without a password, with the name that the provider tells', async () => {
    const attributes = { displayName: ['新しい人'], groups: ['Sales'] };
    const { code } = await codeFor('new.person@example.com', { attributes });
    const { body } = await redeem(code);
    expect(body).toMatchObject({
      user: { name: '新しい人', email: 'new.person@example.com', groups: [{ name: 'Sales' }] },
    });
    const made = (await users()).find(({ email }) => email === 'new.person@example.com');
    expect(made).toMatchObject({ passwordSet: false });
  });

  test('then a code is used once, within its minute, by who has its verifier alone', async () => {
    const { code } = await codeFor('taro', { attributes: { groups: ['Sales'] } });
    expect((await redeem(code)).status).toBe(200);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { code: 'E40004' } });
    for (const code_verifier of [randomBytes(32).toString('base64url'), undefined, '']) {
      const other = await codeFor('taro', { attributes: { groups: ['Sales'] } });
      expect(await redeem(other.code, { code_verifier })).toMatchObject({
        status: 400,
        body: { code: 'E40004' },
      });
      // Once tried wrongly, it is over.
      expect(await redeem(other.code)).toMatchObject({ status: 400, body: { code: 'E40004' } });
    }
    expect(await redeem('no such code')).toMatchObject({ status: 400, body: { code: 'E40004' } });
  });

  test.for([
    ['no agent', { agent: undefined }, 'E40005'],
    ['an agent without a version', { agent: 'player' }, 'E40005'],
    ['an address elsewhere', { redirect_url: 'https://evil.example/callback' }, 'E40002'],
    ['a host that begins alike', { redirect_url: 'http://127.0.0.1.evil.example/' }, 'E40002'],
    ['somebody before the host', { redirect_url: 'http://127.0.0.1:80@evil.example/' }, 'E40002'],
    ['a scheme that is no app of ours', { redirect_url: 'other://callback' }, 'E40002'],
    ['a script', { redirect_url: 'javascript:alert(1)' }, 'E40002'],
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'E40003'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'E40002'],
    ['a challenge without a method', { code_challenge_method: undefined }, 'E40002'],
    ['an unknown company', { partner_code: 'nobody' }, 'E40402'],
    ['a company without it', { partner_code: '2000' }, /^E40(304|401)$/],
  ] as const)('then with %s it does not begin', async ([, more, code]) => {
    const refused = await visit(`/v1/user/login/sso?${asked(more)}`);
    expect(refused.code).toMatch(code);
  });

  test('then an app gets the code at its own scheme, and what its address had besides', async () => {
    const requestId = await begin({ redirect_url: 'haishin://callback/?state=1&code=old' });
    const { location } = await accept(
      honest(saying(requestId, 'taro', { attributes: { groups: ['Sales'] } }), { keys }),
    );
    expect(location).toMatch(/^haishin:\/\/callback\/\?state=1&code=[\w-]{43}$/);
  });

  test('then the check says who may', async () => {
    for (const [code, flag] of [
      ['1000', true],
      ['2000', false],
      ['nobody', false],
    ] as const) {
      for (const path of ['/v1/user/login/sso/check', '/v1/user/login/sso/check/']) {
        const { body } = await send(product, 'GET', `${path}?partner_code=${code}`);
        expect(body).toEqual({ useSsoFlag: flag });
      }
    }
  });
});

describe('When a provider lies', () => {
  let before: unknown;
  let requestId: string;
  beforeEach(async () => {
    before = (await users()).map(({ id, email, loginUserId }) => [id, email, loginUserId]);
    requestId = await begin();
  });

  const says = (more: Partial<Said> = {}) => saying(requestId, 'victim@example.com', more);
  const mine = (more: Partial<Said> = {}) => saying(requestId, 'mallory@example.com', more);

  /** It comes to nothing, and the company can see why. */
  async function expectRefused(response: string, reason: RegExp) {
    const { location, status } = await accept(response);
    expect([status, answerIn(location)]).toEqual([302, { code: null, error: 'E40037' }]);
    expect(location.startsWith(listener)).toBe(true);
    expect((await users()).map(({ id, email, loginUserId }) => [id, email, loginUserId])).toEqual(before);
    expect((await setting()).lastError).toMatchObject({ reason: expect.stringMatching(reason) });
    expect(product.output()).toMatch(new RegExp(`"reason":"${reason.source.replace('^', '')}`));
  }

  test.for([1, 2, 3, 4, 5, 6, 7, 8] as const)(
    'then a wrapped signature (XSW%i) signs nobody in',
    async (number) => {
      await expectRefused(
        wrapped(number, mine(), says(), { keys }),
        /^(structure|malformed|unsigned|wrongSignature)/,
      );
    },
  );

  test.for([
    ['unsigned', () => responseOf(says(), assertionOf(says())), /^unsigned/],
    ['signed by a foreign key', () => honest(says(), { keys: foreign }), /^wrongSignature/],
    ['signed with SHA-1', () => honest(says(), { keys, algorithm: algorithms.rsaSha1 }), /^weakSignature/],
    [
      'signed with an HMAC',
      () => honest(says(), { keys }).replace(algorithms.rsaSha256, algorithms.hmacSha256),
      /^weakSignature/,
    ],
    [
      'with a comment in its NameID',
      () =>
        honest(saying(requestId, 'victim@example.com.evil.example'), { keys }).replace(
          '.evil',
          '<!---->.evil',
        ),
      /^forbiddenMarkup/,
    ],
    [
      'for another audience',
      () => honest(says({ audience: 'https://other.example' }), { keys }),
      /^audience/,
    ],
    [
      'for another recipient',
      () => honest(says({ recipient: 'https://other.example' }), { keys }),
      /^recipient/,
    ],
    [
      'for another destination',
      () => honest(says({ destination: 'https://other.example' }), { keys }),
      /^destination/,
    ],
    ['of another issuer', () => honest(says({ issuer: 'https://other.example' }), { keys }), /^issuer/],
    [
      'that only outside answers our request',
      () => responseOf(says(), partOf(honest(says({ requestId: '_other' }), { keys }), 'saml:Assertion')),
      /^inResponseTo/,
    ],
    ['of tomorrow', () => honest(says({ notBefore: '2999-01-01T00:00:00Z' }), { keys }), /^notYetValid/],
    ['of yesterday', () => honest(says({ notOnOrAfter: '2020-01-01T00:00:00Z' }), { keys }), /^expired/],
    [
      'with two assertions',
      () => signedXml(responseOf(says(), assertionOf(says()), assertionOf(mine())), ofResponse, { keys }),
      /^structure/,
    ],
    ['with a DOCTYPE', () => `<!DOCTYPE x [<!ENTITY a "b">]>${honest(says(), { keys })}`, /^forbiddenMarkup/],
    ['of nobody who could be a user', () => honest(says({ nameId: 'a b c' }), { keys }), /^identifier/],
  ] as const)('then a response %s signs nobody in', async ([, make, reason]) => {
    await expectRefused(make(), reason);
  });

  test('then a response is used once, and one that nobody asked for never', async () => {
    const response = honest(saying(requestId, 'taro', { attributes: { groups: ['Sales'] } }), { keys });
    expect(answerIn((await accept(response)).location).code).not.toBeNull();
    expect(await accept(response)).toMatchObject({ status: 400, code: 'E40037' });
    expect(await accept(honest(saying('_nobody-asked', 'taro'), { keys }))).toMatchObject({
      status: 400,
      code: 'E40037',
    });
    const unasked = honest(saying('_x', 'taro', { responseRequestId: null }), { keys }).replace(
      ' InResponseTo="_x"',
      '',
    );
    expect(await accept(unasked)).toMatchObject({ status: 400, code: 'E40037' });
  });

  test('then RelayState leads nowhere, and 5 MiB are not taken', async () => {
    const response = honest(saying(requestId, 'taro', { attributes: { groups: ['Sales'] } }), { keys });
    const { location } = await accept(response, { RelayState: 'https://evil.example/' });
    expect(location.startsWith(`${listener}?code=`)).toBe(true);
    expect((await accept('x'.repeat(5 * 1024 * 1024))).status).toBeGreaterThanOrEqual(400);
  });

  test('then the provider of another company vouches for nobody of this one', async () => {
    const other = await newKeys();
    const platform = await signInAdmin(product);
    const body = { metadata: metadataOf(other) };
    const made = await send(product, 'POST', '/v1/admin/partners/2/sso', { token: platform, body });
    expect([201, 403]).toContain(made.status);
    await expectRefused(honest(says(), { keys: other }), /^wrongSignature/);
  });
});

describe('When a company admin signs in to the portal this way', () => {
  const page = () => `${product.url}/partner/login/`;
  const toPortal = async (nameId: string, more: Partial<Said> = {}) =>
    codeFor(nameId, more, {
      redirect_url: page(),
      code_challenge: undefined,
      code_challenge_method: undefined,
    });

  test('then who exists may, nobody becomes one, and users may not', async () => {
    const { code } = await toPortal('partner@example.com');
    const opened = await redeem(code, { platform: undefined, code_verifier: undefined });
    expect(opened).toMatchObject({
      status: 200,
      body: { twoFactorSetup: false, user: { email: 'partner@example.com' } },
    });
    // Of somebody who began otherwise, and would have them signed in as themselves.
    const { code: foreign } = await toPortal('partner@example.com');
    expect(await redeem(foreign, { platform: undefined })).toMatchObject({
      status: 400,
      body: { code: 'E40004' },
    });
    const before = (await users()).length;
    expect(await toPortal('somebody@example.com')).toEqual({ code: null, error: 'E40301' });
    expect(await toPortal('taro')).toEqual({ code: null, error: 'E40301' });
    expect((await users()).length).toBe(before);
  });

  test('then signing out leads to the provider, and its answer back to the sign-in', async () => {
    const { code } = await toPortal('partner@example.com', { sessionIndex: 'portal-1' });
    const { body } = await redeem(code, { platform: undefined, code_verifier: undefined });
    const out = await send(product, 'POST', '/v1/partner/logout', { token: String(body.accessToken) });
    expect(out.status).toBe(200);
    const toProvider = await visit(
      new URL(String(out.body.logoutUrl)).pathname + new URL(String(out.body.logoutUrl)).search,
    );
    expect(toProvider.location).toMatch(/^https:\/\/idp\.example\.com\/slo\?SAMLRequest=/);
    const { id, text } = requestIn(toProvider.location);
    expect(text).toContain('partner@example.com');
    expect(text).toContain('portal-1');
    const response = `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${id}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${product.url}/v1/user/login/sso/slo" InResponseTo="${id}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>`;
    const back = await visit(
      `/v1/user/login/sso/slo?${redirected('SAMLResponse', response, { keys }, 'https://evil.example')}`,
    );
    expect(back.location).toBe(`${product.url}/partner/login/?partner_code=1000`);
    // A password's session has nothing to end elsewhere.
    const plain = await signIn(product, '1000', 'partner@example.com');
    expect((await send(product, 'POST', '/v1/partner/logout', { token: plain })).body).toEqual({});
  });
});

describe('When the provider signs somebody out', () => {
  const logoutOf = (nameId: string, sessionIndex?: string) =>
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomBytes(16).toString('hex')}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${product.url}/v1/user/login/sso/slo"><saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID>${sessionIndex ? `<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>` : ''}</samlp:LogoutRequest>`;
  const open = async (sessionIndex: string) => {
    const { code } = await codeFor('taro', { sessionIndex, attributes: { groups: ['Sales'] } });
    const { body } = await redeem(code, { platform: { uuid: `slo-${sessionIndex}` } });
    return String(body.accessToken);
  };
  const works = async (token: string) => (await send(product, 'GET', '/v1/user/files', { token })).status;

  test('then the sessions that it names end, the others with the person, and it is answered', async () => {
    const [one, two] = [await open('s1'), await open('s2')];
    const password = await signIn(product, '1000', 'taro', 'by-password');
    const query = redirected('SAMLRequest', logoutOf('taro', 's1'), { keys }, 'state of the provider');
    const answered = await visit(`/v1/user/login/sso/slo?${query}`);
    expect(answered.location).toMatch(
      /^https:\/\/idp\.example\.com\/slo\?SAMLResponse=.*&RelayState=state%20of%20the%20provider&/,
    );
    expect([await works(one), await works(two)]).toEqual([401, 200]);
    // Shown again, it ends nothing that came after it.
    expect(await visit(`/v1/user/login/sso/slo?${query}`)).toMatchObject({ status: 400, code: 'E40037' });
    const all = signedXml(logoutOf('taro'), "/*[local-name(.)='LogoutRequest']", { keys });
    expect((await visit('/v1/user/login/sso/slo', { SAMLRequest: posted(all) })).status).toBe(302);
    expect([await works(two), await works(password)]).toEqual([401, 200]);
  });

  test('then an unsigned or foreign logout ends nothing', async () => {
    const token = await open('s3');
    const forged = redirected('SAMLRequest', logoutOf('taro'), { keys: foreign });
    expect(await visit(`/v1/user/login/sso/slo?${forged}`)).toMatchObject({ status: 400, code: 'E40037' });
    const unsigned = posted(logoutOf('taro'));
    expect(await visit('/v1/user/login/sso/slo', { SAMLRequest: unsigned })).toMatchObject({
      status: 400,
      code: 'E40037',
    });
    expect(await works(token)).toBe(200);
  });
});

describe('When an admin tests the setting', () => {
  const test_ = async (respond: (said: Said) => string, nameId: string, more: Partial<Said> = {}) => {
    const begun = await send(product, 'POST', `${at}/sso/test`, { token: admin, body: {} });
    const url = new URL(String(begun.body.url));
    const { location } = await visit(url.pathname + url.search);
    const { location: end } = await accept(respond(saying(requestIn(location).id, nameId, more)));
    expect(end).toBe(`${product.url}/partner/sso/test?test=${String(begun.body.id)}`);
    return send(product, 'GET', `${at}/sso/test/${String(begun.body.id)}`, { token: admin });
  };

  test('then it shows who came and which groups, and changes nothing', async () => {
    const before = await users();
    const attributes = { groups: ['Sales', 'Nowhere'], displayName: ['Nobody yet'] };
    const { body } = await test_((said) => honest(said, { keys }), 'nobody.yet@example.com', { attributes });
    expect(body).toMatchObject({
      state: 'accepted',
      identifier: 'nobody.yet@example.com',
      name: 'Nobody yet',
      userId: null,
      groups: [
        { name: 'Sales', known: true },
        { name: 'Nowhere', known: false },
      ],
      attributes: expect.arrayContaining([{ name: 'groups', values: ['Sales', 'Nowhere'] }]),
      reason: null,
    });
    expect(await users()).toEqual(before);
  });

  test('then a company admin who is no user would come too', async () => {
    expect((await users()).map(({ email }) => email)).not.toContain('partner@example.com');
    const { body } = await test_((said) => honest(said, { keys }), 'partner@example.com');
    expect(body).toMatchObject({ state: 'accepted', userId: expect.any(Number), reason: null });
  });

  test('then it shows why nobody would come', async () => {
    const { body } = await test_((said) => responseOf(said, assertionOf(said)), 'taro');
    expect(body).toMatchObject({ state: 'refused', reason: expect.stringMatching(/^unsigned/) });
  });

  test('then only who began it sees it', async () => {
    const begun = await send(product, 'POST', `${at}/sso/test`, { token: admin, body: {} });
    const other = await signIn(product, '1000', 'partner@example.com');
    const path = `${at}/sso/test/${String(begun.body.id)}`;
    expect((await send(product, 'GET', path, { token: other })).status).toBe(404);
    expect((await send(product, 'GET', path, { token: admin })).body).toMatchObject({ state: 'waiting' });
  });
});

describe('When a company takes no passwords', () => {
  const login = async (fields: Record<string, unknown>): Promise<Reply> =>
    send(product, 'POST', '/v2/partner/login', {
      body: { partner_code: '1000', password: demoPassword, ...fields },
    });

  test('then only company admins sign in with one, and the last sign-ins are listed', async () => {
    await send(product, 'PUT', `${at}/sso`, { token: admin, body: { sso_only: true } });
    const taro = { login_user_id: 'taro', platform: { uuid: 'sso-only' } };
    await vi.waitFor(
      async () => expect(await login(taro)).toMatchObject({ status: 403, body: { code: 'E40301' } }),
      patience,
    );
    expect(await login({ ...taro, password: 'wrong-Passw0rd' })).toMatchObject({ status: 401 });
    expect(await login({ email: 'partner@example.com' })).toMatchObject({ status: 200 });
    const { code } = await codeFor('taro', { attributes: { groups: ['Sales'] } });
    expect((await redeem(code)).status).toBe(200);
    const { body } = await send(product, 'GET', `${at}/sso/sign_ins`, { token: admin });
    expect([body.signIns].flat()[0]).toMatchObject({ identifier: 'taro', reason: null });
    await send(product, 'PUT', `${at}/sso`, { token: admin, body: { sso_only: false } });
    await vi.waitFor(async () => expect((await login(taro)).status).toBe(200), patience);
  });
});

describe('When a provider takes forms alone', () => {
  test('then a page posts the request, under a policy that lets nothing else run', async () => {
    await send(product, 'PUT', `${at}/sso`, {
      token: admin,
      body: { metadata: metadataOf(keys, { post: true }) },
    });
    const { headers, status, text } = await visit(`/v1/user/login/sso?${asked()}`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; .*script-src 'sha256-[^']+'; .*form-action https: https:\/\/idp\.example\.com;/,
    );
    expect(text).toMatch(
      /<form method="post" action="https:\/\/idp\.example\.com\/sso"><input type="hidden" name="SAMLRequest" value="/,
    );
  });
});
