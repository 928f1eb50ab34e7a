import { documentEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { deleteDatabaseRow, lockDatabase, nextRevision } from '../data/database-repository.ts';
import { addDeletion } from '../data/deletion-repository.ts';

/** Takes the database of a partner away; its documents are deleted in the background. Throws `E40401` where there is none. */
export async function deleteDatabase(
  { clock, known, published, store }: Pick<Dependencies, 'clock' | 'known' | 'published' | 'store'>,
  partnerId: number,
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const { name } = await lockDatabase(db, partnerId);
    await deleteDatabaseRow(db, partnerId);
    await addDeletion(db, { partnerId, db: name }, clock.now());
    outbox.append(documentEvents.databaseDeleted, {
      subject: partnerId,
      partnerId,
      data: { partnerId, db: name, revision: await nextRevision(db, partnerId) },
    });
  });
  known.forget(partnerId);
  await published();
}
