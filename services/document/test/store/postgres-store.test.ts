import { enterScope, withClient } from '@portal/database';
import { createLogger } from '@portal/kernel';
import { testDatabase } from '@portal/testing';
import { documentService } from '../../src/service.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { describeDocumentStore } from './contract-suite.ts';

describeDocumentStore('PostgreSQL', async () => {
  const database = await testDatabase({ service: 'document', directories: documentService.migrations });
  const open = () =>
    createPostgresStore({ url: database.url, poolSize: 5, logger: createLogger({ level: 'silent' }) });
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
