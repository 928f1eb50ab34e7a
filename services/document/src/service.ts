import { documentEvents } from '@portal/contracts';
import { createKeyCipher, defineService } from '@portal/service-kit';
import { collectionsRoutes } from './collections/http/collections.routes.ts';
import { type Config, config } from './config.ts';
import { type DocumentDb, PrismaClient } from './data/db.ts';
import { contractReader, knowPartner } from './data/partner-repository.ts';
import { partnerRows } from './data/partner-rows.ts';
import { databasesRoutes } from './databases/http/databases.routes.ts';
import { createKnownDatabases } from './databases/use-cases/known-databases.ts';
import { createChanges } from './databases/use-cases/measure-databases.ts';
import { openDatabase } from './databases/use-cases/open-database.ts';
import type { Dependencies } from './dependencies.ts';
import { documentsRoutes } from './documents/http/documents.routes.ts';
import { createImportRooms } from './documents/use-cases/import-room.ts';
import { subscriptions } from './events/subscriptions.ts';
import { jobs } from './jobs.ts';
import { openDocumentStore } from './store/open-store.ts';

/** The document databases of tenants: their contracts, collections and documents. */
export const documentService = defineService<DocumentDb, Config>({
  name: 'document',
  config,
  directory: new URL('../', import.meta.url),
  prismaClient: PrismaClient,
  partnerRows,
  async create(context) {
    const { clock, config, logger, peers, seals, store } = context;
    const known = createKnownDatabases(context);
    const changes = createChanges();
    const documents = await openDocumentStore({
      mongodbUrl: config.mongodbUrl,
      databaseUrl: context.databaseUrl,
      logger,
    });
    const deps: Dependencies = {
      cipher: createKeyCipher(...config.keyEncryptionKeys),
      clock,
      contractedQuota: config.contractedQuota,
      databases: {
        open: async ({ caller }, { db }, purpose) => openDatabase(deps, caller, db, purpose),
        noteChange: ({ partnerId }) => changes.add(partnerId),
      },
      documents,
      importRooms: createImportRooms(documents),
      known,
      logger,
      peers,
      published: async () => context.published(),
      seals,
      store,
    };
    const { databaseCreated, databaseDeleted, databaseUpdated } = documentEvents;
    for (const event of [databaseCreated, databaseUpdated, databaseDeleted]) {
      // An event of three: what they share is whose database it is.
      await context.subscribe<{ readonly partnerId: number }>(event, ({ partnerId }) =>
        known.forget(partnerId),
      );
    }
    return {
      routes: [...databasesRoutes(deps), ...collectionsRoutes(deps), ...documentsRoutes(deps)],
      subscriptions: subscriptions(),
      jobs: jobs(deps, changes),
      tenantOfKey: async (key, scope) => known.partnerOfKey(key, scope),
      contractOf: contractReader(context),
      close: async () => documents.close(),
      unitOf: async (partnerId) => (await knowPartner(context, partnerId)).unitId,
    };
  },
});
