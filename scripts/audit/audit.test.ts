import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { audit } from './audit.ts';
import { lockedPackages } from './lock-file.ts';

const lockFile = `
lockfileVersion: '9.0'
importers:
  .:
    devDependencies:
      tester:
        specifier: 1.0.0
        version: 1.0.0(peer@3.0.0)
  packages/kit:
    dependencies:
      '@scope/server':
        specifier: 2.0.0
        version: 2.0.0
    devDependencies:
      tester:
        specifier: 1.0.0
        version: 1.0.0
  services/one:
    dependencies:
      '@portal/kit':
        specifier: workspace:*
        version: link:../../packages/kit
      renamed:
        specifier: npm:real@4.0.0
        version: real@4.0.0
  bench:
    dependencies:
      loader:
        specifier: 5.0.0
        version: 5.0.0
snapshots:
  '@scope/server@2.0.0':
    dependencies:
      both: 1.1.0
    optionalDependencies:
      native: 1.2.0
  both@1.1.0: {}
  loader@5.0.0:
    dependencies:
      both: 1.1.0
  native@1.2.0: {}
  peer@3.0.0: {}
  real@4.0.0: {}
  tester@1.0.0: {}
  tester@1.0.0(peer@3.0.0):
    dependencies:
      peer: 3.0.0
`;

let database: Server;
let url: string;
/** Ids by name and version. */
let vulnerable: Record<string, string[]>;
let asked: { package: { name: string; ecosystem: string }; version: string; page_token?: string }[];

/** Speaks as OSV does: answers in the order of the queries, nothing for what is sound, one advisory a page. */
beforeEach(async () => {
  vulnerable = {};
  asked = [];
  database = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, id] = /^\/v1\/vulns\/(.+)$/.exec(request.url ?? '') ?? [];
      if (id) return response.end(JSON.stringify({ id, summary: `About ${id}`, aliases: [`CVE-${id}`] }));
      const { queries } = JSON.parse(Buffer.concat(chunks).toString());
      asked.push(...queries);
      const results = (queries as typeof asked).map((query) => {
        const ids = vulnerable[`${query.package.name}@${query.version}`] ?? [];
        const page = Number(query.page_token ?? 0);
        if (ids.length === 0) return {};
        return {
          vulns: [{ id: ids[page], modified: '2026-01-01T00:00:00Z' }],
          ...(page + 1 < ids.length ? { next_page_token: String(page + 1) } : {}),
        };
      });
      return response.end(JSON.stringify({ results }));
    });
  }).listen(0, '127.0.0.1');
  await once(database, 'listening');
  const address = database.address();
  url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
});
afterEach(async () => {
  database.close();
  database.closeAllConnections();
});

describe('When the lock file is read', () => {
  test('then packages of production are separated from those that only build and test', () => {
    const names = (production: boolean) =>
      lockedPackages(lockFile)
        .filter((one) => one.production === production)
        .map(({ name, version }) => `${name}@${version}`);
    expect(names(true)).toEqual(['@scope/server@2.0.0', 'both@1.1.0', 'native@1.2.0', 'real@4.0.0']);
    expect(names(false)).toEqual(['loader@5.0.0', 'peer@3.0.0', 'tester@1.0.0']);
  });

  test('then so it is with that of the product', async () => {
    const packages = lockedPackages(
      await readFile(join(import.meta.dirname, '../../pnpm-lock.yaml'), 'utf8'),
    );
    const isProduction = (name: string) => packages.find((one) => one.name === name)?.production;
    for (const name of ['fastify', 'find-my-way', '@node-rs/argon2-linux-x64-gnu', 'kafkajs', 'react', 'zod'])
      expect([name, isProduction(name)]).toEqual([name, true]);
    for (const name of ['vitest', 'autocannon', 'playwright-core', 'vite', 'esbuild', 'knip'])
      expect([name, isProduction(name)]).toEqual([name, false]);
  });
});

describe('When advisories are asked for', () => {
  test('then all packages are, each in its version, and none is found where there is none', async () => {
    const { failed, lines } = await audit(lockFile, url);
    expect(asked).toHaveLength(7);
    expect(asked).toContainEqual({ package: { name: '@scope/server', ecosystem: 'npm' }, version: '2.0.0' });
    expect(lines).toEqual(['checked: 4 packages of production, 3 of development, 0 advisories']);
    expect(failed).toBe(false);
  });

  test('and one concerns a package of production, then it fails and lists all of its advisories', async () => {
    vulnerable = { 'both@1.1.0': ['GHSA-1', 'GHSA-2'], 'peer@3.0.0': ['GHSA-3'] };
    const { failed, lines } = await audit(lockFile, url);
    expect(failed).toBe(true);
    expect(lines).toContain('production: both 1.1.0: GHSA-1, CVE-GHSA-1: About GHSA-1');
    expect(lines).toContain('production: both 1.1.0: GHSA-2, CVE-GHSA-2: About GHSA-2');
    expect(lines).toContain('development: peer 3.0.0: GHSA-3, CVE-GHSA-3: About GHSA-3');
    expect(lines.at(-1)).toMatch(/3 advisories$/);
  });

  test('and one concerns what only builds and tests, then it is listed and does not fail', async () => {
    vulnerable = { 'tester@1.0.0': ['GHSA-4'] };
    const { failed, lines } = await audit(lockFile, url);
    expect([failed, lines.length]).toEqual([false, 2]);
  });

  test('and there are more packages than one request may name, then all are asked for', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `  many-${index}@1.0.0: {}\n`).join('');
    vulnerable = { 'many-1499@1.0.0': ['GHSA-5'] };
    const { lines } = await audit(lockFile + many, url);
    expect(lines[0]).toContain('many-1499');
    expect(asked).toHaveLength(1_507);
  });

  test('and nobody answers, then that is said and is no failure', async () => {
    database.close();
    database.closeAllConnections();
    const { failed, lines } = await audit(lockFile, url);
    expect([failed, lines]).toEqual([false, [expect.stringMatching(/^not checked: .*ECONNREFUSED/)]]);
  });

  test('and what answers is something else, then that is said and is no failure', async () => {
    database.removeAllListeners('request');
    database.on('request', (_, response) => response.writeHead(405).end('<html>'));
    const { failed, lines } = await audit(lockFile, url);
    expect([failed, lines]).toEqual([false, [expect.stringMatching(/^not checked: .*405/)]]);
  });
});
