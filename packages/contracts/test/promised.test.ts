import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allEvents, allRoutes } from '../src/catalogue.ts';
import { errorCatalogue } from '../src/core/messages.ts';
import { codes, events, type Promised, routes } from './promised.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The sources of packages and services, without their tests and what is generated. */
const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/generated/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const later = ({ notYet }: Promised) => Object.values(notYet).flat();

const eachRoute = (entries: readonly string[]) =>
  entries.flatMap((entry) => {
    const at = entry.indexOf(' /');
    return entry
      .slice(0, at)
      .split(', ')
      .map((method) => `${method}${entry.slice(at)}`);
  });

describe.each([
  [
    'routes',
    { built: eachRoute(routes.built), notYet: { later: eachRoute(later(routes)) } },
    allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '{}')}`),
  ],
  ['events', events, allEvents.map(({ type }) => type)],
  ['codes', codes, raisedCodes()],
] as const)('The %s that were promised', (_, promised: Promised, present) => {
  test('are there, and no others', () => {
    expect([...present].sort()).toEqual([...promised.built].sort());
  });

  test('are each either there or still to come', () => {
    const all = [...promised.built, ...later(promised)];
    expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
  });
});

test('Every code has its messages', () => {
  expect(Object.keys(errorCatalogue).sort()).toEqual([...codes.built, ...later(codes)].sort());
});

test('Every event is published by a service', () => {
  const used = sources.flatMap(({ text }) => [
    ...text.replaceAll(/\b(?:on|onMany)\(\s*\w+\.\w+|typeof \w+\.\w+/g, '').matchAll(/\b\w+Events\.(\w+)/g),
  ]);
  const told = new Set(used.map(([, name]) => name));
  const silent = allEvents.map(({ type }) => type).filter((type) => !told.has(nameOf(type)));
  expect(silent).toEqual([]);
});

/** `file.version_released` is `fileVersionReleased` in the sources. */
const nameOf = (type: string) => type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Those that the code throws or answers, rather than compares with, or declares a route to answer; and those with which an
 * export answers when it failed, which its declaration names.
 */
function raisedCodes(): string[] {
  const failed = sources.flatMap(({ text }) => [...text.matchAll(/failed: '(E[45]\d{4})'/g)]);
  const own = sources.filter(({ path }) => !/contracts\/src\/(core\/errors|routes\/|internal\/)/.test(path));
  const found = own.flatMap(({ text }) =>
    [...text.matchAll(/(?<![!=]== )'(E[45]\d{4})'/g)].map(([, code]) => code ?? ''),
  );
  return [...new Set([...found, ...failed.map(([, code]) => code ?? '')])];
}
