import type { Scope } from '@portal/database';
import type { Dependencies } from '../../dependencies.ts';
import { databasesAfter } from '../data/database-repository.ts';

/** Databases that are asked for at once. */
const pageSize = 100;

/**
 * Deletes the documents of imports that were to be stored whole, and whose process ended before, and what is left of collections and
 * indexes whose deletion broke off. Nobody else sees any of it.
 */
export async function removeLeftovers(
  { documents, logger, store }: Pick<Dependencies, 'documents' | 'logger' | 'store'>,
  { scope, stopping }: { readonly scope: Scope; readonly stopping: AbortSignal },
): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    const databases = await store.read(scope, async (db) => databasesAfter(db, after, pageSize));
    for (const { name, partnerId } of databases) {
      if (stopping.aborted) return;
      try {
        await documents.removeLeftovers({ partnerId, db: name }, stopping);
      } catch (error) {
        logger.warn(
          { err: error, partnerId },
          'What imports and deletions have left of documents stays for now',
        );
      }
    }
    last = databases.at(-1)?.partnerId;
  }
}
