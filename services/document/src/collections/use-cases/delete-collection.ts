import { documentEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { CollectionRef } from '../../store/document-store.ts';

/** Takes its documents away as well. Throws `E40401` for a collection that is not there. */
export async function deleteCollection(
  { documents, store }: Pick<Dependencies, 'documents' | 'store'>,
  collection: CollectionRef,
): Promise<void> {
  await documents.deleteCollection(collection, async () =>
    store.write(ofPartner(collection.partnerId), async ({ outbox }) => {
      outbox.append(documentEvents.collectionDeleted, {
        subject: collection.partnerId,
        partnerId: collection.partnerId,
        data: collection,
      });
    }),
  );
}
