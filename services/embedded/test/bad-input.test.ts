import {
  admits,
  mediaOf,
  pathsOf,
  type RouteContract,
  snakeKey,
  staysOpen,
  takesBearerKey,
} from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import { type Reply, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';

/** Bad input gets a clear refusal, never a 500: on every route, with valid tokens. */

let product: Product;
let tokens: Record<'admin' | 'portal' | 'player' | 'provisioning', string>;

beforeAll(async () => {
  product = await startProduct();
  tokens = {
    admin: await signInAdmin(product),
    portal: await signIn(product, '2000', 'second@example.com'),
    player: await signIn(product, '2000', 'crew1', 'bad-input'),
    provisioning: '',
  };
  // A contract with every API, which is heard a moment later.
  const contract = { token: tokens.admin, body: { contract_rank: 'enterprise' } };
  expect((await send(product, 'PUT', '/v1/admin/partners/2', contract)).status).toBe(200);
  const certifications = '/v1/partner/partners/2/push_notifications/certifications';
  const heard = async () => (await send(product, 'GET', certifications, { token: tokens.portal })).status;
  await vi.waitFor(async () => expect(await heard()).toBe(200), { timeout: 10_000 });
  await vi.waitFor(
    async () => {
      const request = { token: tokens.portal, body: { name: 'Bad input' } };
      const made = await send(product, 'POST', '/v1/partner/partners/2/sso/tokens', request);
      expect(made.status).toBe(201);
      tokens.provisioning = String(made.body.token);
    },
    { timeout: 10_000 },
  );
});
afterAll(() => product?.remove());

const tokenFor = (route: RouteContract) => {
  if (admits(route, 'public')) return undefined;
  if (admits(route, 'admin')) return tokens.admin;
  if (takesBearerKey(route)) return tokens.provisioning;
  return admits(route, 'player') ? tokens.player : tokens.portal;
};

/** The code of a refusal; SCIM has a form of its own, which says the same. */
const codeOf = ({ errorFormat }: RouteContract, { body, status }: Reply) =>
  errorFormat && body.status === String(status) && Array.isArray(body.schemas) ? 'E40001' : body.code;

/** Ending the session would end the walk. */
const walked = allRoutes.filter((route) => !/Logout$/.test(route.id) && !staysOpen(route));
/** What is streamed is read by its handler, and its tests are with it. */
const withBody = walked.filter(({ body }) => body && mediaOf(body).kind !== 'bytes');
/** A document may have whatever keys; its own tests tell which are refused, and at which place. */
const takesAnyKeys = ({ body }: RouteContract): boolean => {
  const media = body && mediaOf(body);
  return media?.kind === 'json' && media.anyKeys === true;
};
/** What is asked for before an id is looked for. */
const needed: Readonly<Record<string, { readonly body?: object; readonly query?: string }>> = {
  createCollection: { body: { name: 'x' } },
  createIndex: { body: { field: 'x' } },
  deleteDocuments: { query: '?filter={}' },
  deleteIndex: { query: '?field=x' },
};

const address = (route: RouteContract, values: Record<string, string> = {}) =>
  (pathsOf(route)[0] ?? '').replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? anIdOf(route, name)),
  );

function anIdOf(route: RouteContract, name: string): string {
  if (name === 'pid') return '2';
  return route.path.includes('/uploads/') ? '01935a2b-7c4d-7e8f-9a0b-1c2d3e4f5a6b' : '1';
}

test('A value that has no number is no id, and the log of the call says nothing of it', async () => {
  const cancel = withBody.find(({ id }) => id === 'cancelUserImport');
  if (!cancel) throw new Error('No such route');
  const reply = await send(product, cancel.method, address(cancel), {
    token: tokenFor(cancel),
    body: { batch_process_id: { toString: false } },
  });
  expect([reply.status, codeOf(cancel, reply)]).toEqual([400, 'E40002']);
});

describe.each(withBody.map((route) => [route.id, route] as const))('When %s gets', (_, route) => {
  const attempt = (options: { raw?: string; body?: unknown }) =>
    send(product, route.method, address(route), {
      token: tokenFor(route),
      ...(admits(route, 'apiKey') && { headers: { 'x-api-key': 'demo-api-key' } }),
      ...options,
    });

  test.each([
    ['broken JSON', '{"a":'],
    ['no object', '[1]'],
    ['a bare text', '"x"'],
    ['null', 'null'],
    ['a polluted prototype', '{"__proto__":{"role":127}}'],
    ['a polluted constructor', '{"constructor":{"prototype":{"role":127}}}'],
  ])('%s, then it is E40001', async (__, raw) => {
    if (takesAnyKeys(route) && /^\{"(__proto__|constructor)"/.test(raw)) return;
    const reply = await attempt({ raw });
    expect([reply.status, codeOf(route, reply)]).toEqual([400, 'E40001']);
  });

  test('a body too large, then it is 413', async () => {
    const reply = await attempt({ raw: `{"name":"${'x'.repeat(route.maxBody + 50_000)}"}` });
    expect([reply.status, codeOf(route, reply)]).toEqual([413, 'E40001']);
  });

  test('anything at all in its fields, then it is no 500', async () => {
    const fields = fieldsOf(route.body);
    const odd = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '\0',
        'a\0b',
        '\uD800',
        '__proto__',
        "' OR 1=1 --",
        '9'.repeat(400),
        'x'.repeat(70_000),
      ),
      fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, null, true, [], {}, [[]], [null], [1e12], ['x'], {
        a: 1,
      }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...fields, 'unknown'), odd), async (body) => {
        const reply = await attempt({ body });
        expect(reply.status, JSON.stringify(body).slice(0, 300)).toBeLessThan(500);
      }),
      { numRuns: 25 },
    );
  });
});

/** The names on the wire of what a body may hold. */
function fieldsOf(body: z.ZodType | undefined): string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape).map(snakeKey) : [];
}

/** The client resolves `..` before it sends, so that the request may reach another route. */
function leadsElsewhere({ method }: RouteContract, path: string): boolean {
  const { pathname } = new URL(path, product.url);
  const found = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`).test(pathname);
  return allRoutes.some((route) => route.method === method && pathsOf(route).some(found));
}

describe.each(walked.filter(({ path }) => path.includes(':')).map((route) => [route.id, route] as const))(
  'When the address of %s has',
  (_, route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
    test.each(['x', '0', '-1', '1.5', '99999999999', '\0', '..', '__proto__', '1 OR 1=1', 'ｱ'])(
      '%j for an id, then it is 404',
      async (value) => {
        for (const name of names.filter((each) => each !== 'uuid')) {
          const token = tokenFor(route);
          const path = address(route, { [name]: value }) + (needed[route.id]?.query ?? '');
          if (value === '..' && leadsElsewhere(route, path)) continue;
          const reply = await send(product, route.method, path, {
            token,
            ...(route.body ? { body: needed[route.id]?.body ?? {} } : {}),
          });
          // A body may be refused before an unknown id is looked for.
          const isUnknown = value === '99999999999';
          const refused =
            reply.status === 404 ||
            (isUnknown && name !== 'pid' && reply.status === 400) ||
            // Whoever has no token does not learn which companies there are.
            (isUnknown && route.id === 'getCalendarFile' && reply.status === 401);
          expect(refused, `${path}: ${reply.status} ${reply.body.code}`).toBe(true);
        }
      },
    );
  },
);

describe.each(
  walked
    .filter(({ query }) => Object.keys(query.shape).length > 0)
    .map((route) => [route.id, route] as const),
)('When the query of %s has', (_, route) => {
  test('an unknown value, then the field is named, and it is never a 500', async () => {
    const token = tokenFor(route);
    const fieldsIn = ({ body }: Reply) =>
      ((body.errors ?? []) as { field: string }[]).map(({ field }) => field);
    const bare = await send(product, route.method, address(route), { token });
    const required = bare.status === 400 ? fieldsIn(bare) : [];
    for (const key of Object.keys(route.query.shape).map(snakeKey)) {
      for (const value of [
        'x'.repeat(20_000),
        'a\0',
        '-1',
        '1e999',
        '{}',
        '__proto__',
        '2026-02-30T00:00:00Z',
        '%',
      ]) {
        const path = `${address(route)}?${key}=${encodeURIComponent(value)}`;
        const reply = await send(product, route.method, path, { token });
        expect(reply.status, path.slice(0, 100)).toBeLessThan(500);
        if (reply.status !== 400) continue;
        // One of several required fields may be valid by chance; then the errors name the others.
        const told = fieldsIn(reply);
        if (told.some((field) => !required.includes(field))) expect(told).toContain(key);
      }
    }
    const twice = await send(product, route.method, `${address(route)}?page=1&page=2`, { token });
    expect(twice.status).toBeLessThan(500);
  });
  test('an unknown sort key or order, then it is E40002', async () => {
    if (!('orderKey' in route.query.shape)) return;
    for (const query of [
      'order_key=password_hash',
      'order_key=constructor',
      'order=up',
      'page=0',
      'per_page=101',
    ]) {
      const reply = await send(product, route.method, `${address(route)}?${query}`, {
        token: tokenFor(route),
      });
      expect([query, reply.status, reply.body.code]).toEqual([query, 400, 'E40002']);
    }
  });
});
