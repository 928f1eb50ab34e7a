import { errorCatalogue } from '@portal/contracts';
import { demoPassword, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/** Provisioning over all services: what the identity providers of tenants really send, and what they get. */

let product: Product;
let portal: string;
let token: string;
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'silent' });
  portal = await signIn(product, '1000', 'partner@example.com');
  token = await newToken(portal, 1);
});
afterAll(() => product?.remove());

async function newToken(as: string, pid: number): Promise<string> {
  const { body } = await send(product, 'POST', `/v1/partner/partners/${pid}/sso/tokens`, {
    token: as,
    body: { name: 'Directory' },
  });
  return String(body.token);
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** With the names of SCIM. */
  readonly body: ReturnType<typeof JSON.parse>;
}

async function scim(
  method: string,
  path: string,
  body?: unknown,
  options: { pid?: number; as?: string; headers?: Record<string, string>; type?: string } = {},
): Promise<Reply> {
  const { as = token, headers = {}, pid = 1, type = 'application/scim+json; charset=utf-8' } = options;
  const reply = await fetch(`${product.url}/scim/v2/${pid}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      'accept-language': 'en',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
let made = 0;
/** A user as another name each time. */
async function newUser(more: object = {}): Promise<{ id: string; userName: string }> {
  made += 1;
  const { body, status } = await scim('POST', '/Users', {
    schemas: [userSchema],
    userName: `person-${made}@example.com`,
    displayName: `Person ${made}`,
    active: true,
    ...more,
  });
  expect(status).toBe(201);
  return body;
}
const quoted = (text: string) => encodeURIComponent(text);
const refusal = ({ body, headers, status }: Reply) => {
  expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
  expect(body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.any(String),
  });
  return [status, body.scimType];
};

describe('What Entra ID sends', () => {
  test('a user is looked for, created, read, changed, disabled and deleted', async () => {
    const filter = `userName eq "Test_User_dfeef4c5@example.com"`;
    const none = await scim('GET', `/Users?filter=${quoted(filter)}`);
    expect([none.status, none.body]).toEqual([
      200,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      },
    ]);
    const created = await scim('POST', '/Users', {
      schemas: [userSchema, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_dfeef4c5@example.com',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [enterprise]: { department: 'Sales' },
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.body).toEqual({
      schemas: [userSchema],
      id: expect.stringMatching(/^\d+$/),
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_dfeef4c5@example.com',
      name: { formatted: 'givenName familyName' },
      displayName: 'givenName familyName',
      active: true,
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `${product.url}/scim/v2/1/Users/${id}`,
        version: created.headers.get('etag'),
      },
    });
    expect(created.headers.get('location')).toBe(created.body.meta.location);
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(created.body);
    expect((await scim('GET', `/Users?filter=${quoted(filter)}`)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id }],
    });

    const changed = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@example.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Support' },
        { op: 'Replace', path: 'userName', value: '5b50642d@example.com' },
        { op: 'Replace', path: 'displayName', value: 'Another name' },
      ),
    );
    expect(changed.body).toMatchObject({ userName: '5b50642d@example.com', displayName: 'Another name' });
    // As some of its tenants send it: truth as a text.
    const disabled = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf({ op: 'Replace', path: 'active', value: 'False' }),
    );
    expect([disabled.status, disabled.body.active]).toEqual([200, false]);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(refusal(await scim('GET', `/Users/${id}`))).toEqual([404, undefined]);
  });

  test('a group is created, looked for, renamed, filled, emptied and deleted', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const created = await scim('POST', '/Groups', {
      schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Entra group',
      meta: { resourceType: 'Group' },
    });
    expect([created.status, created.body.members]).toEqual([201, []]);
    const at = `/Groups/${created.body.id}`;
    const without = await scim('GET', `${at}?excludedAttributes=members`);
    expect(without.body).toMatchObject({ displayName: 'Entra group' });
    expect(without.body).not.toHaveProperty('members');
    const found = await scim(
      'GET',
      `/Groups?excludedAttributes=members&filter=${quoted('displayName eq "Entra Group"')}`,
    );
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: created.body.id }] });

    const patched = async (...operations: object[]) =>
      (await scim('PATCH', at, patchOf(...operations))).status;
    const members = async () =>
      (await scim('GET', at)).body.members.map(({ value }: { value: string }) => value);
    expect(await patched({ op: 'Replace', path: 'displayName', value: 'Entra renamed' })).toBe(204);
    expect(
      await patched({
        op: 'Add',
        path: 'members',
        value: [
          { $ref: null, value: one.id },
          { $ref: null, value: two.id },
        ],
      }),
    ).toBe(204);
    expect(await members()).toEqual([one.id, two.id]);
    expect(await patched({ op: 'Remove', path: 'members', value: [{ $ref: null, value: one.id }] })).toBe(
      204,
    );
    expect(await members()).toEqual([two.id]);
    expect((await scim('GET', at)).body.members).toEqual([
      { value: two.id, $ref: `${product.url}/scim/v2/1/Users/${two.id}`, type: 'User' },
    ]);
    expect((await scim('DELETE', at)).status).toBe(204);
    expect((await scim('GET', at)).status).toBe(404);
    expect((await scim('GET', `/Users/${two.id}`)).status).toBe(200);
  });
});

describe('What Okta sends', () => {
  test('a user is looked for, created, replaced, deactivated and reactivated', async () => {
    const search = await scim(
      'GET',
      `/Users?filter=${quoted('userName eq "test.user@okta.local.example"')}&startIndex=1&count=100`,
    );
    expect(search.body).toMatchObject({ totalResults: 0, itemsPerPage: 0 });
    const profile = {
      schemas: [userSchema],
      userName: 'test.user@okta.local.example',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local.example', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const { body, status } = await scim('POST', '/Users', profile, { type: 'application/scim+json' });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('password');
    const replaced = await scim('PUT', `/Users/${body.id}`, {
      ...profile,
      id: body.id,
      displayName: 'Another User',
      meta: { resourceType: 'User' },
    });
    expect(replaced.body).toMatchObject({ displayName: 'Another User', active: true });
    for (const active of [false, true]) {
      const patched = await scim('PATCH', `/Users/${body.id}`, patchOf({ op: 'replace', value: { active } }));
      expect([patched.status, patched.body.active]).toEqual([200, active]);
    }
    expect((await scim('POST', '/Users', profile)).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
  });

  test('a group is pushed: its name beside its id, its members added, removed by a filter, and replaced', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const { body } = await scim('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'Okta group',
      members: [{ value: one.id, display: one.userName }],
    });
    const at = `/Groups/${body.id}`;
    const members = async () =>
      (await scim('GET', at)).body.members.map(({ value }: { value: string }) => value);
    const patched = async (...operations: object[]) =>
      expect((await scim('PATCH', at, patchOf(...operations))).status).toBe(204);
    await patched({ op: 'replace', value: { id: body.id, displayName: 'Okta renamed' } });
    await patched(
      { op: 'remove', path: `members[value eq "${one.id}"]` },
      { op: 'add', path: 'members', value: [{ value: two.id, display: two.userName }] },
    );
    expect(await members()).toEqual([two.id]);
    await patched({ op: 'replace', path: 'members', value: [{ value: one.id }, { value: two.id }] });
    expect(await members()).toEqual([one.id, two.id]);
    expect((await scim('GET', at)).body.displayName).toBe('Okta renamed');
    expect(
      (await scim('PUT', at, { schemas: [groupSchema], displayName: 'Okta group' })).body.members,
    ).toEqual([]);
  });
});

describe('When somebody leaves the company', () => {
  test('then every session of theirs ends at once, on every service, and their licence is free', async () => {
    const user = await send(product, 'POST', '/v1/partner/partners/1/users', {
      token: portal,
      body: { name: 'Leaver', login_user_id: 'leaver', password: demoPassword },
    });
    const id = String(user.body.id);
    const player = await signIn(product, '1000', 'leaver', 'leaver-device');
    const calls = ['/v1/user/files', '/v1/token/validate'];
    for (const path of calls) expect((await send(product, 'GET', path, { token: player })).status).toBe(200);
    const left = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    expect(left.status).toBe(200);
    for (const path of calls) expect((await send(product, 'GET', path, { token: player })).status).toBe(401);
    const again = await send(product, 'POST', '/v2/partner/login', {
      body: {
        partner_code: '1000',
        login_user_id: 'leaver',
        password: demoPassword,
        platform: { uuid: 'x' },
      },
    });
    expect([again.status, again.body.code]).toEqual([403, 'E40301']);
    const shown = await send(product, 'GET', `/v1/partner/partners/1/users/${id}`, { token: portal });
    expect(shown.body).toMatchObject({ name: 'Leaver', active: false, passwordSet: true, platforms: [] });
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }));
    expect(await signIn(product, '1000', 'leaver', 'leaver-device')).toEqual(expect.any(String));
  });

  test('then it is in the operation log, as what the token of the tenant did', async () => {
    const { id } = await newUser({ displayName: 'Logged person' });
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    await vi.waitFor(async () => {
      const { body } = await send(product, 'GET', '/v1/partner/partners/1/operation_logs?per_page=100', {
        token: portal,
      });
      const entries = JSON.stringify(body);
      expect(entries).toContain('patchScimUser');
      expect(entries).toContain('createScimUser');
    }, 15_000);
  });
});

describe('When a version is named', () => {
  test('then a change to another one is refused, and what is known is not sent again', async () => {
    const user = await newUser();
    const at = `/Users/${user.id}`;
    const etag = String((await scim('GET', at)).headers.get('etag'));
    expect((await scim('GET', at, undefined, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const replace = patchOf({ op: 'replace', path: 'displayName', value: 'Renamed' });
    const stale = { headers: { 'if-match': 'W/"999"' } };
    expect(refusal(await scim('PATCH', at, replace, stale))).toEqual([412, undefined]);
    expect(refusal(await scim('DELETE', at, undefined, stale))).toEqual([412, undefined]);
    const first = await scim('PATCH', at, replace, { headers: { 'if-match': `W/${etag}` } });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).not.toBe(etag);
    expect((await scim('PATCH', at, replace, { headers: { 'if-match': etag } })).status).toBe(412);
    const group = await scim('POST', '/Groups', { displayName: 'Versioned', members: [] });
    const before = String(group.headers.get('etag'));
    const add = patchOf({ op: 'add', path: 'members', value: [{ value: user.id }] });
    const added = await scim('PATCH', `/Groups/${group.body.id}`, add, { headers: { 'if-match': before } });
    expect([added.status, added.headers.get('etag')]).not.toEqual([204, before]);
    expect(
      (await scim('PATCH', `/Groups/${group.body.id}`, add, { headers: { 'if-match': before } })).status,
    ).toBe(412);
    expect(
      (await scim('DELETE', `/Groups/${group.body.id}`, undefined, { headers: { 'if-match': '*' } })).status,
    ).toBe(204);
  });
});

describe('When resources are listed', () => {
  test('then pages, orders, attributes and searches are what is asked for', async () => {
    for (const letter of ['b', 'a', 'c']) {
      await newUser({
        userName: `listed-${letter}`,
        displayName: `Listed ${letter}`,
        externalId: `x-${letter}`,
      });
    }
    const filter = quoted('userName sw "LISTED-" and active eq true');
    const sorted = await scim(
      'GET',
      `/Users?filter=${filter}&sortBy=userName&sortOrder=descending&startIndex=2&count=1`,
    );
    expect(sorted.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(sorted.body.Resources[0].userName).toBe('listed-b');
    const few = await scim('GET', `/Users?filter=${filter}&attributes=userName,name.formatted&count=1000`);
    expect(Object.keys(few.body.Resources[0]).toSorted()).toEqual(['id', 'name', 'schemas', 'userName']);
    expect((await scim('GET', `/Users?count=0`)).body).toMatchObject({ itemsPerPage: 0, Resources: [] });
    expect((await scim('GET', `/Users?startIndex=-5&count=-1`)).body).toMatchObject({
      startIndex: 1,
      Resources: [],
    });
    const search = await scim('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'externalId eq "x-c"',
      excludedAttributes: ['meta'],
    });
    expect(search.body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'listed-c' }] });
    expect(search.body.Resources[0]).not.toHaveProperty('meta');
    await scim('POST', '/Groups', { displayName: 'Listed group' });
    const both = await scim('POST', '/.search', { filter: 'displayName sw "Listed"', count: 200 });
    expect(both.body.totalResults).toBe(4);
    expect(both.body.Resources.at(-1)).toMatchObject({ displayName: 'Listed group' });
    const groupsAlone = await scim('POST', '/.search', {
      filter: 'meta.resourceType eq "Group"',
      startIndex: 2,
      count: 1,
    });
    expect(groupsAlone.body.Resources).toHaveLength(1);
    expect(
      (await scim('POST', '/Groups/.search', { filter: 'displayName eq "listed group"' })).body.totalResults,
    ).toBe(1);
  });
});

describe('What is refused', () => {
  test.each<[string, string, string, unknown, number, string | undefined]>([
    [
      'an unknown attribute in a filter',
      'GET',
      `/Users?filter=${quoted('nickName eq "x"')}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'a filter that is none',
      'GET',
      `/Users?filter=${quoted('userName eq')}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'an open text in a filter',
      'GET',
      `/Users?filter=${quoted('userName eq "x')}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'a deep filter',
      'GET',
      `/Users?filter=${quoted(`${'('.repeat(50)}active eq true${')'.repeat(50)}`)}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'a long filter',
      'GET',
      `/Users?filter=${quoted(`userName eq "${'x'.repeat(3000)}"`)}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'many comparisons',
      'GET',
      `/Users?filter=${quoted(Array.from({ length: 60 }, () => 'id eq "1"').join(' or '))}`,
      undefined,
      400,
      'invalidFilter',
    ],
    ['a count that is none', 'GET', '/Users?count=many', undefined, 400, 'invalidValue'],
    ['an order that is none', 'GET', '/Users?sortBy=emails', undefined, 400, 'invalidValue'],
    [
      'a user without a name to sign in with',
      'POST',
      '/Users',
      { schemas: [userSchema] },
      400,
      'invalidValue',
    ],
    ['a name to sign in with of two words', 'POST', '/Users', { userName: 'two words' }, 400, 'invalidValue'],
    ['truth that is none', 'POST', '/Users', { userName: 'x', active: 'maybe' }, 400, 'invalidValue'],
    ['a body that is no JSON', 'POST', '/Users', '{"userName":', 400, 'invalidSyntax'],
    ['a deep body', 'POST', '/Users', `{"a":${'['.repeat(30)}${']'.repeat(30)}}`, 400, 'invalidSyntax'],
    [
      'members who are nobody',
      'POST',
      '/Groups',
      { displayName: 'Nobodies', members: [{ value: '999999' }] },
      400,
      'invalidValue',
    ],
    [
      'members that are groups',
      'POST',
      '/Groups',
      { displayName: 'Nested', members: [{ value: '1', type: 'Group' }] },
      400,
      'invalidValue',
    ],
    [
      'a filter of what the service says of itself',
      'GET',
      `/Schemas?filter=${quoted('name eq "User"')}`,
      undefined,
      403,
      undefined,
    ],
    ['a schema that is not there', 'GET', '/Schemas/urn:x', undefined, 404, undefined],
    ['a path that is not there', 'GET', '/Devices', undefined, 404, undefined],
    ['an id that is none', 'GET', '/Users/x', undefined, 404, undefined],
    ['bulk', 'POST', '/Bulk', {}, 404, undefined],
    ['a method that is not there', 'DELETE', '/Users', undefined, 405, undefined],
  ])('%s', async (_, method, path, body, status, scimType) => {
    expect(refusal(await scim(method, path, body))).toEqual([status, scimType]);
  });

  test.each<[string, object, string | undefined]>([
    ['no operation', { schemas: [] }, 'invalidSyntax'],
    ['another operation', patchOf({ op: 'move', path: 'userName' }), 'invalidSyntax'],
    ['an unknown path', patchOf({ op: 'replace', path: 'shoeSize', value: 1 }), 'invalidPath'],
    ['the id', patchOf({ op: 'replace', path: 'id', value: '7' }), 'mutability'],
    ['removing what everybody has', patchOf({ op: 'remove', path: 'userName' }), 'mutability'],
    ['removing nothing', patchOf({ op: 'remove' }), 'noTarget'],
    ['another way of signing in', patchOf({ op: 'replace', path: 'userName', value: 'an-id' }), 'mutability'],
  ])('a change of a user: %s', async (_, body, scimType) => {
    const { id } = await newUser();
    expect(refusal(await scim('PATCH', `/Users/${id}`, body))).toEqual([400, scimType]);
  });

  test('without a licence, with the message of the catalogue; a group with files; the last company admin', async () => {
    const { id } = await newUser();
    const group = await scim('POST', '/Groups', { displayName: 'With files' });
    const files = await send(product, 'GET', '/v1/partner/partners/1/files', { token: portal });
    const [file] = files.body.files as { id: number }[];
    const assigned = await send(product, 'PUT', `/v1/partner/partners/1/files/${file?.id}/groups`, {
      token: portal,
      body: { group_ids: [Number(group.body.id)] },
    });
    expect(assigned.status).toBe(200);
    expect(refusal(await scim('DELETE', `/Groups/${group.body.id}`))).toEqual([409, undefined]);
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    const admin = await signInAdmin(product);
    const { body: before } = await send(product, 'GET', '/v1/admin/partners/1', { token: admin });
    const { body: counted } = await scim('GET', `/Users?count=0&filter=${quoted('active eq true')}`);
    const { status } = await send(product, 'PUT', '/v1/admin/partners/1', {
      token: admin,
      body: { license_count: counted.totalResults },
    });
    expect([status, before.licenseCount]).toEqual([200, expect.any(Number)]);
    const refused = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }));
    expect(refusal(refused)).toEqual([403, undefined]);
    expect(refused.body.detail).toBe(errorCatalogue.E40008.en);
    expect(refusal(await scim('POST', '/Users', { userName: 'one-too-many' }))).toEqual([403, undefined]);
    await send(product, 'PUT', '/v1/admin/partners/1', {
      token: admin,
      body: { license_count: before.licenseCount },
    });
    // More licences are told by an event.
    await vi.waitFor(async () => {
      const again = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }));
      expect(again.status).toBe(200);
    }, 15_000);
  });

  test('whoever has no token of the tenant, or one that was revoked', async () => {
    expect(refusal(await scim('GET', '/Users', undefined, { as: 'portal_scim_wrong' }))).toEqual([
      401,
      undefined,
    ]);
    expect(refusal(await scim('GET', '/Users', undefined, { as: portal }))).toEqual([401, undefined]);
    const other = await send(product, 'GET', '/v1/partner/partners/1/sso/tokens', { token });
    expect(other.status).toBe(401);
    expect(refusal(await scim('GET', '/Users', undefined, { pid: 2 }))).toEqual([404, undefined]);
    const passing = await newToken(portal, 1);
    expect((await scim('GET', '/Users', undefined, { as: passing })).status).toBe(200);
    const { body } = await send(product, 'GET', '/v1/partner/partners/1/sso/tokens', { token: portal });
    const [newest] = body.tokens as { id: number; lastUsedAt: string | null }[];
    expect(newest?.lastUsedAt).toEqual(expect.any(String));
    await send(product, 'DELETE', `/v1/partner/partners/1/sso/tokens/${newest?.id}`, { token: portal });
    expect(refusal(await scim('GET', '/Users', undefined, { as: passing }))).toEqual([401, undefined]);
  });
});
