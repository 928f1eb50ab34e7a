import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allEvents, allRoutes } from '../src/catalogue.ts';
import { camelKey, camelPath, snakeKey, snakePath } from '../src/core/case.ts';
import { errorCatalogue, fieldMessage, fieldMessages, statusOf } from '../src/core/errors.ts';
import { plans } from '../src/core/plans.ts';
import { hasAnyRole } from '../src/core/roles.ts';
import { pathsOf } from '../src/core/route.ts';
import { openApiDocument } from '../src/documents/index.ts';

describe('The routes', () => {
  test('have names and addresses of their own', () => {
    const ids = allRoutes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const addresses = allRoutes.flatMap((route) => pathsOf(route).map((path) => `${route.method} ${path}`));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('of a tenant take its id from the path, and ask for it', () => {
    for (const route of allRoutes) {
      if (route.path.includes('/partner/partners/')) expect(route.access.kind).toBe('partner');
      expect(Object.keys(route.params.shape)).toEqual(
        [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name),
      );
    }
  });

  test('are written to the operation log when they change something', () => {
    for (const route of allRoutes.filter(({ method }) => method === 'PUT' || method === 'DELETE')) {
      expect(route.logged, route.id).toBe(true);
    }
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

  test('take little from whoever has no token, unless they say more', () => {
    for (const { access, id, maxBody } of allRoutes) {
      const isAnonymous = access.kind === 'public' || access.kind === 'apiKey';
      expect([id, maxBody]).toEqual([id, isAnonymous ? 65_536 : 1_048_576]);
    }
  });

  test('have names that survive the way to the wire and back', () => {
    const names = JSON.stringify(openApiDocument(allRoutes)).match(/"[a-z][a-z0-9]*(_[a-z0-9]+)*":/g) ?? [];
    for (const name of names.map((text) => text.slice(1, -2))) expect(snakeKey(camelKey(name))).toBe(name);
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
  test('fills in the parameters of a message', () => {
    expect(fieldMessage('fileNameChanged', 'en', { filename: 'tour.uap' })).toBe(
      "Don't change filename from tour.uap.",
    );
    expect(fieldMessage('password8char', 'ja')).toBe('8文字以上の英数字混在のパスワードを入力してください。');
  });
});

test('The path of a field has the names of the wire, and back', () => {
  expect(snakePath('parts.0.partNumber')).toBe('parts.0.part_number');
  expect(camelPath('parts.0.part_number')).toBe('parts.0.partNumber');
});

test('The plans are those of the plan table', () => {
  expect(Object.entries(plans).map(([rank, plan]) => [rank, plan.licenses, plan.apis.join('/')])).toEqual([
    ['free', 1, 'group/push/token'],
    ['trial', 5, 'group/push/token'],
    ['entry', 20, 'group'],
    ['standard', 200, 'group/push'],
    ['enterprise', 600, 'group/push/token/certification/doc-browsing'],
  ]);
});

test('A role check passes if any requested bit is set', () => {
  expect(hasAnyRole(3, 2)).toBe(true);
  expect(hasAnyRole(1, 6)).toBe(false);
  expect(hasAnyRole(0, 0)).toBe(true);
});
