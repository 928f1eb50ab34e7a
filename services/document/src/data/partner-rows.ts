import type { PartnerRows } from '@portal/service-kit';
import { deleteDatabaseOf } from '../databases/data/deletion-repository.ts';
import type { DocumentDb } from './db.ts';

/** What becomes of the rows of a partner that is deleted. */
export const partnerRows: PartnerRows<DocumentDb> = {
  deleted: [
    // With the documents of it.
    { table: 'databases', clearSome: async ({ db }, some) => deleteDatabaseOf(db, some) },
    'database_revisions',
    'partners',
  ],
  kept: {
    document_deletions: 'they go with the documents that they delete',
    ...Object.fromEntries(
      ['collections', 'documents', 'usage', 'indexes', 'index_entries'].map((table) => [
        `documents.${table}`,
        'they go by the deletion of their database',
      ]),
    ),
  },
};
