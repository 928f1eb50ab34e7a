import { adminRoleBits, databaseRoutes } from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operator } from './document-harness.ts';
import {
  type Credentials,
  type DocumentsHarness,
  refusal,
  type Sent,
  startDocumentsHarness,
  type TestTenant,
} from './documents-harness.ts';

/** Where the documents are in a test. */
export interface EngineOfDocuments {
  /** Settings of the service. */
  readonly env: Record<string, string>;
  stop?(): Promise<void>;
}

interface Call {
  readonly name: string;
  readonly path: string;
  readonly sent: Sent;
  readonly purpose: 'read' | 'write' | 'delete';
}
const lines = { 'content-type': 'application/x-ndjson' };
/** Every call to collections and documents. */
const calls: readonly Call[] = [
  { name: 'listCollections', path: '', sent: {}, purpose: 'read' },
  { name: 'createCollection', path: '', sent: { method: 'POST', body: { name: 'made' } }, purpose: 'write' },
  { name: 'deleteCollection', path: '/shared', sent: { method: 'DELETE' }, purpose: 'delete' },
  { name: 'listDocuments', path: '/shared/documents', sent: {}, purpose: 'read' },
  { name: 'createDocument', path: '/shared/documents', sent: { method: 'POST', body: {} }, purpose: 'write' },
  {
    name: 'deleteDocuments',
    path: '/shared/documents',
    sent: { method: 'DELETE', query: { filter: '{}' } },
    purpose: 'delete',
  },
  { name: 'getDocument', path: '/shared/documents/a', sent: {}, purpose: 'read' },
  {
    name: 'replaceDocument',
    path: '/shared/documents/a',
    sent: { method: 'PUT', body: {} },
    purpose: 'write',
  },
  { name: 'deleteDocument', path: '/shared/documents/a', sent: { method: 'DELETE' }, purpose: 'delete' },
  {
    name: 'importDocuments',
    path: '/shared/import',
    sent: { method: 'POST', body: '{}', headers: lines },
    purpose: 'write',
  },
  { name: 'exportDocuments', path: '/shared/export', sent: {}, purpose: 'read' },
  { name: 'listIndexes', path: '/shared/indexes', sent: {}, purpose: 'read' },
  {
    name: 'createIndex',
    path: '/shared/indexes',
    sent: { method: 'POST', body: { field: 'made' } },
    purpose: 'write',
  },
  {
    name: 'deleteIndex',
    path: '/shared/indexes',
    sent: { method: 'DELETE', query: { field: 'owner' } },
    purpose: 'delete',
  },
];
/** Every call with credentials and names that may not make it, on one of the stores. */
export function describeWhoMay(store: string, start: () => Promise<EngineOfDocuments>): void {
  describe(store, () => {
    let engine: EngineOfDocuments;
    let harness: DocumentsHarness;
    let own: TestTenant;
    let other: TestTenant;

    beforeAll(async () => {
      engine = await start();
      harness = await startDocumentsHarness(engine.env);
      own = await harness.tenant();
      other = await harness.tenant();
      for (const tenant of [own, other]) {
        await tenant.collection('shared');
        await tenant.send('/shared/documents/a', { method: 'PUT', body: { owner: tenant.pid } });
        await tenant.send('/shared/indexes', { method: 'POST', body: { field: 'owner' } });
      }
    });
    afterAll(async () => {
      await harness.stop();
      await engine.stop?.();
    });

    /** What a call with its path answers, without its changes to what another call needs. */
    const refusals = async (
      credentials: Credentials,
      {
        of = own,
        purposes = ['read', 'write', 'delete'],
      }: { of?: TestTenant; purposes?: readonly string[] } = {},
    ) => {
      const replies: unknown[] = [];
      for (const { name, path, purpose, sent } of calls) {
        if (!purposes.includes(purpose)) continue;
        replies.push([name, ...refusal(await of.send(path, sent, credentials))]);
      }
      return replies;
    };
    const each = (status: number, code: string, purposes: readonly string[] = ['read', 'write', 'delete']) =>
      calls.filter(({ purpose }) => purposes.includes(purpose)).map(({ name }) => [name, status, code]);
    /** That nothing was changed by calls that were refused. */
    const unchanged = async (tenant: TestTenant) => {
      expect((await tenant.send('')).body.collections).toMatchObject([{ name: 'shared', count: 1 }]);
      expect((await tenant.send('/shared/documents/a')).body).toMatchObject({
        owner: tenant.pid,
        _version: 1,
      });
      expect((await tenant.send('/shared/indexes')).body).toEqual({ indexes: [{ field: 'owner' }] });
    };

    describe('When somebody calls who may not', () => {
      test('then without credentials every call answers 401', async () => {
        expect(await refusals({})).toEqual(each(401, 'E40101'));
        await unchanged(own);
      });

      test.each([
        '',
        'x',
        'portal_db_',
        'portal_db_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        `' OR 1=1 --`,
      ])('then with the key %j every call answers 400, whether or not the database exists', async (key) => {
        expect(await refusals({ key })).toEqual(each(400, 'E40033'));
        const unknown = await harness.at('/api/v2/d1zzzzzz/collection', {}, { key });
        expect(refusal(unknown)).toEqual([400, 'E40033']);
        await unchanged(own);
      });

      test('then the key in the query of a call is none', async () => {
        const reply = await harness.at(`/api/v2/${own.db}/collection`, { query: { api_key: own.key } });
        expect(refusal(reply)).toEqual([401, 'E40101']);
      });

      test("then another tenant's key, people and players reach nothing", async () => {
        for (const credentials of [{ key: other.key }, { actor: other.admin }, { actor: other.developer }]) {
          expect(await refusals(credentials)).toEqual(each(404, 'E40401'));
        }
        expect(await refusals({ actor: playerActor({ partnerId: own.pid, accountId: 9 }) })).toEqual(
          each(403, 'E40301'),
        );
        await unchanged(own);
        await unchanged(other);
      });

      test.each([
        ['made up', 'd1zzzzzz'],
        ['empty of randomness', 'd2s'],
        ['long', 'd'.repeat(64)],
        ['a path', '..%2f..'],
        ['a query', '%7B%22%24gt%22%3A%22%22%7D'],
        ['a quote', "d'--"],
        ['a NUL', 'd%00'],
        ['of the service itself', 'admin'],
      ])('then a name of a database that is %s is not found, with any credentials', async (_, name) => {
        for (const credentials of [{ key: own.key }, { actor: own.admin }, { actor: operator }]) {
          for (const { path, purpose, sent } of calls) {
            if ('actor' in credentials && credentials.actor === operator && purpose !== 'read') continue;
            const reply = await harness.at(`/api/v2/${name}/collection${path}`, sent, credentials);
            expect(refusal(reply)).toEqual([404, 'E40401']);
          }
        }
        await unchanged(own);
      });

      test('then the name of a database in other letters is another one', async () => {
        const reply = await harness.at(`/api/v2/${own.db.toUpperCase()}/collection`, {}, { key: own.key });
        expect(refusal(reply)).toEqual([404, 'E40401']);
      });

      test('then who sends pushes reads and does not write', async () => {
        const credentials = { actor: own.sender };
        expect((await own.send('/shared/documents/a', {}, credentials)).status).toBe(200);
        expect((await own.send('/shared/export', {}, credentials)).status).toBe(200);
        expect(await refusals(credentials, { purposes: ['write', 'delete'] })).toEqual(
          each(403, 'E40301', ['write', 'delete']),
        );
        const nobody = { actor: partnerActor({ partnerId: own.pid, accountId: 5, role: 0 }) };
        expect(await refusals(nobody)).toEqual(each(403, 'E40301'));
        await unchanged(own);
      });

      test('then administrators read with CanReadTenantInformation, and never write', async () => {
        const reader = { actor: adminActor({ role: adminRoleBits.canReadTenantInformation }) };
        for (const { path, purpose, sent } of calls) {
          if (purpose === 'read') expect((await own.send(path, sent, reader)).status).toBe(200);
        }
        // By which they find it, and without its key.
        const { body } = await harness.call(
          databaseRoutes.getDatabase,
          { params: { pid: own.pid } },
          reader.actor,
        );
        expect(body).toMatchObject({ db: own.db, apiKey: null });
        const others = 127 & ~adminRoleBits.canReadTenantInformation;
        expect(await refusals({ actor: adminActor({ role: others }) }, { purposes: ['read'] })).toEqual(
          each(403, 'E40301', ['read']),
        );
        expect(await refusals({ actor: operator }, { purposes: ['write', 'delete'] })).toEqual(
          each(401, 'E40102', ['write', 'delete']),
        );
        expect(await refusals({ actor: adminActor({ role: 0 }) }, { purposes: ['read'] })).toEqual(
          each(403, 'E40301', ['read']),
        );
        expect(await refusals({ actor: adminActor({ unitId: 999 }) }, { purposes: ['read'] })).toEqual(
          each(404, 'E40401', ['read']),
        );
        await unchanged(own);
      });
    });

    describe('When the contract of a database ends', () => {
      const contract = async (
        tenant: TestTenant,
        body: { contractStatus?: 0 | 1 | 2; expireDate?: string },
      ) => harness.call(databaseRoutes.updateDatabase, { params: { pid: tenant.pid }, body }, operator);

      test('then one day after it nothing is written, and for 30 days it is read and exported', async () => {
        const tenant = await harness.tenant();
        await tenant.collection('shared');
        await tenant.send('/shared/documents/a', { method: 'PUT', body: {} });
        const day = 24 * 3_600_000;
        const ending = async (days: number) => {
          const end = new Date(harness.clock.now().getTime() - days * day);
          await contract(tenant, { expireDate: `${end.toISOString().slice(0, 19)}Z` });
        };
        await ending(0.9);
        expect((await tenant.send('/shared/documents/a', { method: 'PUT', body: {} })).status).toBe(200);
        for (const days of [1.1, 30.9]) {
          await ending(days);
          expect(await refusals({ key: tenant.key }, { of: tenant, purposes: ['write', 'delete'] })).toEqual(
            each(403, 'E40302', ['write', 'delete']),
          );
          expect((await tenant.send('/shared/documents/a')).status).toBe(200);
          expect((await tenant.send('/shared/export')).status).toBe(200);
        }
        await ending(31.1);
        expect(await refusals({ key: tenant.key }, { of: tenant })).toEqual(each(403, 'E40302'));
        await contract(tenant, { contractStatus: 0 });
        expect(await refusals({ key: tenant.key }, { of: tenant })).toEqual(each(403, 'E40304'));
        expect(await refusals({ actor: tenant.admin }, { of: tenant })).toEqual(each(403, 'E40304'));
      });
    });

    test('When a key is renewed, then the old one stops at once on every call', async () => {
      const tenant = await harness.tenant();
      await tenant.collection('shared');
      const renewed = await harness.call(
        databaseRoutes.renewDatabaseKey,
        { params: { pid: tenant.pid } },
        operator,
      );
      expect(await refusals({ key: tenant.key }, { of: tenant })).toEqual(each(400, 'E40033'));
      expect((await tenant.send('', {}, { key: renewed.body.apiKey })).status).toBe(200);
    });
  });
}
