import { enterScope, withClient } from '@portal/database';
import { createLogger } from '@portal/kernel';
import { testDatabase } from '@portal/testing';
import { expect, it } from 'vitest';
import { documentService } from '../../src/service.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { parseSort } from '../../src/store/sort.ts';
import { describeDocumentStore } from './contract-suite.ts';

const openDatabase = async () => {
  const database = await testDatabase({ service: 'document', directories: documentService.migrations });
  const open = () =>
    createPostgresStore({ url: database.url, poolSize: 5, logger: createLogger({ level: 'silent' }) });
  return { database, open };
};

describeDocumentStore('PostgreSQL', async () => {
  const { database, open } = await openDatabase();
  const store = open();
  return {
    store,
    reopen: async () => Promise.resolve(open()),
    silence: async ({ db, partnerId }) =>
      withClient(database.url, async (client) => {
        await enterScope(client, database.url, { kind: 'partner', partnerId });
        await client.query(
          `UPDATE documents.collections SET heard_at = now() - interval '11 minutes' WHERE db = $1 AND name LIKE '~%'`,
          [db],
        );
      }),
    async close() {
      await store.close();
      await database.drop();
    },
  };
});

it('A list that takes too long says whether it was the filter', async () => {
  const { database, open } = await openDatabase();
  const store = open();
  const ref = { partnerId: 1, db: 'd1slow', collection: 'things' };
  await store.createCollection(ref);
  await withClient(database.ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE documents.documents');
    const slow = [
      store.list(ref, { perPage: 1, sort: parseSort('a') }),
      store.list(ref, { perPage: 1, filter: parseFilter('{"a":1}') }),
    ];
    const answers = await Promise.allSettled(slow);
    expect(answers).toMatchObject([
      { reason: { code: 'E40002', fields: [{ field: 'sort', message: 'sortTimeout' }] } },
      { reason: { code: 'E40002', fields: [{ field: 'filter', message: 'filterTimeout' }] } },
    ]);
    await client.query('ROLLBACK');
  });
  await store.close();
  await database.drop();
});
