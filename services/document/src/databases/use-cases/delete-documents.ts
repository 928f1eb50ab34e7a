import type { Scope } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { claimDeletions, endPass } from '../data/deletion-repository.ts';

/** How many databases are emptied at the same time. */
const atOnce = 2;

/** Deletes the documents of databases that are gone. One that fails is tried again when it is due again. */
export async function deleteDocuments(
  { clock, documents, logger, store }: Pick<Dependencies, 'clock' | 'documents' | 'logger' | 'store'>,
  { scope, stopping }: { readonly scope: Scope; readonly stopping: AbortSignal },
): Promise<void> {
  while (!stopping.aborted) {
    const claimed = await store.write(scope, async ({ db }) =>
      claimDeletions(db, { now: clock.now(), most: atOnce }),
    );
    if (claimed.length === 0) return;
    await Promise.all(
      claimed.map(async (database) => {
        try {
          await documents.deleteDatabase(database, stopping);
          // What is left is deleted when it is due again.
          if (stopping.aborted) return;
          await store.write(ofPartner(database.partnerId), async ({ db }) => endPass(db, database));
        } catch (error) {
          const { partnerId } = database;
          logger.warn({ err: error, partnerId }, 'The documents of a deleted database are left');
        }
      }),
    );
  }
}
