import type { Logger } from '@portal/kernel';
import type { DocumentStore } from './document-store.ts';
import { createPostgresStore } from './postgres/postgres-store.ts';

/** Calls that are answered at the same time; further ones wait for a connection. */
const poolSize = 10;

/** Where the documents are: in MongoDB, where there is an address of one, else in the service's own database. */
export async function openDocumentStore(options: {
  /** Empty: none. */
  mongodbUrl: string;
  databaseUrl: string;
  logger: Logger;
}): Promise<DocumentStore> {
  const { databaseUrl, logger, mongodbUrl } = options;
  if (mongodbUrl === '') return createPostgresStore({ url: databaseUrl, poolSize, logger });
  // Its driver is loaded where it is used alone.
  const { createMongoStore } = await import('./mongodb/mongo-store.ts');
  return createMongoStore({ url: mongodbUrl, poolSize, logger });
}
