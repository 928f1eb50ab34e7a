import type { KeyCipher, ServiceContext } from '@portal/service-kit';
import type { DocumentDb } from './data/db.ts';
import type { Databases } from './databases/databases.ts';
import type { KnownDatabases } from './databases/use-cases/known-databases.ts';
import type { ImportRooms } from './documents/use-cases/import-room.ts';
import type { DocumentStore } from './store/document-store.ts';

type Context = ServiceContext<DocumentDb, unknown>;

/** What the use cases of this service are given; each names the part that it needs. */
export interface Dependencies
  extends Pick<Context, 'clock' | 'logger' | 'peers' | 'published' | 'seals' | 'store'> {
  /** Seals the keys of databases. */
  readonly cipher: KeyCipher;
  /** Bytes of a database that is contracted. */
  readonly contractedQuota: number;
  /** How calls reach the databases that they name. */
  readonly databases: Databases;
  /** Where the documents are. */
  readonly documents: DocumentStore;
  readonly importRooms: ImportRooms;
  readonly known: KnownDatabases;
}
