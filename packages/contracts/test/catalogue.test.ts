import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allEvents, allRoutes, internalRoutes } from '../src/catalogue.ts';
import { camelKey, snakeKey } from '../src/core/case.ts';
import { statusOf } from '../src/core/errors.ts';
import { topics } from '../src/core/event.ts';
import { mediaOf } from '../src/core/media.ts';
import { errorCatalogue, fieldMessage, fieldMessages } from '../src/core/messages.ts';
import { plans } from '../src/core/plans.ts';
import { hasAnyRole } from '../src/core/roles.ts';
import { admits, pathsOf } from '../src/core/route.ts';
import { serviceNames, services, tokenAuthority } from '../src/core/services.ts';
import { sendersOf } from '../src/documents/event-flow.ts';
import { openApiDocument } from '../src/documents/index.ts';
import { platformOperationLabels, tenantOperationLabels } from '../src/operations/labels.ts';
import { operationTargetOf } from '../src/operations/target.ts';

describe('The routes', () => {
  test('have names and addresses of their own', () => {
    const ids = allRoutes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const addresses = allRoutes.flatMap((route) => pathsOf(route).map((path) => `${route.method} ${path}`));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('of a tenant take its id from the path, and ask for it', () => {
    for (const route of allRoutes) {
      // Calendar programs have no session, but a token of their own in the address.
      const isForPortal = route.path.includes('/partner/partners/') && route.id !== 'getCalendarFile';
      if (isForPortal) expect(admits(route, 'partner'), route.id).toBe(true);
      expect(Object.keys(route.params.shape)).toEqual(
        [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name),
      );
    }
  });

  test('are written to the operation log when they change something', () => {
    for (const route of allRoutes.filter(({ method }) => method === 'PUT' || method === 'DELETE')) {
      // Devices tell thousands a second; what somebody did is a log of people.
      expect(route.logged, route.id).toBe(route.takes !== 'receipts');
    }
  });

  test('have a label in the operation log if they are written to it, and no other has', () => {
    const logged = (isPlatform: boolean) =>
      allRoutes
        .filter((route) => route.logged && /^\/(v1|api\/v2)\/admin\//.test(route.path) === isPlatform)
        .map(({ id }) => id)
        .sort();
    expect(Object.keys(tenantOperationLabels).sort()).toEqual(logged(false));
    expect(Object.keys(platformOperationLabels).sort()).toEqual(logged(true));
  });

  test.each([
    ['createUser', 'user'],
    ['createCompanyAdmin', 'user'],
    ['updatePartnerAdmin', 'user'],
    ['endUserSessions', 'user'],
    ['removeAdminTwoFactor', 'admin'],
    ['updateAdmin', 'admin'],
    ['createUnitAdmin', 'admin'],
    ['deleteGroup', 'group'],
    ['assignGroups', 'file'],
    ['completeUpload', 'file'],
    ['createUsersCsv', 'export'],
    ['exportGroups', 'group'],
    ['applyUserImport', 'import'],
    ['endPartnerSession', 'session'],
    ['updatePlatform', 'device'],
    ['updateSecuritySettings', 'partner'],
    ['updatePartner', 'partner'],
    ['createUnit', 'unit'],
    ['createDatabase', 'partner'],
    ['partnerLogin', undefined],
    ['changeAdminPassword', undefined],
  ] as const)('%s concerns: %s', (id, target) => {
    const route = allRoutes.find((known) => known.id === id);
    expect(route && operationTargetOf(route)).toBe(target);
  });

  test('say how long a list is at most that somebody sends', () => {
    const unbounded = allRoutes.flatMap(({ body, id, query }) =>
      [query, ...(body ? [body] : [])].flatMap((schema) =>
        listsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
          .filter(({ maxItems }) => maxItems === undefined)
          .map(() => id),
      ),
    );
    expect(unbounded).toEqual([]);
  });

  test('limit bodies to a small size for callers without a token, and to 1 MiB for others unless they are streams', () => {
    for (const route of allRoutes) {
      const isAnonymous = admits(route, 'public') || admits(route, 'apiKey');
      const { body, id, maxBody } = route;
      // What is read as it comes may be of any length; each route says of how much at most.
      if (!isAnonymous && body && mediaOf(body).kind === 'bytes') continue;
      // What identity providers send by the browser, in base64 with escapes.
      if (['acceptSamlResponse', 'logOutByPost'].includes(id)) continue;
      // A file in base64, for callers who are signed in.
      if (id === 'readP12' || /^(create|update)(Partner)?Sso$/.test(id)) continue;
      expect(maxBody, id).toBeLessThanOrEqual(isAnonymous ? 65_536 : 1_048_576);
    }
  });

  test('have names that survive the way to the wire and back', () => {
    const names = JSON.stringify(openApiDocument(allRoutes)).match(/"[a-z][a-z0-9]*(_[a-z0-9]+)*":/g) ?? [];
    for (const name of names.map((text) => text.slice(1, -2))) expect(snakeKey(camelKey(name))).toBe(name);
  });
});

describe('The services', () => {
  test('listen on ports of their own', () => {
    expect(new Set(serviceNames.map((name) => services[name].port)).size).toBe(serviceNames.length);
  });

  test('ask whom the routes among them let in, and nobody else', () => {
    const internal = internalRoutes.flatMap(({ access, service }) =>
      access.flatMap((one) =>
        one.kind === 'internal' ? one.callers.map((caller) => ({ caller, service })) : [],
      ),
    );
    for (const name of serviceNames.filter((one) => one !== 'gateway')) {
      const asked = internal.filter(({ caller }) => caller === name).map(({ service }) => service);
      const others = asked.filter((service) => service !== tokenAuthority);
      expect([name, [...new Set(others)].sort()]).toEqual([name, [...services[name].asks].sort()]);
    }
  });

  test('are reached by the gateway, which nobody asks', () => {
    const answering = new Set(allRoutes.map(({ service }) => service));
    expect([...services.gateway.asks].sort()).toEqual([...answering].sort());
    for (const name of serviceNames) expect(services[name].asks).not.toContain('gateway');
  });

  test('have the API key where a route is for its holders', () => {
    for (const { id, service } of allRoutes.filter((route) => admits(route, 'apiKey'))) {
      const entry = serviceNames.filter((name) => name === service).map((name) => services[name]);
      expect(
        entry.flatMap(({ secrets }) => secrets),
        id,
      ).toContain('API_KEY');
    }
  });

  test('ask in no circle', () => {
    const circles: string[] = [];
    const follow = (path: readonly (typeof serviceNames)[number][]) => {
      for (const next of services[path.at(-1) ?? 'gateway'].asks) {
        if (path.includes(next)) circles.push([...path, next].join(' → '));
        else follow([...path, next]);
      }
    };
    for (const name of serviceNames) follow([name]);
    expect(circles).toEqual([]);
  });

  test('tell every topic, each of its own', () => {
    expect([...topics].filter((topic) => sendersOf(topic).length === 0)).toEqual([]);
    for (const name of serviceNames) {
      const own = topics.find((topic) => topic === `portal.${name}`);
      expect([name, services[name].topics.includes(own ?? 'portal.operations')]).toEqual([
        name,
        own !== undefined,
      ]);
    }
  });
});

/** The JSON schemas of lists, at any depth. */
function listsIn(schema: unknown): { maxItems?: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(listsIn);
  if (!('type' in schema) || schema.type !== 'array') return inner;
  return [{ maxItems: 'maxItems' in schema ? schema.maxItems : undefined }, ...inner];
}

describe('The events', () => {
  test.each(allEvents.map((event) => [event.type, event] as const))('%s has a true example', (_, event) => {
    expect(event.data.parse(event.example)).toEqual(event.example);
  });
  test('have types of their own', () => {
    expect(new Set(allEvents.map(({ type }) => type)).size).toBe(allEvents.length);
  });
});

describe('The error catalogue', () => {
  test('has both languages and a status that HTTP knows', () => {
    for (const [code, messages] of Object.entries({ ...errorCatalogue, ...fieldMessages })) {
      expect(messages.ja, code).not.toBe('');
      expect(messages.en, code).not.toBe('');
    }
    expect(
      [...new Set(Object.keys(errorCatalogue).map((code) => statusOf(code as 'E40001')))].sort(),
    ).toEqual([400, 401, 403, 404, 500, 503]);
  });
  test('says nothing of one as of many', () => {
    const most = { max: 2, columns: 7 };
    const ofOne = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => String(Object(most)[name] ?? 1));
    const wrong = Object.values(fieldMessages).filter(({ en }) => /\b1 (\.\w+ )?\w+s\b/.test(ofOne(en)));
    expect(wrong).toEqual([]);
  });
  test('fills in the parameters of a message', () => {
    expect(fieldMessage('fileNameChanged', 'en', { filename: 'tour.uap' })).toBe(
      "Don't change filename from tour.uap.",
    );
    expect(fieldMessage('password8char', 'ja')).toBe('8文字以上の英数字混在のパスワードを入力してください。');
  });
});

test('The plans are those of the plan table', () => {
  expect(Object.entries(plans).map(([rank, plan]) => [rank, plan.licenses, plan.apis.join('/')])).toEqual([
    ['free', 1, 'group/push/token'],
    ['trial', 5, 'group/push/token'],
    ['entry', 20, 'group'],
    ['standard', 200, 'group/push/sso'],
    ['enterprise', 600, 'group/push/token/certification/doc-browsing/sso'],
  ]);
});

test('A role check passes if any requested bit is set', () => {
  expect(hasAnyRole(3, 2)).toBe(true);
  expect(hasAnyRole(1, 6)).toBe(false);
  expect(hasAnyRole(0, 0)).toBe(true);
});
